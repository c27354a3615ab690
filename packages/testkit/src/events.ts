/** One event of a `text/event-stream`. */
export interface StreamEvent {
  readonly id?: string;
  readonly event: string;
  readonly data: unknown;
}

/** The events of a stream as they arrive, their data parsed as JSON. Comments are left out. */
export async function* readEvents(response: Response): AsyncGenerator<StreamEvent> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(piece, { stream: true });
    for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      const field = (name: string): string | undefined => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const data = field("data");
      if (data === undefined) continue;
      const id = field("id");
      yield { ...(id !== undefined && { id }), event: field("event") ?? "message", data: JSON.parse(data) as unknown };
    }
  }
}

/** All events of a stream that ends by itself. */
export async function readAllEvents(response: Response): Promise<readonly StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of readEvents(response)) events.push(event);
  return events;
}
