import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine, Writes } from "../../src/engine/engine.ts";
import type { JobFilter, JobRow } from "../../src/engine/jobs.ts";
import { cheapEngines, undone } from "./_engines.ts";

function job(id: string, more: Partial<JobRow> = {}): JobRow {
  return {
    owner: "o",
    id,
    kind: "k",
    caller: "c",
    subject: "s",
    key: undefined,
    origin: "here",
    tries: 3,
    delays: "[1]",
    payload: "{}",
    createdAt: 1,
    state: "waiting",
    dueAt: 10,
    startedAt: undefined,
    endedAt: undefined,
    attempt: 0,
    failed: 0,
    lostBy: [],
    holder: "",
    beat: 0,
    cancelling: false,
    progress: undefined,
    result: undefined,
    error: undefined,
    ...more,
  };
}

const full: JobRow = job("5", {
  key: "once",
  state: "running",
  startedAt: 11,
  endedAt: undefined,
  attempt: 2,
  failed: 1,
  lostBy: ["s1", "s2"],
  holder: "me",
  beat: 7,
  cancelling: true,
  progress: "1",
  result: "2",
  error: "3",
});

const rows: readonly JobRow[] = [
  job("1", { dueAt: 30 }),
  job("2", { dueAt: 20, kind: "l" }),
  job("3", { dueAt: 20, caller: "d" }),
  job("4", { dueAt: 20 }),
  full,
  job("6", { state: "running", holder: "you", origin: "there" }),
  job("7", { owner: "p", dueAt: 1, caller: "a" }),
  job("8", { caller: "e", dueAt: 99 }),
];

const ids = (found: readonly { readonly id: string }[]): string[] => found.map(({ id }) => id);
const marks = ({ id, holder, beat, cancelling }: JobRow): object => ({ id, holder, beat, cancelling });

