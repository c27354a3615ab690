import { toEventText } from "@toolrack/core/internal/sse";
import type { StreamEvent } from "../route.ts";

export interface EventStreamOptions {
  /** Told that it is over, whoever ended it, so that whoever makes the events stops. */
  readonly onEnd: () => void;
  /** The last event of a stream whose maker failed. */
  readonly onError: (error: unknown) => StreamEvent;
  /** The last event of a stream that was ended for a reason its reader should know. */
  readonly lastEvent?: () => StreamEvent | undefined;
  /** A comment is sent after so long, so that nobody on the way thinks the connection dead. @default 15_000 */
  readonly keepAliveMs?: number;
}

/**
 * Server-sent events, written when the reader is ready for them: a slow reader slows the maker of events down, and nothing piles up here.
 */
export function toEventStream(events: AsyncIterable<StreamEvent>, options: EventStreamOptions): ReadableStream<Uint8Array> {
  const iterator = events[Symbol.asyncIterator]();
  const { onEnd, onError, keepAliveMs = 15_000 } = options;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  function end(): void {
    isOver = true;
    clearInterval(timer);
    onEnd();
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // Sent at once, so that the client knows it is connected.
        controller.enqueue(encoder.encode(": connected\n\n"));
        timer = setInterval(() => {
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(": still here\n\n"));
        }, keepAliveMs).unref();
      },
      async pull(controller) {
        let last: StreamEvent | undefined;
        try {
          const next = await iterator.next();
          if (isOver) return;
          last = options.lastEvent?.();
          if (last === undefined && !next.done) return controller.enqueue(encoder.encode(toText(next.value)));
        } catch (error) {
          if (isOver) return;
          last = onError(error);
        }
        if (last !== undefined) controller.enqueue(encoder.encode(toText(last)));
        end();
        controller.close();
      },
      cancel() {
        end();
        // The maker may be waiting for something; `onEnd` has ended that.
        iterator.return?.().catch(() => {});
      },
    },
    { highWaterMark: 1 },
  );
}

const encoder = new TextEncoder();

function toText({ id, event, data }: StreamEvent): string {
  return toEventText({ id, event, data: JSON.stringify(data) ?? "null" });
}
