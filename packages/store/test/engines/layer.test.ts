import { describe, expect, it } from "vitest";
import type { JobRow } from "../../src/engine/jobs.ts";
import { createJobTables } from "../../src/engines/memory/job-tables.ts";
import { createLayer } from "../../src/engines/memory/layer.ts";
import { createMemoryEngine } from "../../src/engines/memory/memory.ts";
import { createSessionTables } from "../../src/engines/memory/session-tables.ts";
import { createSorted } from "../../src/engines/memory/sorted.ts";
import type { SessionInboxRow, SessionMessageRow, SessionRow } from "../../src/engine/sessions.ts";

describe("the engine in memory", () => {
  it("says what it is, and is empty after it was closed", async () => {
    const engine = createMemoryEngine();
    expect([engine.kind, engine.hasChains, engine.pagesAtOnce]).toEqual(["memory", false, 1]);
    expect(engine.stats()).toMatchObject({ kind: "memory", wakeUps: "memory", queries: { count: 0, failed: 0 } });
    await engine.writeAudit((tx) => tx.noteSighting("o", { name: "s", seenAt: 1, info: "" }));
    expect(await engine.sightings("o")).toHaveLength(1);
    await engine.close();
    expect(await engine.sightings("o")).toEqual([]);
  });
});

describe("a draft of rows in memory", () => {
  function start() {
    const base = createLayer<string, number>();
    for (const [index, key] of ["a", "b", "c"].entries()) base.put(key, index + 1);
    const draft = createLayer(base);
    return { base, draft };
  }

  it("shows its changes in the places of the rows, new ones last, and leaves its base alone", () => {
    const { base, draft } = start();
    draft.put("d", 4);
    draft.put("a", 10);
    draft.put("b", undefined);
    draft.put("e", undefined);
    expect([...draft.entries()]).toEqual([
      ["a", 10],
      ["c", 3],
      ["d", 4],
    ]);
    expect([...draft.values()]).toEqual([10, 3, 4]);
    expect(["a", "b", "c", "d", "e"].map((key) => draft.get(key))).toEqual([10, undefined, 3, 4, undefined]);
    expect([...base.entries()]).toEqual([
      ["a", 1],
      ["b", 2],
      ["c", 3],
    ]);
    expect(draft.own).toEqual(
      new Map([
        ["d", 4],
        ["a", 10],
        ["b", undefined],
        ["e", undefined],
      ]),
    );
  });

  it("is committed to its base, which keeps nothing of what is gone", () => {
    const { base, draft } = start();
    draft.put("a", 10);
    draft.put("b", undefined);
    draft.put("d", 4);
    draft.commit();
    expect(base.own).toEqual(
      new Map([
        ["a", 10],
        ["c", 3],
        ["d", 4],
      ]),
    );
  });

  it("may bring back what it removed", () => {
    const { draft } = start();
    draft.put("b", undefined);
    draft.put("b", 20);
    expect([...draft.values()]).toEqual([1, 20, 3]);
  });
});

describe("values in an order", () => {
  it("are each there once, wherever they were put, and are read from any of them on", () => {
    const compare = (a: { at: number }, b: { at: number }): number => a.at - b.at;
    const sorted = createSorted(compare);
    const read = (from?: number): number[] => Array.from(sorted.values(from === undefined ? undefined : { at: from }), ({ at }) => at);
    expect([sorted.size(), read(), read(3)]).toEqual([0, [], []]);
    for (const at of [5, 1, 9, 3, 7, 5, 1, 9]) sorted.add({ at });
    expect([sorted.size(), read()]).toEqual([5, [1, 3, 5, 7, 9]]);
    expect([read(0), read(1), read(4), read(5), read(9), read(10)]).toEqual([
      [1, 3, 5, 7, 9],
      [1, 3, 5, 7, 9],
      [5, 7, 9],
      [5, 7, 9],
      [9],
      [],
    ]);
    for (const at of [0, 4, 10]) sorted.delete({ at });
    expect(sorted.size()).toBe(5);
    sorted.delete({ at: 5 });
    sorted.delete({ at: 1 });
    sorted.delete({ at: 9 });
    expect([sorted.size(), read()]).toEqual([2, [3, 7]]);
    const other = { at: 7, name: "newer" };
    sorted.add(other);
    expect([...sorted.values()].at(-1)).toBe(other);
  });

  it("are found in few steps, however many there are", () => {
    let compared = 0;
    const sorted = createSorted<number>((a, b) => (compared++, a - b));
    for (let value = 0; value < 1_024; value++) sorted.add(value);
    const stepsOf = (work: () => void): number => {
      compared = 0;
      work();
      return compared;
    };
    expect(stepsOf(() => sorted.add(1_024))).toBeLessThanOrEqual(2); // the usual case
    expect(stepsOf(() => sorted.delete(0))).toBeLessThanOrEqual(2);
    expect(stepsOf(() => sorted.add(700.5))).toBeLessThanOrEqual(14);
  });
});

