import { toEventText } from "@toolrack/core/internal/sse";
import type { StreamEvent } from "../route.ts";

export interface EventStreamOptions {
  /** Called when the stream has ended for any reason, so that the producer stops. */
  readonly onEnd: () => void;
  /** The last event of a stream whose producer failed. */
  readonly onError: (error: unknown) => StreamEvent;
  /** The last event of a stream that was ended for a reason that the reader should know. */
  readonly lastEvent?: () => StreamEvent | undefined;
  /** The interval of keep-alive comments, in milliseconds. @default 15_000 */
  readonly keepAliveMs?: number;
}

/**
 * Server-sent events, written when the reader is ready: a slow reader slows down the producer, and nothing is buffered here.
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
        // Sent at once, so that the client knows that it is connected.
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
        // The producer may be waiting; `onEnd` has ended that.
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
