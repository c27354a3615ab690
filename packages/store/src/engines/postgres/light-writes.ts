import type { Change, Head, Reads, Saving, Writes } from "../../engine/engine.ts";
import { isRefused } from "./errors.ts";

export type Work = (tx: Writes) => Promise<unknown>;

/** `undefined`: nothing was written, and the work needs a transaction. */
export type LightOutcome = { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly error: unknown } | undefined;

export interface LightWriteOptions {
  readonly reads: Reads;
  /** Everything that a transaction can do. */
  readonly names: readonly string[];
  /** Writes all in one statement, or nothing where one of the records is no longer what it was when it was read. */
  readonly saveUnchanged: Writes["save"];
}

/**
 * Runs work of several callers side by side without keeping other writers out: the heads that it asks for are read together, and what it
 * saves is written by one statement, if nobody wrote these records in between. Work that asks for anything else, or for a record that another
 * one asked for, is left for a transaction.
 */
export function createLightWrites(options: LightWriteOptions): (works: readonly Work[]) => Promise<readonly LightOutcome[]> {
  const { reads, names, saveUnchanged } = options;
  return async (works) => {
    const readHeads = readTogether(reads);
    const claimed = new Map<string, Attempt>();
    const attempts = works.map((work) => attempt(work, { reads, names, readHeads, claimed }));
    const outcomes = await Promise.all(attempts.map(({ outcome }) => outcome));
    const changes = attempts.flatMap(({ changes: own }, index) => (outcomes[index]?.ok === true ? own : []));
    if (changes.length === 0) return outcomes;
    const isWriting = (index: number): boolean => outcomes[index]?.ok === true && attempts[index]!.changes.length > 0;
    try {
      const saved = await saveUnchanged(changes.map(({ saving }) => saving));
      for (const [index, { change }] of changes.entries()) change.sequence = saved[index]!.sequence;
      return outcomes;
    } catch (error) {
      const instead: LightOutcome = isRefused(error) ? undefined : { ok: false, error };
      return outcomes.map((outcome, index) => (isWriting(index) ? instead : outcome));
    }
  };
}

interface Attempt {
  outcome: Promise<LightOutcome>;
  readonly changes: { readonly saving: Saving; readonly change: { -readonly [Key in keyof Change]: Change[Key] } }[];
}

type ReadHeads = (owner: string, ids: readonly string[]) => Promise<ReadonlyMap<string, Head>>;

interface Shared {
  readonly reads: Reads;
  readonly names: readonly string[];
  readonly readHeads: ReadHeads;
  /** Which work asked for a record. */
  readonly claimed: Map<string, Attempt>;
}

function attempt(work: Work, { reads, names, readHeads, claimed }: Shared): Attempt {
  let needsMore = false;
  const own: Attempt = { outcome: Promise.resolve(undefined), changes: [] };
  const saved = new Set<string>();

  function leave(): never {
    needsMore = true;
    throw new Error("This work needs a transaction.");
  }
  function claim(owner: string, id: string): void {
    const key = keyOf(owner, id);
    if ((claimed.get(key) ?? own) !== own || saved.has(key)) leave();
    claimed.set(key, own);
  }
  async function heads(owner: string, ids: readonly string[]): Promise<readonly Head[]> {
    for (const id of ids) claim(owner, id);
    const found = await readHeads(owner, ids);
    return ids.flatMap((id) => found.get(id) ?? []);
  }
  async function save(savings: readonly Saving[]): Promise<readonly Change[]> {
    for (const { record } of savings) {
      const key = keyOf(record.owner, record.id);
      if (claimed.get(key) !== own || saved.has(key)) leave();
      saved.add(key);
    }
    const added = savings.map((saving) => ({ saving, change: { sequence: 0, type: saving.type, record: saving.record } }));
    own.changes.push(...added);
    return added.map(({ change }) => change);
  }

  const tx = Object.fromEntries(names.map((name) => [name, async () => leave()])) as unknown as Writes;
  const light: Writes = {
    ...tx,
    heads,
    head: async (owner, id) => (await heads(owner, [id]))[0],
    // What was written once is never written again.
    revision: (owner, id, version) => reads.revision(owner, id, version),
    save,
  };
  own.outcome = work(light).then(
    (result) => (needsMore ? undefined : { ok: true, result }),
    (error: unknown) => (needsMore ? undefined : { ok: false, error }),
  );
  return own;
}

/** Reads what is asked for in one turn of the event loop by one query for each owner. */
function readTogether(reads: Reads): ReadHeads {
  let waiting: Map<string, Asked> | undefined;

  function ask(all: ReadonlyMap<string, Asked>): void {
    for (const [owner, { ids, resolve, reject }] of all)
      reads.heads(owner, [...ids]).then((found) => resolve(new Map(found.map((head) => [head.record.id, head]))), reject);
  }

  return (owner, ids) => {
    if (waiting === undefined) {
      const all = (waiting = new Map<string, Asked>());
      setImmediate(() => {
        waiting = undefined;
        ask(all);
      });
    }
    let asked = waiting.get(owner);
    if (asked === undefined) waiting.set(owner, (asked = emptyAsked()));
    for (const id of ids) asked.ids.add(id);
    return asked.found;
  };
}

interface Asked {
  readonly ids: Set<string>;
  readonly found: Promise<ReadonlyMap<string, Head>>;
  readonly resolve: (found: ReadonlyMap<string, Head>) => void;
  readonly reject: (error: unknown) => void;
}

function emptyAsked(): Asked {
  let resolve!: Asked["resolve"];
  let reject!: Asked["reject"];
  const found = new Promise<ReadonlyMap<string, Head>>((take, refuse) => ([resolve, reject] = [take, refuse]));
  return { ids: new Set(), found, resolve, reject };
}

function keyOf(owner: string, id: string): string {
  return `${owner}\u0000${id}`;
}
