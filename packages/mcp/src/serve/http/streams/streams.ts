import type { EventStream } from "./event-stream.ts";

/** The open streams: keeps them alive, ends them together, and limits how many a principal has. */
export interface Streams {
  track(stream: EventStream): EventStream;
  /** Counts a stream that stays open; undefined: the limit is reached. The returned function releases it. */
  take(principal: string): (() => void) | undefined;
  readonly size: number;
  close(): void;
}

export interface StreamLimits {
  /** Streams that stay open, of one principal. @default 64 */
  readonly perPrincipal?: number;
  /** And of all together. @default 4096 */
  readonly total?: number;
}

export function createStreams({ perPrincipal = 64, total = 4096 }: StreamLimits = {}): Streams {
  const open = new Set<EventStream>();
  const places = new Map<string, number>();
  let taken = 0;
  let timer: NodeJS.Timeout | undefined;

  function keepAlive(): void {
    for (const stream of open) {
      if (stream.isDone) open.delete(stream);
      else stream.stayAlive();
    }
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    track(stream) {
      open.add(stream);
      timer ??= setInterval(keepAlive, 15_000).unref();
      return stream;
    },
    take(principal) {
      const own = places.get(principal) ?? 0;
      if (own >= perPrincipal || taken >= total) return undefined;
      places.set(principal, own + 1);
      taken++;
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        taken--;
        const left = places.get(principal)! - 1;
        if (left === 0) places.delete(principal);
        else places.set(principal, left);
      };
    },
    get size() {
      return [...open].filter((stream) => !stream.isDone).length;
    },
    close() {
      clearInterval(timer);
      for (const stream of open) stream.end();
      open.clear();
    },
  };
}
