import { describe, expect, it } from "vitest";
import type { Writes } from "../../src/engine/engine.ts";
import type { JobExpectation, JobMarks, JobRow } from "../../src/engine/jobs.ts";
import { type ClaimPlan, claimJobs } from "../../src/jobs/_claim.ts";
import { toRow } from "../../src/jobs/_rows.ts";

/** Jobs of callers: { ann: ["a0", "a1"] }. */
function rowsOf(jobs: Record<string, readonly string[]>, marks: (id: string) => Partial<JobRow> = () => ({})): readonly JobRow[] {
  return Object.entries(jobs).flatMap(([caller, ids]) =>
    ids.map((id) => ({ ...toRow("o", { kind: "call", caller, subject: id, payload: {} }, 1, 1), id, ...marks(id) })),
  );
}

/** Answers as a database does, with the newest change first; `asked` are its questions. */
function transaction(rows: readonly JobRow[]): { readonly tx: Writes; readonly asked: unknown[][] } {
  const asked: unknown[][] = [];
  const tx = {
    async dueCallers(...args: [string, readonly string[], number, string, number]) {
      asked.push(["dueCallers", ...args]);
      const callers = [...new Set(rows.map(({ caller }) => caller))].toSorted();
      return callers.filter((caller) => caller > args[3]).slice(0, args[4]);
    },
    async lockDueJobs(...args: [string, readonly string[], string, number, number]) {
      asked.push(["lockDueJobs", ...args]);
      return rows.filter(({ caller }) => caller === args[2]).slice(0, args[4]);
    },
    async changeJobs(owner: string, ids: readonly string[], marks: Partial<JobMarks>, expected: JobExpectation) {
      if (ids.length > 0) asked.push(["changeJobs", owner, ids, marks, expected]);
      return rows
        .filter(({ id }) => ids.includes(id))
        .map((row) => ({ ...row, ...marks }))
        .toReversed();
    },
  } as unknown as Writes;
  return { tx, asked };
}

const plan = (more: Partial<ClaimPlan> = {}): ClaimPlan => ({
  owner: "o",
  kinds: ["call"],
  holder: "h/1",
  now: 50,
  after: "",
  free: 4,
  slotsPerCaller: 4,
  perCaller: new Map(),
  ...more,
});

const idsOf = (rows: readonly JobRow[]): readonly string[] => rows.map(({ id }) => id);

describe("a claim of jobs", () => {
  it("asks for callers with due jobs, locks their shares, and marks the jobs of each attempt as running", async () => {
    const rows = rowsOf({ ann: ["a0", "a1", "a2"], bob: ["b0", "b1"] }, (id) => (id === "a1" ? { attempt: 2, progress: "{}" } : {}));
    const { tx, asked } = transaction(rows);
    const claimed = await claimJobs(tx, plan());
    const marks = { state: "running", holder: "h/1", startedAt: 50, progress: undefined };
    expect(asked).toEqual([
      ["dueCallers", "o", ["call"], 50, "", 4],
      ["lockDueJobs", "o", ["call"], "ann", 50, 2],
      ["lockDueJobs", "o", ["call"], "bob", 50, 2],
      ["changeJobs", "o", ["a0", "b0", "b1"], { ...marks, attempt: 1 }, { state: "waiting", attempt: 0 }],
      ["changeJobs", "o", ["a1"], { ...marks, attempt: 3 }, { state: "waiting", attempt: 2 }],
    ]);
    const running = (id: string, attempt: number) => ({ ...rows.find((row) => row.id === id)!, ...marks, attempt });
    expect(claimed).toEqual({ rows: [running("a0", 1), running("a1", 3), running("b0", 1), running("b1", 1)], after: "bob" });
  });

  it("begins after the caller that had the last turn, and goes on with the first ones where there are too few", async () => {
    const rows = rowsOf({ ann: ["a0"], bob: ["b0"], cleo: ["c0"] });
    const first = transaction(rows);
    const claimed = await claimJobs(first.tx, plan({ after: "bob", free: 2 }));
    expect([idsOf(claimed.rows), claimed.after]).toEqual([["c0", "a0"], "ann"]);
    expect(first.asked.slice(0, 2)).toEqual([
      ["dueCallers", "o", ["call"], 50, "bob", 2],
      ["dueCallers", "o", ["call"], 50, "", 2],
    ]);
    const enough = transaction(rows);
    expect(idsOf((await claimJobs(enough.tx, plan({ after: "ann", free: 2 }))).rows)).toEqual(["b0", "c0"]);
    expect(enough.asked.filter(([name]) => name === "dueCallers")).toHaveLength(1);
  });

  it("leaves out callers that run as many jobs as they may, and still fills its slots with those of others", async () => {
    const rows = rowsOf({ ann: ["a0"], bob: ["b0", "b1", "b2"], cleo: ["c0"] });
    const { tx, asked } = transaction(rows);
    const perCaller = new Map([
      ["ann", 2],
      ["bob", 1],
      ["zoe", 2],
      ["yan", 3],
    ]);
    const claimed = await claimJobs(tx, plan({ free: 2, slotsPerCaller: 2, perCaller }));
    expect(idsOf(claimed.rows)).toEqual(["b0", "c0"]);
    expect(asked[0]).toEqual(["dueCallers", "o", ["call"], 50, "", 5]);
    const alone = await claimJobs(transaction(rows).tx, plan({ kinds: ["call"], free: 3, slotsPerCaller: 2, perCaller, after: "ann" }));
    expect(idsOf(alone.rows)).toEqual(["b0", "c0"]);
  });

  it("gives a caller that runs nothing all of its slots", async () => {
    const one = await claimJobs(transaction(rowsOf({ ann: ["a0", "a1"] })).tx, plan({ slotsPerCaller: 1 }));
    expect(idsOf(one.rows)).toEqual(["a0"]);
  });

  it("finds nothing, and begins at the same caller the next time", async () => {
    expect(await claimJobs(transaction([]).tx, plan({ after: "bob" }))).toEqual({ rows: [], after: "bob" });
  });
});
