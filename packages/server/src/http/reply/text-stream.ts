export interface TextStream {
  readonly body: ReadableStream<Uint8Array>;
  /** Breaks it off, so that the reader does not take what came so far for the whole. */
  fail(reason: Error): void;
}

export interface TextStreamOptions {
  /** Called once, when the stream has ended for any reason. */
  readonly onEnd: () => void;
  readonly onError: (error: unknown) => void;
}

/** Pieces of text, produced when the reader is ready: a slow reader slows down the producer, and nothing is buffered here. */
export function toTextStream(pieces: AsyncIterable<string>, { onEnd, onError }: TextStreamOptions): TextStream {
  const iterator = pieces[Symbol.asyncIterator]();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isOver = false;

  function end(): boolean {
    if (isOver) return false;
    isOver = true;
    onEnd();
    return true;
  }

  function fail(reason: unknown): void {
    if (!end()) return;
    controller?.error(reason);
    // The producer may be in the middle of a piece.
    iterator.return?.().catch(() => {});
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start(made) {
        controller = made;
      },
      async pull(made) {
        try {
          const next = await iterator.next();
          if (isOver) return;
          if (!next.done) return made.enqueue(encoder.encode(next.value));
          end();
          made.close();
        } catch (error) {
          if (!isOver) onError(error);
          fail(error);
        }
      },
      cancel() {
        end();
        iterator.return?.().catch(() => {});
      },
    },
    { highWaterMark: 1 },
  );
  return { body, fail };
}

const encoder = new TextEncoder();
