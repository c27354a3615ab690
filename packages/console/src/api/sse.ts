import { createEventReader } from "@toolrack/core/internal/sse";
import { addressOf, type AskArguments, type AskOptions, requestOf, toError } from "./client.ts";
import type { ApiEvents } from "./types.ts";

/** Comes before the events of the server, when the stream is open. */
export interface OpenEvent {
  readonly id?: undefined;
  readonly event: "open";
  readonly data: null;
}

/** The server-sent events of one operation; the stream ends after `silenceMs` without a byte. `EventSource` could not send the key. */
export async function* follow<Operation extends keyof ApiEvents>(
  operation: Operation,
  ...[options = {}]: AskArguments<Operation, AskOptions & { readonly silenceMs?: number }>
): AsyncGenerator<ApiEvents[Operation] | OpenEvent, void, undefined> {
  const [method = "", path = ""] = operation.split(" ");
  const response = await fetch(addressOf(path, options), requestOf(method, options, "text/event-stream"));
  if (!response.ok || response.body === null) throw toError(response.status, await response.text());
  yield { event: "open", data: null };
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const read = createEventReader();
  for (;;) {
    // A reader that is cancelled ends the waiting for what would never come.
    const timer = options.silenceMs === undefined ? undefined : setTimeout(() => void reader.cancel(), options.silenceMs);
    const { done, value } = await reader.read();
    clearTimeout(timer);
    if (done) return;
    for (const { data, ...event } of read(value)) yield { ...event, data: JSON.parse(data) } as ApiEvents[Operation];
  }
}
