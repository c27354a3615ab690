import type { JobRow } from "../../engine/jobs.ts";
import { createSorted, type Sorted } from "./sorted.ts";

/** Jobs with what finds them: looking for due ones costs the same however many there are. */
export interface JobIndex {
  get(key: string): JobRow | undefined;
  rows(): Iterable<JobRow>;
  put(key: string, row: JobRow | undefined): void;
  withKey(owner: string, kind: string, caller: string, key: string): JobRow | undefined;
  running(owner: string): Iterable<JobRow>;
  /** The waiting ones of an owner, by `dueAt` and then by id. */
  waiting(owner: string): Sorted<JobRow>;
  waitingOf(owner: string, caller: string): Sorted<JobRow>;
  /** Those with a waiting job, in the order of their names. */
  callers(owner: string): Sorted<string>;
}

export function createJobIndex(): JobIndex {
  const rows = new Map<string, JobRow>();
  const keys = new Map<string, JobRow>();
  const owners = new Map<string, OwnJobs>();

  function ownOf(owner: string): OwnJobs {
    let own = owners.get(owner);
    if (own === undefined)
      owners.set(owner, (own = { running: new Map(), due: byDue(), callers: createSorted(byText), byCaller: new Map() }));
    return own;
  }

  function remove(row: JobRow): void {
    const { owner, id, caller, state } = row;
    const own = ownOf(owner);
    if (row.key !== undefined) keys.delete(nameOf(owner, row.kind, caller, row.key));
    if (state === "running") own.running.delete(id);
    if (state !== "waiting") return;
    own.due.delete(row);
    const waiting = own.byCaller.get(caller)!;
    waiting.delete(row);
    if (waiting.size() > 0) return;
    own.byCaller.delete(caller);
    own.callers.delete(caller);
  }

  function add(row: JobRow): void {
    const { owner, id, caller, state } = row;
    const own = ownOf(owner);
    if (row.key !== undefined) keys.set(nameOf(owner, row.kind, caller, row.key), row);
    if (state === "running") own.running.set(id, row);
    if (state !== "waiting") return;
    own.due.add(row);
    let waiting = own.byCaller.get(caller);
    if (waiting === undefined) {
      own.byCaller.set(caller, (waiting = byDue()));
      own.callers.add(caller);
    }
    waiting.add(row);
  }

  return {
    get: (key) => rows.get(key),
    rows: () => rows.values(),
    put(key, row) {
      const before = rows.get(key);
      if (before !== undefined) remove(before);
      if (row === undefined) rows.delete(key);
      else {
        rows.set(key, row);
        add(row);
      }
    },
    withKey: (owner, kind, caller, key) => keys.get(nameOf(owner, kind, caller, key)),
    running: (owner) => ownOf(owner).running.values(),
    waiting: (owner) => ownOf(owner).due,
    waitingOf: (owner, caller) => ownOf(owner).byCaller.get(caller) ?? none,
    callers: (owner) => ownOf(owner).callers,
  };
}

interface OwnJobs {
  readonly running: Map<string, JobRow>;
  readonly due: Sorted<JobRow>;
  readonly callers: Sorted<string>;
  readonly byCaller: Map<string, Sorted<JobRow>>;
}

export function compareDue(a: JobRow, b: JobRow): number {
  return a.dueAt - b.dueAt || byText(a.id, b.id);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function byDue(): Sorted<JobRow> {
  return createSorted(compareDue);
}

function nameOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

const none: Sorted<JobRow> = createSorted(compareDue);
