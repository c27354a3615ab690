import { heavyTurn } from "@toolrack/core/node";
import type { Limits } from "./limits.ts";
import { createConcurrencyLimit } from "./concurrency.ts";

/** Long requests that cannot be interrupted: they run one after another, each in its own turn of the event loop. */
export interface HeavyWork {
  /**
   * Runs `work`, which awaits `turn` before each of its pieces. Rejects with TOO_MANY_REQUESTS if too many requests of the caller, or of all
   * callers, wait already.
   */
  hold<Result>(caller: string, work: (turn: () => Promise<void>) => Promise<Result>): Promise<Result>;
  /** The same for work that is one piece. */
  run<Result>(caller: string, work: () => Result | Promise<Result>): Promise<Result>;
  /** The turn alone, for work that is too small to be limited in number. Callers take turns. */
  turn(caller: string): Promise<void>;
}

export function createHeavyWork({ heavyPerCaller, heavy }: Pick<Limits, "heavyPerCaller" | "heavy">): HeavyWork {
  const limit = createConcurrencyLimit({
    perCaller: heavyPerCaller,
    total: heavy,
    code: "TOO_MANY_REQUESTS",
    what: "requests of this kind under way",
  });
  const work: HeavyWork = {
    async hold(caller, within) {
      const leave = limit.enter(caller);
      try {
        return await within(() => heavyTurn(caller));
      } finally {
        leave();
      }
    },
    turn: heavyTurn,
    run(caller, piece) {
      return work.hold(caller, async (turn) => {
        await turn();
        return piece();
      });
    },
  };
  return work;
}
