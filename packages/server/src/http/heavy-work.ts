import { heavyTurn } from "@toolrack/core";
import type { Limits } from "./limits.ts";
import { createSeats } from "./seats.ts";

/** Requests whose work cannot be interrupted and may take long: one after another, each in a turn of the event loop of its own. */
export interface HeavyWork {
  /** Throws TOO_MANY_REQUESTS where too much of the caller's, or of everybody's, waits already. */
  run<Result>(caller: string, work: () => Result | Promise<Result>): Promise<Result>;
}

export function createHeavyWork({ heavyPerCaller, heavy }: Pick<Limits, "heavyPerCaller" | "heavy">): HeavyWork {
  const seats = createSeats({
    perCaller: heavyPerCaller,
    total: heavy,
    code: "TOO_MANY_REQUESTS",
    what: "requests of this kind under way",
  });
  return {
    async run(caller, work) {
      const leave = seats.enter(caller);
      try {
        await heavyTurn();
        return await work();
      } finally {
        leave();
      }
    },
  };
}
