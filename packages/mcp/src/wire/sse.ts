import { oneLine, toEventText } from "@toolrack/core/internal/sse";

/** A message as one event of a stream. */
export function toEvent(data: string, id?: string): string {
  return toEventText({ id, event: "message", data });
}

/** The first event of a resumable stream: an id without data. */
export function toPrimingEvent(id: string, retryMs: number): string {
  return `id: ${oneLine("id", id)}\nretry: ${retryMs}\ndata: \n\n`;
}

/** Ignored by clients; shows proxies that the connection is alive. */
export const keepAlive = ": keep-alive\n\n";

export const eventStreamHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};
