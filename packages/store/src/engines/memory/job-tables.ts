import type { JobRow } from "../../engine/jobs.ts";
import { compareDue, createJobIndex, type JobIndex } from "./job-index.ts";

/** The jobs, or a draft of changes on top of them that `commit` applies. Keys are those of owner and id. */
export interface JobTables {
  get(key: string): JobRow | undefined;
  all(): Iterable<JobRow>;
  put(key: string, row: JobRow | undefined): void;
  withKey(owner: string, kind: string, caller: string, key: string): JobRow | undefined;
  running(owner: string): Iterable<JobRow>;
  /** By `dueAt` and then by id; with a caller, its own. */
  waiting(owner: string, caller?: string): Iterable<JobRow>;
  countWaiting(owner: string, caller: string, most: number): number;
  /** Callers above `after` with a waiting job, in the order of their names. */
  callers(owner: string, after: string): Iterable<string>;
  commit(): void;
}

export function createJobTables(base?: JobTables): JobTables {
  const own: JobIndex = createJobIndex();
  /** What a draft changed: rows of its base that count no more. */
  const changed = new Map<string, JobRow | undefined>();
  const isOld = (row: JobRow): boolean => changed.size > 0 && changed.has(`${row.owner} ${row.id}`);

  function* unchanged(rows: Iterable<JobRow>): Iterable<JobRow> {
    for (const row of rows) if (!isOld(row)) yield row;
  }
  const waitingHere = (owner: string, caller: string | undefined) =>
    (caller === undefined ? own.waiting(owner) : own.waitingOf(owner, caller)).values();
  const count = (owner: string, caller: string): number => own.waitingOf(owner, caller).size();

  return {
    get: (key) => (changed.has(key) ? changed.get(key) : (own.get(key) ?? base?.get(key))),
    *all() {
      if (base !== undefined) yield* unchanged(base.all());
      yield* own.rows();
    },
    put(key, row) {
      if (base !== undefined) changed.set(key, row);
      own.put(key, row);
    },
    withKey(owner, kind, caller, key) {
      const here = own.withKey(owner, kind, caller, key);
      const below = here === undefined ? base?.withKey(owner, kind, caller, key) : undefined;
      return here ?? (below === undefined || isOld(below) ? undefined : below);
    },
    *running(owner) {
      if (base !== undefined) yield* unchanged(base.running(owner));
      yield* own.running(owner);
    },
    waiting(owner, caller) {
      const here = waitingHere(owner, caller);
      return base === undefined ? here : merged(unchanged(base.waiting(owner, caller)), here, compareDue);
    },
    countWaiting(owner, caller, most) {
      let found = count(owner, caller);
      if (base === undefined) return Math.min(most, found);
      if (changed.size === 0) return base.countWaiting(owner, caller, most);
      for (const _ of unchanged(base.waiting(owner, caller))) if (++found >= most) break;
      return Math.min(most, found);
    },
    *callers(owner, after) {
      const here = own.callers(owner).values(after);
      if (base === undefined) {
        for (const caller of here) if (caller !== after) yield caller;
        return;
      }
      const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
      let last = after;
      for (const caller of merged(base.callers(owner, after), here, text)) {
        if (caller === last) continue;
        last = caller;
        if (count(owner, caller) > 0 || !isEmpty(unchanged(base.waiting(owner, caller)))) yield caller;
      }
    },
    commit() {
      for (const [key, row] of changed) base?.put(key, row);
    },
  };
}

function* merged<Value>(a: Iterable<Value>, b: Iterable<Value>, compare: (a: Value, b: Value) => number): Iterable<Value> {
  const [left, right] = [a[Symbol.iterator](), b[Symbol.iterator]()];
  let [one, two] = [left.next(), right.next()];
  while (one.done !== true || two.done !== true) {
    if (two.done === true || (one.done !== true && compare(one.value, two.value) <= 0)) {
      yield one.value as Value;
      one = left.next();
    } else {
      yield two.value;
      two = right.next();
    }
  }
}

function isEmpty(values: Iterable<unknown>): boolean {
  for (const _ of values) return false;
  return true;
}
