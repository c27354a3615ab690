import { createEventReader } from "@toolrack/core/internal/sse";
import { addressOf, type AskOptions, requestOf, toError } from "./client.ts";

export interface ServerEvent {
  readonly id?: string | undefined;
  readonly event: string;
  readonly data: unknown;
}

/** The server-sent events of one operation, after an "open" of our own; it ends after a silence. `EventSource` could not send the key. */
export async function* follow(
  method: "GET" | "POST",
  path: string,
  options: AskOptions & { readonly silenceMs?: number } = {},
): AsyncGenerator<ServerEvent, void, undefined> {
  const response = await fetch(addressOf(path, options.query), requestOf(method, options, "text/event-stream"));
  if (!response.ok || response.body === null) throw await toError(response.status, await response.text());
  yield { event: "open", data: null };
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const read = createEventReader();
  for (;;) {
    // A reader that is cancelled ends the waiting for what would never come.
    const timer = options.silenceMs === undefined ? undefined : setTimeout(() => void reader.cancel(), options.silenceMs);
    const { done, value } = await reader.read();
    clearTimeout(timer);
    if (done) return;
    for (const { data, ...event } of read(value)) yield { ...event, data: JSON.parse(data) as unknown };
  }
}