describe("a draft of jobs in memory", () => {
  const job = (id: string, more: Partial<JobRow> = {}): JobRow =>
    ({ owner: "o", id, kind: "k", caller: "c", key: undefined, state: "waiting", dueAt: 10, holder: "", ...more }) as JobRow;
  const put = (tables: ReturnType<typeof createJobTables>, ...rows: JobRow[]): void => {
    for (const row of rows) tables.put(`${row.owner} ${row.id}`, row);
  };
  const ids = (rows: Iterable<JobRow>): string[] => Array.from(rows, ({ id }) => id);

  it("shows jobs of its base and its own, each as it is now", () => {
    const base = createJobTables();
    put(
      base,
      job("1", { key: "one" }),
      job("2", { dueAt: 5, caller: "d" }),
      job("3", { state: "running", holder: "s" }),
      job("4", { caller: "e" }),
    );
    const draft = createJobTables(base);
    expect(draft.countWaiting("o", "c", 9)).toBe(1);
    put(draft, job("1", { state: "running", key: "one" }), job("5", { dueAt: 7 }), job("6", { caller: "b", dueAt: 10 }));
    draft.put("o 4", undefined);
    expect(draft.get("o 1")?.state).toBe("running");
    expect([draft.get("o 4"), draft.get("o 2")?.id, draft.get("o 9")]).toEqual([undefined, "2", undefined]);
    expect(ids(draft.all())).toEqual(["2", "3", "1", "5", "6"]);
    expect(ids(draft.running("o"))).toEqual(["3", "1"]);
    expect(ids(draft.waiting("o"))).toEqual(["2", "5", "6"]);
    expect(ids(draft.waiting("o", "c"))).toEqual(["5"]);
    expect(draft.countWaiting("o", "c", 9)).toBe(1);
    expect(draft.countWaiting("o", "e", 9)).toBe(0);
    expect([...draft.callers("o", "")]).toEqual(["b", "c", "d"]);
    expect([...draft.callers("o", "b")]).toEqual(["c", "d"]);
    expect([...draft.callers("o", "c")]).toEqual(["d"]);
    expect(draft.withKey("o", "k", "c", "one")?.state).toBe("running");
    put(draft, job("1"));
    expect(draft.withKey("o", "k", "c", "one")).toBeUndefined();
    expect([...base.callers("o", "")]).toEqual(["c", "d", "e"]);
    draft.commit();
    expect(ids(base.all())).toEqual(["1", "2", "3", "5", "6"]);
    expect(base.get("o 4")).toBeUndefined();
    expect([...base.callers("o", "")]).toEqual(["b", "c", "d"]);
    expect(base.withKey("o", "k", "c", "one")).toBeUndefined();
    expect(ids(base.waiting("o"))).toEqual(["2", "5", "1", "6"]);
  });

  it("counts waiting ones up to a number, of both", () => {
    const base = createJobTables();
    put(base, job("1"), job("2"), job("3"));
    const draft = createJobTables(base);
    put(draft, job("4"), job("1", { state: "done" }));
    expect([1, 2, 3, 4].map((most) => draft.countWaiting("o", "c", most))).toEqual([1, 2, 3, 3]);
    expect([2, 3, 4].map((most) => base.countWaiting("o", "c", most))).toEqual([2, 3, 3]);
  });
});

describe("a draft of sessions in memory", () => {
  const session = (id: string, last = 0): SessionRow => ({ owner: "o", id, last }) as SessionRow;
  const message = (seq: number): SessionMessageRow => ({ owner: "o", session: "s", seq, at: 1, body: `${seq}` });
  const waiting = (place: number): SessionInboxRow => ({ owner: "o", session: "s", place }) as SessionInboxRow;

  it("adds messages behind those of its base, and has none of a session that it removed", () => {
    const base = createSessionTables();
    base.put("o s", session("s", 2));
    for (const seq of [1, 2]) base.addMessage("o s", message(seq));
    base.putInbox("o s", [waiting(1)]);
    const draft = createSessionTables(base);
    draft.addMessage("o s", message(3));
    draft.addMessage("o s", message(4));
    expect([1, 2, 3, 4, 5].map((seq) => draft.message("o s", seq)?.body)).toEqual(["1", "2", "3", "4", undefined]);
    expect(draft.inbox("o s")).toEqual([waiting(1)]);
    draft.putInbox("o s", [waiting(2)]);
    expect([draft.inbox("o s"), base.inbox("o s"), draft.inbox("o none")]).toEqual([[waiting(2)], [waiting(1)], []]);
    draft.commit();
    expect([base.message("o s", 4)?.body, base.inbox("o s")]).toEqual(["4", [waiting(2)]]);
    const other = createSessionTables(base);
    other.put("o s", undefined);
    expect([other.message("o s", 1), other.inbox("o s")]).toEqual([undefined, []]);
    expect(base.message("o s", 1)?.body).toBe("1");
    other.commit();
    base.put("o s", session("s"));
    expect([base.message("o s", 1), base.inbox("o s")]).toEqual([undefined, []]);
  });

  it("forgets messages and inbox that it added to a session before it removed that", () => {
    const base = createSessionTables();
    const draft = createSessionTables(base);
    draft.put("o s", session("s"));
    draft.addMessage("o s", message(1));
    draft.putInbox("o s", [waiting(1)]);
    draft.put("o s", undefined);
    expect([draft.message("o s", 1), draft.inbox("o s")]).toEqual([undefined, []]);
    draft.commit();
    base.put("o s", session("s"));
    expect([base.message("o s", 1), base.inbox("o s"), base.sessions.own.size]).toEqual([undefined, [], 1]);
  });
});
