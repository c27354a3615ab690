import type { ToolSource } from "@toolrack/core";
import type { Clock } from "@toolrack/core/node";

/** How sources are read for the first time: a few at once, while others wait for them for a moment. */
export interface FirstReads {
  /** The same source; its first list waits for its turn. */
  inTurn(source: ToolSource): ToolSource;
  /** Counts this among what is waited for. */
  follow(read: Promise<unknown>): void;
  /** Resolves when everything that is followed has ended, each within its time. Undefined if there is nothing to wait for. */
  gathered(): Promise<void> | undefined;
}

/** Each connection starts a program, or keeps one of ours waiting. */
const atOnce = 8;
/** Nobody waits longer for a source that has begun to connect. */
const gatherMs = 10_000;

export function createFirstReads({ after }: Pick<Clock, "after">): FirstReads {
  const waiting: (() => void)[] = [];
  const followed = new Set<Promise<void>>();
  let free = atOnce;

  function take(): Promise<void> | undefined {
    if (free === 0) return new Promise((resolve) => waiting.push(resolve));
    free -= 1;
    return undefined;
  }

  function give(): void {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }

  return {
    inTurn(source) {
      let isFirst = true;
      return {
        ...source,
        async list(options) {
          if (!isFirst) return source.list(options);
          isFirst = false;
          await take();
          try {
            options.signal.throwIfAborted();
            return await source.list(options);
          } finally {
            give();
          }
        },
      };
    },
    follow(read) {
      const within = new Promise<void>((resolve) => {
        const cancel = after(gatherMs, resolve);
        cancel.release?.();
        void read
          .catch(() => undefined)
          .then(() => {
            cancel();
            resolve();
          });
      }).then(() => void followed.delete(within));
      followed.add(within);
    },
    gathered: () => (followed.size === 0 ? undefined : untilEnded()),
  };

  /** Reading the settings begins further reads. */
  async function untilEnded(): Promise<void> {
    while (followed.size > 0) await Promise.all(followed);
  }
}