describe.each(cheapEngines)("jobs in %s", (_, open) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open();
    expect([...(await engine.writeAudit((tx) => tx.addJobs(rows)))]).toEqual(["1", "2", "3", "4", "5", "6", "7", "8"]);
  });
  afterAll(() => engine.close());
  /** Nothing of it stays. */
  const taken = async (work: (tx: Writes) => Promise<void>): Promise<void> => {
    await undone(engine, work);
    expect(ids(await engine.jobs("o", {}, undefined, 99))).toEqual(["8", "6", "5", "4", "3", "2", "1"]);
  };

  it("are read as they were added", async () => {
    for (const row of rows) expect(await engine.job(row.owner, row.id)).toEqual(row);
    expect(await engine.job("p", "1")).toBeUndefined();
    expect(await engine.jobWithKey("o", "k", "c", "once")).toEqual(full);
    for (const [owner, kind, caller, key] of [
      ["p", "k", "c", "once"],
      ["o", "l", "c", "once"],
      ["o", "k", "d", "once"],
      ["o", "k", "c", "twice"],
    ] as const)
      expect(await engine.jobWithKey(owner, kind, caller, key)).toBeUndefined();
  });

  it.each<[filter: JobFilter, before: string | undefined, limit: number, wanted: string[]]>([
    [{}, undefined, 99, ["8", "6", "5", "4", "3", "2", "1"]],
    [{}, "4", 2, ["3", "2"]],
    [{ state: "running" }, undefined, 99, ["6", "5"]],
    [{ kind: "l" }, undefined, 99, ["2"]],
    [{ caller: "d" }, undefined, 99, ["3"]],
    [{ origin: "there" }, undefined, 99, ["6"]],
    [{ state: "running", origin: "here" }, undefined, 99, ["5"]],
    [{ state: "done" }, undefined, 99, []],
  ])("are listed with %j before %s, at most %d", async (filter, before, limit, wanted) => {
    expect(ids(await engine.jobs("o", filter, before, limit))).toEqual(wanted);
  });

  it("are counted", async () => {
    const counts = (await engine.countJobs("o")).toSorted((a, b) => a.count - b.count);
    expect(counts).toEqual([
      { state: "running", count: 2 },
      { state: "waiting", count: 5 },
    ]);
    const waiting = [engine.countWaiting("o", "c", 9), engine.countWaiting("o", "c", 2), engine.countWaiting("o", "x", 9)];
    expect(await Promise.all(waiting)).toEqual([3, 2, 0]);
    const held = (await engine.heldJobs("o")).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(held).toMatchObject([marks(full), marks(rows[5]!)]);
    expect(await engine.heldJobs("o", "me")).toMatchObject([marks(full)]);
    expect(await engine.heldJobs("p")).toEqual([]);
  });

  it("are due in their order, for each caller", async () => {
    const due = [
      engine.firstDueAt("o", ["k"], 99),
      engine.firstDueAt("o", ["l", "m"], 20),
      engine.firstDueAt("o", ["k"], 19),
      engine.firstDueAt("o", ["m"], 99),
      engine.firstDueAt("p", ["k"], 1),
    ];
    expect(await Promise.all(due)).toEqual([20, 20, undefined, undefined, 1]);
    const callers = [
      engine.dueCallers("o", ["k"], 98, "", 9),
      engine.dueCallers("o", ["k"], 99, "", 9),
      engine.dueCallers("o", ["k"], 99, "c", 9),
      engine.dueCallers("o", ["k"], 99, "", 1),
      engine.dueCallers("o", ["l"], 99, "", 9),
      engine.dueCallers("o", ["k"], 19, "", 9),
    ];
    expect(await Promise.all(callers)).toEqual([["c", "d"], ["c", "d", "e"], ["d", "e"], ["c"], ["c"], []]);
    await taken(async (tx) => {
      expect(ids(await tx.lockDueJobs("o", ["k", "l"], "c", 30, 9))).toEqual(["2", "4", "1"]);
      expect(ids(await tx.lockDueJobs("o", ["k", "l"], "c", 30, 2))).toEqual(["2", "4"]);
      expect(ids(await tx.lockDueJobs("o", ["k"], "c", 29, 9))).toEqual(["4"]);
      expect(ids(await tx.lockDueJobs("o", ["k"], "nobody", 29, 9))).toEqual([]);
    });
  });

  it("count in a transaction as it left them, and as before once it is taken back", async () => {
    await taken(async (tx) => {
      const added = await tx.addJobs([
        job("9", { key: "once" }),
        job("1"),
        job("a", { caller: "ab", dueAt: 20.7, createdAt: 5.9, key: "k" }),
        job("b", { dueAt: 5 }),
      ]);
      expect([...added]).toEqual(["a", "b"]);
      expect(await tx.job("o", "a")).toMatchObject({ dueAt: 20, createdAt: 5 });
      expect((await tx.jobWithKey("o", "k", "ab", "k"))?.id).toBe("a");
      expect(await tx.dueCallers("o", ["k"], 99, "", 9)).toEqual(["ab", "c", "d", "e"]);
      expect(ids(await tx.lockDueJobs("o", ["k"], "c", 99, 9))).toEqual(["b", "4", "1"]);
      expect(await tx.firstDueAt("o", ["k"], 99)).toBe(5);
      expect(await tx.countWaiting("o", "c", 9)).toBe(4);
      expect(await tx.countWaiting("o", "c", 3)).toBe(3);
      const [changed] = await tx.changeJobs(
        "o",
        ["3"],
        { state: "running", holder: "me", startedAt: 50, attempt: 1 },
        { state: "waiting" },
      );
      expect(changed).toEqual(job("3", { dueAt: 20, caller: "d", state: "running", holder: "me", startedAt: 50, attempt: 1 }));
      expect(await tx.dueCallers("o", ["k"], 99, "", 9)).toEqual(["ab", "c", "e"]);
      expect(await tx.countWaiting("o", "d", 9)).toBe(0);
      expect(ids(await tx.heldJobs("o", "me")).sort()).toEqual(["3", "5"]);
    });
    expect(await engine.dueCallers("o", ["k"], 99, "", 9)).toEqual(["c", "d", "e"]);
    expect(await engine.jobWithKey("o", "k", "ab", "k")).toBeUndefined();
  });

  it("change only as expected, and in what was named", async () => {
    await taken(async (tx) => {
      const wrong = [{ holder: "you" }, { attempt: 1 }, { beat: 6 }];
      for (const one of wrong) expect(await tx.changeJobs("o", ["5"], { beat: 9 }, { state: "running", ...one })).toEqual([]);
      expect(await tx.changeJobs("o", ["5"], { beat: 9 }, { state: "waiting" })).toEqual([]);
      expect(await tx.changeJobs("p", ["5"], { beat: 9 }, { state: "running" })).toEqual([]);
      expect(await tx.changeJobs("o", [], { beat: 9 }, { state: "running" })).toEqual([]);
      const expected = { state: "running", holder: "me", attempt: 2, beat: 7 } as const;
      const ended = { state: "done", endedAt: 60, result: '"r"', lostBy: ["s3"], cancelling: false, dueAt: 61 } as const;
      expect(await tx.changeJobs("o", ["5", "6"], ended, expected)).toEqual([{ ...full, ...ended }]);
      const emptied = { startedAt: undefined, endedAt: undefined, progress: undefined, result: undefined, error: undefined };
      expect(await tx.changeJobs("o", ["5"], { ...emptied, cancelling: true }, { state: "done" })).toEqual([
        { ...full, ...ended, ...emptied, cancelling: true },
      ]);
      const both = await tx.changeJobs("o", ["4", "1", "nobody"], { failed: 4 }, { state: "waiting" });
      expect(ids(both).sort()).toEqual(["1", "4"]);
      expect((await tx.job("o", "4"))?.failed).toBe(4);
    });
  });

  it("beat while their holder runs them", async () => {
    await taken(async (tx) => {
      expect(await tx.beatJobs("o", "me")).toMatchObject([{ ...marks(full), beat: 8 }]);
      expect((await tx.job("o", "5"))?.beat).toBe(8);
      expect((await tx.job("o", "6"))?.beat).toBe(0);
      expect(await tx.beatJobs("p", "me")).toEqual([]);
    });
  });

  it("leave when they ended long ago, or as the oldest of too many", async () => {
    await taken(async (tx) => {
      const ended = (id: string, endedAt: number, state: JobRow["state"] = "done"): JobRow => job(id, { endedAt, state });
      const own = [ended("m", 10), ended("n", 20), ended("q", 30, "dead"), ended("r", 20, "dead"), ended("s", 40), ended("t", 40)];
      await tx.addJobs([...own, { ...ended("m", 5), owner: "p" }]);
      const left = async (): Promise<string[]> => ids(await tx.jobs("o", {}, undefined, 99)).filter((id) => id > "9");
      expect(await tx.trimJobs("o", { dead: 9, other: 9, surplus: 9 }, 9)).toBe(0);
      expect(await tx.trimJobs("o", { dead: 20, other: 10, surplus: 0 }, 9)).toBe(2);
      expect(await left()).toEqual(["t", "s", "q", "n"]);
      expect(await tx.trimJobs("o", { dead: 0, other: 0, surplus: 19 }, 1)).toBe(0);
      expect(await tx.trimJobs("o", { dead: 0, other: 0, surplus: 40 }, 1)).toBe(2);
      expect(await left()).toEqual(["t", "q"]);
      expect(await tx.trimJobs("o", { dead: 0, other: 0, surplus: 40 }, 0)).toBe(2);
      expect(await tx.job("p", "m")).toMatchObject({ endedAt: 5 });
      expect(await tx.jobWithKey("o", "k", "c", "once")).toEqual(full);
    });
  });
});
