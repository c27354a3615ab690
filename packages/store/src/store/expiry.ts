import type { Clock } from "@toolrack/core/node";
import type { Engine } from "../engine/engine.ts";
import { createUnit } from "./unit.ts";

export interface Expiry {
  /** Call it after a record with an expiry was written. */
  reschedule(): void;
  close(): Promise<void>;
}

/** Expires records in time, each with its event; of several processes, one does it. */
export function createExpiry(engine: Engine, clock: Clock): Expiry {
  let cancel: (() => void) | undefined;
  let running: Promise<void> | undefined;
  let isClosed = false;
  let again = false;

  function reschedule(): void {
    if (isClosed) return;
    if (running !== undefined) {
      again = true;
      return;
    }
    running = sweep()
      // An outage of the database: try again after a pause.
      .catch(() => clock.now() + retryMs)
      .then((next) => {
        running = undefined;
        cancel?.();
        cancel = undefined;
        if (isClosed) return;
        if (again) {
          again = false;
          reschedule();
        } else if (next !== undefined) cancel = clock.after(Math.min(Math.max(1, next - clock.now()), longestMs), reschedule);
      });
  }

  async function sweep(): Promise<number | undefined> {
    for (;;) {
      const next = await engine.nextEnd();
      if (next === undefined || next > clock.now()) return next;
      await engine.write(async (tx) => {
        const unit = createUnit(tx, clock.now());
        for (const { owner, id } of await tx.ended(unit.now, 100)) {
          const head = await tx.head(owner, id);
          if (head !== undefined) await unit.end(undefined, head, "expired");
        }
        await unit.finish();
      });
    }
  }

  return {
    reschedule,
    async close() {
      isClosed = true;
      cancel?.();
      await running;
    },
  };
}

const retryMs = 5_000;
/** Timers cannot wait longer than 2^31 milliseconds. Looking once an hour is cheap, and finds records of other processes. */
const longestMs = 3_600_000;
