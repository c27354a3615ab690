import type { Change, Engine } from "../engine/engine.ts";

/**
 * Reads changes for any number of feeds: those that keep up share one query for each time that the engine wakes. A feed that is behind reads
 * for itself until it has caught up.
 */
export interface SharedChanges {
  /** To be called by each feed before it reads. Returns the function that ends it. */
  enter(): () => void;
  /** As `changesAfter` of an engine: includes everything that was committed before the engine woke last. */
  after(sequence: number, limit: number): Promise<readonly Change[]>;
}

export function createSharedChanges(engine: Engine): SharedChanges {
  let readers = 0;
  let stop: (() => void) | undefined;
  /** Every change after `begin` up to `newest`. */
  let recent: Change[] = [];
  let begin = 0;
  let newest = 0;
  /** How often the engine woke, and how often it had when everything up to `newest` had been read. */
  let wakes = 1;
  let readAt = 0;
  let reading: Promise<boolean> | undefined;

  /** False where retention left a gap, which each feed finds by itself. */
  async function readOn(): Promise<boolean> {
    const [woken, from] = [wakes, newest];
    const page = await engine.changesAfter(from, pageSize);
    if (newest !== from) return true; // another feed began further on
    if (page.some(({ sequence }, index) => sequence !== from + index + 1)) return false;
    recent.push(...page);
    newest = from + page.length;
    if (page.length < pageSize) readAt = woken;
    const surplus = recent.length - keptChanges;
    if (surplus > 0) {
      recent = recent.slice(surplus);
      begin += surplus;
    }
    return true;
  }

  return {
    enter() {
      if (++readers === 1)
        stop = engine.onWake(() => {
          wakes += 1;
        });
      return () => {
        if (--readers > 0) return;
        stop?.();
        // Nothing tells of changes from now on.
        [recent, begin, newest, readAt] = [[], 0, 0, 0];
        wakes += 1;
      };
    },
    async after(sequence, limit) {
      if (sequence > newest) [recent, begin, newest, readAt] = [[], sequence, sequence, 0];
      while (sequence >= begin && sequence <= newest) {
        if (sequence < newest || readAt === wakes) return recent.slice(sequence - begin, sequence - begin + limit);
        if (!(await (reading ??= readOn().finally(() => (reading = undefined))))) break;
      }
      return engine.changesAfter(sequence, limit);
    },
  };
}

const pageSize = 100;
/** Few: a record may be large. */
const keptChanges = 200;
