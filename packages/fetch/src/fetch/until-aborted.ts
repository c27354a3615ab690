import type { Dispatcher } from "undici";

type Answer = Pick<Dispatcher.ResponseData, "body">;

/**
 * An answer, or a rejection with the signal's reason as soon as it is aborted: the client looks at a signal only once it is connected. What comes after that
 * is discarded.
 */
export function untilAborted<Given extends Answer>(asked: Promise<Given>, signal: AbortSignal): Promise<Given> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
    const leave = (): void => signal.removeEventListener("abort", giveUp);
    asked.then(
      (answer) => {
        leave();
        if (signal.aborted) discard(answer);
        resolve(answer);
      },
      (error: unknown) => {
        leave();
        reject(error as Error);
      },
    );
  });
}

/** Ends an answer whose body nobody reads. */
export function discard({ body }: Answer): void {
  body.on("error", () => undefined).destroy();
}
