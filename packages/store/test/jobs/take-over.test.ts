import { describe, expect, it } from "vitest";
import type { Engine, Writes } from "../../src/engine/engine.ts";
import type { HeldJob, JobRow } from "../../src/engine/jobs.ts";
import { createTakeOver } from "../../src/jobs/_take-over.ts";

const held = (more: Partial<HeldJob> = {}): HeldJob => ({ id: "1", holder: "s/1", beat: 5, cancelling: false, ...more });

/** An engine with these rows; `changed` are the changes that were asked for. */
function engineOf(rows: Record<string, Partial<JobRow>>): { readonly engine: Engine; readonly changed: unknown[][]; writes(): number } {
  const changed: unknown[][] = [];
  let writes = 0;
  const tx = {
    job: async (_owner: string, id: string) => rows[id],
    changeJobs: async (...args: [string, readonly string[], object, object]) => {
      changed.push(args);
      return [{ id: args[1][0], ...args[2] }];
    },
  } as unknown as Writes;
  const engine = { writeAudit: (work: (tx: Writes) => unknown) => (writes++, work(tx)) } as unknown as Engine;
  return { engine, changed, writes: () => writes };
}

const delays = { lostDelaysMs: [10_000, 40_000], random: () => 0.5 };
const stopped = (more = "."): string => JSON.stringify({ code: "SERVER_LOST", message: `Server "s" stopped while running it${more}` });

const none: ReadonlySet<string> = new Set();

describe("the jobs of other servers", () => {
  it("wait again after three looks at the same beat that together took as long as a server may be silent", async () => {
    const { engine, changed } = engineOf({ "1": { attempt: 2, lostBy: ["r/1"] } });
    const takeOver = createTakeOver({ ...delays, silentMs: 30, hasEnded: () => false });
    const look = (now: number, job = held()) => takeOver.free(engine, "o", [job], none, now);
    for (const now of [0, 100, 110]) expect(await look(now, held({ beat: now === 0 ? 4 : 5 }))).toEqual([]);
    expect(await look(129)).toEqual([]);
    expect(changed).toEqual([]);
    expect(await look(130)).toHaveLength(1);
    expect(changed).toEqual([
      [
        "o",
        ["1"],
        { state: "waiting", dueAt: 130 + 44_000, lostBy: ["r/1", "s/1"], error: stopped(), holder: "" },
        { state: "running", holder: "s/1", beat: 5 },
      ],
    ]);
  });

  it("are not taken after two looks, whatever the clock says, nor when another holder has them since", async () => {
    const { engine, changed } = engineOf({ "1": { attempt: 2, lostBy: [] } });
    const takeOver = createTakeOver({ ...delays, silentMs: 30, hasEnded: () => false });
    for (const [now, job] of [
      [0, held()],
      [1_000, held()],
      [2_000, held({ holder: "t/1" })],
      [3_000, held({ holder: "t/1" })],
    ] as const)
      expect(await takeOver.free(engine, "o", [job], none, now)).toEqual([]);
    expect(await takeOver.free(engine, "o", [], none, 4_000)).toEqual([]);
    for (const now of [5_000, 6_000]) expect(await takeOver.free(engine, "o", [held({ holder: "t/1" })], none, now)).toEqual([]);
    expect(changed).toEqual([]);
  });

  it("wait again where their server ended, are cancelled where they were to be, and are passed over where they are gone", async () => {
    const { engine, changed } = engineOf({ "1": { attempt: 1, lostBy: [], cancelling: true }, "2": { attempt: 1, lostBy: [] } });
    const takeOver = createTakeOver({ ...delays, silentMs: 30, hasEnded: (holder) => holder !== "t/1" });
    const others = [held(), held({ id: "2", holder: "t/1" }), held({ id: "3" })];
    expect(await takeOver.free(engine, "o", others, none, 7)).toEqual([
      { id: "1", state: "cancelled", endedAt: 7, lostBy: ["s/1"], error: stopped(), holder: "" },
    ]);
    expect(changed).toHaveLength(1);
  });

  it("are taken at the third look where no silence is allowed, and looks that find nothing write nothing", async () => {
    const { engine, writes } = engineOf({ "1": { attempt: 1, lostBy: [] } });
    const takeOver = createTakeOver({ ...delays, silentMs: 0, hasEnded: () => false });
    const freed: number[] = [];
    for (const now of [1, 2, 3]) freed.push((await takeOver.free(engine, "o", [held()], none, now)).length);
    expect([freed, writes()]).toEqual([[0, 0, 1], 1]);
  });

  it("wait again without a lost attempt where they never began", async () => {
    const { engine, changed } = engineOf({ "1": { attempt: 2, lostBy: [] } });
    const takeOver = createTakeOver({ ...delays, silentMs: 30, hasEnded: () => false });
    await takeOver.free(engine, "o", [held()], new Set(["1"]), 7);
    expect(changed.map(([, , marks]) => marks)).toEqual([{ state: "waiting", dueAt: 7, attempt: 1, holder: "" }]);
  });

  it("wait longer after each server that ended, by a little chance, and are dead after the third, with the last of them named", async () => {
    for (const [lostBy, marks] of [
      [[], { state: "waiting", dueAt: 7 + 11_000, error: stopped() }],
      [["q/1"], { state: "waiting", dueAt: 7 + 44_000, error: stopped() }],
      [
        ["q/1", "r/1"],
        { state: "dead", endedAt: 7, error: stopped(", as 2 others did before. Look for what ends them, then replay the job.") },
      ],
    ] as const) {
      const { engine, changed } = engineOf({ "1": { attempt: lostBy.length + 1, lostBy: [...lostBy] } });
      await createTakeOver({ ...delays, silentMs: 30, hasEnded: () => true }).free(engine, "o", [held()], none, 7);
      expect(changed.map(([, , change]) => change)).toEqual([{ ...marks, lostBy: [...lostBy, "s/1"], holder: "" }]);
    }
  });

  it("wait as long as the last delay where there are fewer delays than servers that ended", async () => {
    const { engine, changed } = engineOf({ "1": { attempt: 2, lostBy: ["r/1"] } });
    const takeOver = createTakeOver({ silentMs: 30, lostDelaysMs: [100], random: () => 0, hasEnded: () => true });
    await takeOver.free(engine, "o", [held()], none, 7);
    expect(changed.map(([, , marks]) => (marks as JobRow).dueAt)).toEqual([107]);
  });
});
