/** One server-sent event. JSON holds no line breaks, so one data line is enough. */
export function toEvent(data: string, id?: string): string {
  return id === undefined ? `event: message\ndata: ${data}\n\n` : `id: ${id}\nevent: message\ndata: ${data}\n\n`;
}

/** The first event of a stream that can be taken up again: it carries an id and nothing else. */
export function toPrimingEvent(id: string, retryMs: number): string {
  return `id: ${id}\nretry: ${retryMs}\ndata: \n\n`;
}

/** Read over by clients; tells proxies that the connection lives. */
export const keepAlive = ": keep-alive\n\n";

export const eventStreamHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};
