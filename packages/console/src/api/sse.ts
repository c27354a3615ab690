import { addressOf, type AskOptions, requestOf, toError } from "./client.ts";

export interface ServerEvent {
  readonly id?: string;
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
  let rest = "";
  for (;;) {
    // A reader that is cancelled ends the waiting for what would never come.
    const timer = options.silenceMs === undefined ? undefined : setTimeout(() => void reader.cancel(), options.silenceMs);
    const { done, value } = await reader.read();
    clearTimeout(timer);
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) {
      const event = readBlock(block);
      if (event !== undefined) yield event;
    }
  }
}

/** "id: 3\nevent: call-end\ndata: {…}" → one event; a comment → none. */
export function readBlock(block: string): ServerEvent | undefined {
  let id: string | undefined;
  let event = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("id: ")) id = line.slice(4);
    if (line.startsWith("event: ")) event = line.slice(7);
    if (line.startsWith("data: ")) data.push(line.slice(6));
  }
  return data.length === 0 ? undefined : { ...(id !== undefined && { id }), event, data: JSON.parse(data.join("\n")) };
}
