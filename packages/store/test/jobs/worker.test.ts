import { describe, expect, it } from "vitest";
import type { Engine, Writes } from "../../src/engine/engine.ts";
import { StoreError } from "../../src/errors.ts";
import type { JobHandler, JobOutcome, JobRun } from "../../src/jobs/job-queue.ts";
import { insideOf } from "../../src/store/create-store.ts";
import { draft, openQueue, type OpenQueue, pass, allTurns } from "./_queue.ts";

const fine: JobHandler = async () => ({ done: {} });
const hang: JobHandler = () => new Promise(() => undefined);
const asOne = { holder: () => "one" };

/** When the store was asked for this, in milliseconds since the beginning. */
const timesOf = ({ asked }: OpenQueue, name: string): readonly number[] => asked.filter((one) => one.name === name).map(({ at }) => at);
const started = ({ events }: OpenQueue): readonly string[] => events.flatMap(({ type, job }) => (type === "started" ? [job.subject] : []));
const names = (count: number, prefix = "j"): readonly string[] => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

describe("a worker", () => {
  it("runs eight jobs at once, and four of one caller", async () => {
    const many = openQueue();
    await many.queue.enqueueAll(names(9).map((subject) => draft(subject, { caller: subject })));
    const worker = many.queue.work({ call: hang }, asOne);
    await allTurns();
    expect([worker.running(), started(many).length]).toEqual([8, 8]);
    const one = openQueue();
    await one.queue.enqueueAll(names(6).map((subject) => draft(subject)));
    one.queue.work({ call: hang }, asOne);
    await allTurns();
    expect(started(one)).toEqual(names(4));
  });

  it("looks for due jobs of its kinds every second, and at once when it is told to", async () => {
    const opened = openQueue();
    const worker = opened.queue.work({ call: fine, delivery: fine }, asOne);
    await pass(opened.clock, 2_000);
    expect(timesOf(opened, "firstDueAt")).toEqual([0, 1_000, 2_000]);
    expect(opened.asked.find(({ name }) => name === "firstDueAt")!.args).toEqual(["local", ["call", "delivery"], 1_001_000]);
    await opened.clock.advance(300);
    worker.wake();
    await allTurns();
    expect(timesOf(opened, "firstDueAt").slice(3)).toEqual([2_300]);
    await pass(opened.clock, 1_000);
    expect(timesOf(opened, "firstDueAt").slice(4)).toEqual([3_300]);
    expect([opened.clock.pending, timesOf(opened, "dueCallers")]).toEqual([1, []]);
  });

  it("starts a job at its time, also right after another one took the only slot", async () => {
    const opened = openQueue();
    opened.queue.work({ call: fine }, { ...asOne, slots: 1 });
    await opened.queue.enqueue(draft("now"));
    await opened.queue.schedule(draft("soon"), 1_000_300);
    await allTurns();
    expect(started(opened)).toEqual(["now"]);
    await opened.clock.advance(299);
    await allTurns();
    expect(started(opened)).toEqual(["now"]);
    await opened.clock.advance(1);
    await allTurns();
    expect(started(opened)).toEqual(["now", "soon"]);
  });

  it("fills its slots with jobs of a caller with many when the others have too few for their share", async () => {
    const opened = openQueue();
    await opened.queue.enqueueAll([draft("a0"), ...names(5, "b").map((subject) => draft(subject, { caller: "bob" }))]);
    opened.queue.work({ call: hang }, { ...asOne, slots: 4 });
    await allTurns();
    expect(started(opened)).toEqual(["a0", "b0", "b1", "b2"]);
    expect(opened.asked.flatMap(({ name, args }) => (name === "dueCallers" ? [args[3]] : []))).toEqual(["", "bob", ""]);
  });

  it("asks nothing while its slots are taken, and uses a slot again as soon as its handler has returned", async () => {
    const opened = openQueue();
    const ends: ((outcome: JobOutcome) => void)[] = [];
    opened.queue.work({ call: () => new Promise((resolve) => ends.push(resolve)) }, { ...asOne, slots: 1 });
    await opened.queue.enqueueAll([draft("a"), draft("b")]);
    await allTurns();
    const before = timesOf(opened, "firstDueAt").length;
    await pass(opened.clock, 2_000);
    expect([started(opened), timesOf(opened, "firstDueAt").length, timesOf(opened, "dueCallers")]).toEqual([["a"], before, [0]]);
    ends[0]!({ done: {} });
    await allTurns();
    expect(started(opened)).toEqual(["a", "b"]);
  });

  it("holds at most twice as many jobs as it has slots while their ends cannot be stored, and stores them later", async () => {
    const opened = openQueue();
    const failures: unknown[] = [];
    await opened.queue.enqueueAll(names(9).map((subject) => draft(subject, { caller: subject })));
    opened.change.tx = { changeJobs: withoutEnds };
    const worker = opened.queue.work(
      {
        call: fine,
      },
      { ...asOne, slots: 2, onStoreFailed: (error) => void failures.push(error) },
    );
    await allTurns();
    expect([started(opened).length, worker.running()]).toEqual([4, 4]);
    expect(failures.length).toBeGreaterThan(0);
    opened.change.tx = {};
    await pass(opened.clock, 500, 100);
    await worker.close();
    expect(worker.running()).toBe(0);
    expect((await opened.queue.counts()).done).toBeGreaterThanOrEqual(4);
  });

  it("renews its leases every five seconds, and looks at what others did to its jobs at every poll", async () => {
    const opened = openQueue();
    opened.queue.work({ call: hang }, asOne);
    await pass(opened.clock, 2_000);
    expect(timesOf(opened, "heldJobs")).toEqual([0]);
    await opened.queue.enqueue(draft("a"));
    await pass(opened.clock, 10_000);
    expect(timesOf(opened, "beatJobs")).toEqual([5_000, 10_000]);
    const { holder } = (await opened.queue.list())[0]!;
    expect(holder).toMatch(/^one\/[0-9]+$/);
    expect(opened.asked.find(({ name }) => name === "beatJobs")!.args).toEqual(["local", holder]);
    expect(timesOf(opened, "heldJobs").filter((at) => at > 4_000 && at < 9_000)).toEqual([5_000, 6_000, 7_000, 8_000]);
  });

  it("takes a job over thirty seconds after its server renewed it for the last time, and runs it ten seconds after that", async () => {
    const opened = openQueue();
    await opened.queue.enqueue(draft("a"));
    const lost = opened.queue.work({ call: hang }, asOne);
    await allTurns();
    void lost.close(Number.MAX_SAFE_INTEGER);
    const runs: JobRun[] = [];
    const call: JobHandler = (run) => (runs.push(run), hang(run));
    const questions: string[] = [];
    opened.queue.work({ call }, { holder: () => "two", random: () => 0, hasEnded: (holder) => (questions.push(holder), false) });
    await pass(opened.clock, 29_500);
    expect([opened.events.at(-1)?.type, new Set(questions)]).toEqual(["started", new Set(["one"])]);
    await pass(opened.clock, 500);
    expect([opened.events.at(-1)?.type, runs.length]).toEqual(["retry", 0]);
    await pass(opened.clock, 10_000);
    const { id } = runs[0]!.job;
    expect(runs.map(({ key, lost: attempts, signal }) => ({ key, attempts, aborted: signal.aborted }))).toEqual([
      { key: `${id}:0`, attempts: [{ attempt: 1, holder: "one" }], aborted: false },
    ]);
    expect(opened.events.map(({ type, job }) => [type, job.attempt, job.lost])).toEqual([
      ["added", 0, 0],
      ["started", 1, 0],
      ["retry", 1, 1],
      ["started", 2, 1],
    ]);
  });

  it("removes old jobs every minute", async () => {
    const opened = openQueue();
    opened.queue.work({ call: fine }, asOne);
    await pass(opened.clock, 120_000, 1_000);
    expect(timesOf(opened, "trimJobs")).toEqual([0, 60_000, 120_000]);
    const day = 86_400_000;
    expect(opened.asked.find(({ name }) => name === "trimJobs")!.args).toEqual([
      "local",
      { dead: 1_000_000 - 14 * day, other: 1_000_000 - day, surplus: 1_000_000 - 600_000 },
      10_000,
    ]);
  });

  it("tells a running job at once that it was cancelled, and one that another server has", async () => {
    const opened = openQueue();
    const runs: JobRun[] = [];
    opened.queue.work({ call: (run) => (runs.push(run), hang(run)) }, asOne);
    await opened.queue.enqueueAll([draft("a"), draft("b"), draft("c")]);
    await allTurns();
    await opened.queue.cancel(runs[0]!.job.id);
    await allTurns();
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([true, false, false]);
    expect(runs[0]!.signal.reason).toEqual(new Error("Somebody cancelled the job."));
    opened.change.engine = {
      heldJobs: async () => [
        { id: runs[0]!.job.id, holder: runs[0]!.job.holder!, beat: 0, cancelling: true },
        { id: runs[1]!.job.id, holder: "two/1", beat: 0, cancelling: false },
        { id: runs[2]!.job.id, holder: runs[2]!.job.holder!, beat: 0, cancelling: false },
      ],
    };
    await pass(opened.clock, 1_000);
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([true, true, false]);
    expect(runs[1]!.signal.reason).toEqual(new Error("Another server has this job."));
  });

  it("lets a claim whose commit was not answered wait again, without a lost attempt", async () => {
    const opened = openQueue();
    const failures: unknown[] = [];
    opened.queue.work({ call: fine }, { ...asOne, onStoreFailed: (error) => void failures.push(error) });
    await allTurns();
    await opened.queue.enqueue(draft("a"));
    opened.change.engine = { writeAudit: withoutAnswer };
    await allTurns();
    expect([failures, started(opened)]).toEqual([[new Error("away")], []]);
    opened.change.engine = {};
    await pass(opened.clock, 4_999, 4_999);
    expect((await opened.queue.list())[0]).toMatchObject({ state: "running", attempt: 1 });
    await pass(opened.clock, 1, 1);
    expect(opened.events.map(({ type, job }) => [type, job.attempt, job.lost])).toEqual([
      ["added", 0, 0],
      ["retry", 0, 0],
      ["started", 1, 0],
      ["done", 1, 0],
    ]);
  });

  it("waits ten seconds for its jobs when it is closed, tells them, and leaves those that do not listen after five more", async () => {
    const opened = openQueue();
    const runs: JobRun[] = [];
    const worker = opened.queue.work({ call: (run) => (runs.push(run), hang(run)) }, asOne);
    await opened.queue.enqueue(draft("a"));
    await allTurns();
    let isClosed = false;
    void worker.close().then(() => (isClosed = true));
    await pass(opened.clock, 9_999, 9_999);
    expect([runs[0]!.signal.aborted, isClosed]).toEqual([false, false]);
    await pass(opened.clock, 1, 1);
    expect([runs[0]!.signal.reason, isClosed]).toEqual([new Error("The server is stopping."), false]);
    await pass(opened.clock, 4_999, 4_999);
    expect(isClosed).toBe(false);
    await pass(opened.clock, 1, 1);
    expect([isClosed, opened.clock.pending]).toEqual([true, 0]);
  });

  it("does and holds nothing more once it is closed", async () => {
    const opened = openQueue();
    const worker = opened.queue.work({ call: fine }, asOne);
    await opened.queue.enqueue(draft("a"));
    await allTurns();
    await worker.close();
    await worker.close();
    expect([worker.running(), opened.clock.pending]).toEqual([0, 0]);
    await opened.queue.enqueue(draft("b"));
    const before = opened.asked.length;
    worker.wake();
    await pass(opened.clock, 10_000, 5_000);
    expect([started(opened), opened.asked.length]).toEqual([["a"], before]);
  });

  it("ends with its store without a word, and goes on after any other failure", async () => {
    const opened = openQueue();
    const failures: unknown[] = [];
    const worker = opened.queue.work({ call: fine }, { ...asOne, onStoreFailed: (error) => void failures.push(error) });
    await allTurns();
    const fail = (error: Error) => {
      opened.change.engine = { firstDueAt: () => Promise.reject(error) };
    };
    const broken = new StoreError("STORE_UNAVAILABLE", "Away.");
    fail(broken);
    await pass(opened.clock, 1_000);
    expect([failures, opened.clock.pending]).toEqual([[broken], 1]);
    fail(new StoreError("STORE_CLOSED", "Closed."));
    await pass(opened.clock, 5_000);
    expect([failures, opened.clock.pending]).toEqual([[broken], 0]);
    await worker.close();
  });

  it("goes on without anybody to tell of failures", async () => {
    const opened = openQueue();
    opened.change.engine = { firstDueAt: () => Promise.reject(new Error("away")) };
    opened.queue.work({ call: fine }, asOne);
    await opened.queue.enqueue(draft("a"));
    await allTurns();
    opened.change.engine = {};
    await pass(opened.clock, 1_000);
    expect(started(opened)).toEqual(["a"]);
  });
});

describe("one attempt", () => {
  /** The job after one attempt with this outcome, 5 s after the beginning. */
  async function after(handler: JobHandler, more: Parameters<typeof draft>[1] = {}, isCancelled = false) {
    const opened = openQueue();
    const { queue, clock, events } = opened;
    let end: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (end = resolve));
    const worker = queue.work({ call: async (run) => (await held, handler(run)) }, asOne);
    await queue.enqueue(draft("a", more));
    await allTurns();
    await clock.advance(500);
    await allTurns();
    const { id } = (await queue.list())[0]!;
    if (isCancelled) await queue.cancel(id);
    end();
    await allTurns();
    void worker.close();
    const { id: _, createdAt: __, delaysMs: ___, ...job } = (await queue.get(id))!;
    return { job, events: [...events], told: events.slice(1).map(({ type }) => type), row: (await queue.get(id))! };
  }

  const job = {
    kind: "call",
    caller: "ann",
    subject: "a",
    key: undefined,
    origin: "call",
    tries: 1,
    payload: {},
    state: "done",
    dueAt: 1_000_000,
    startedAt: 1_000_000,
    endedAt: 1_000_500,
    attempt: 1,
    failed: 0,
    lost: 0,
    holder: undefined,
    isCancelling: false,
    progress: undefined,
    result: undefined,
    error: undefined,
  };

  it("that is done has its result", async () => {
    expect(await after(async () => ({ done: { n: 1 } }))).toMatchObject({
      job: { ...job, result: { n: 1 } },
      told: ["started", "done"],
    });
    expect((await after(async () => ({ done: { n: 1 } }), {}, true)).job.state).toBe("done");
  });

  it("that failed is tried again after the time that it asks for, and is dead when its tries are over or it says so", async () => {
    const retry = { code: "DOWN", message: "not now" };
    const failed = { ...job, failed: 1, error: retry };
    const again = await after(async () => ({ retry, afterMs: 70 }), { tries: 2 });
    expect(again).toMatchObject({
      job: { ...failed, tries: 2, state: "waiting", dueAt: 1_000_570, endedAt: undefined },
      told: ["started", "retry"],
    });
    const later = await after(async () => ({ retry }), { tries: 2, delaysMs: [1_000] });
    expect(later.job.dueAt >= 1_001_500 && later.job.dueAt <= 1_001_700).toBe(true);
    expect(await after(async () => ({ retry }))).toMatchObject({ job: { ...failed, state: "dead" }, told: ["started", "dead"] });
    expect((await after(async () => ({ dead: retry }), { tries: 2 })).job).toEqual({ ...failed, tries: 2, state: "dead" });
  });

  it("that throws failed, with the beginning of a long message", async () => {
    const thrown = async (error: unknown) =>
      (
        await after(async () => {
          throw error;
        })
      ).job.error;
    expect(await thrown(new Error("poison"))).toEqual({ code: "HANDLER_FAILED", message: "poison" });
    expect(await thrown("a text")).toEqual({ code: "HANDLER_FAILED", message: "a text" });
    expect((await thrown(new Error("x".repeat(2_000))))!.message).toBe("x".repeat(2_000));
    expect((await thrown(new Error("x".repeat(2_001))))!.message).toBe(`${"x".repeat(2_000)}…`);
  });

  it("of a job that was cancelled ends it, and so does one that did not begin", async () => {
    const cancelled = { ...job, state: "cancelled" };
    const error = { code: "ABORTED", message: "x" };
    expect(await after(async () => ({ retry: error }), { tries: 5 }, true)).toMatchObject({
      job: { ...cancelled, tries: 5, error },
      told: ["started", "cancelled"],
    });
    expect((await after(async () => ({ release: true }), {}, true)).job).toEqual(cancelled);
  });

  it("of a job that was to be cancelled before it began is told so at once", async () => {
    const opened = openQueue();
    const { queue, store } = opened;
    await queue.enqueue(draft("a"));
    const { id } = (await queue.list())[0]!;
    await insideOf(store).engine.writeAudit((tx) => tx.changeJobs("local", [id], { cancelling: true }, { state: "waiting" }));
    let reason: unknown;
    queue.work({ call: async ({ signal }) => ((reason = signal.reason), { release: true }) }, asOne);
    await allTurns();
    expect([reason, (await queue.get(id))!.state]).toEqual([new Error("Somebody cancelled the job."), "cancelled"]);
  });

  it("whose end cannot be stored is given up when the worker is stopped", async () => {
    const opened = openQueue();
    opened.change.tx = { changeJobs: withoutEnds };
    const worker = opened.queue.work({ call: fine }, asOne);
    await opened.queue.enqueue(draft("a"));
    await allTurns();
    let isClosed = false;
    void worker.close(0).then(() => (isClosed = true));
    await pass(opened.clock, 1_000, 100);
    expect([isClosed, worker.running(), opened.clock.pending]).toEqual([true, 0, 0]);
    expect((await opened.queue.list())[0]!.state).toBe("running");
  });

  it("that another server has since reports nothing", async () => {
    const opened = openQueue();
    let run: JobRun | undefined;
    opened.queue.work({ call: (one) => ((run = one), hang(one)) }, asOne);
    await opened.queue.enqueue(draft("a"));
    await allTurns();
    opened.change.tx = { changeJobs: async () => [] };
    run!.progress({ done: 1 });
    await pass(opened.clock, 500);
    expect(opened.events.map(({ type }) => type)).toEqual(["added", "started"]);
  });

  it("whose report cannot be stored goes on, and its worker tells of it", async () => {
    const opened = openQueue();
    const failures: unknown[] = [];
    let run: JobRun | undefined;
    opened.queue.work({ call: (one) => ((run = one), hang(one)) }, { ...asOne, onStoreFailed: (error) => void failures.push(error) });
    await opened.queue.enqueue(draft("a"));
    await allTurns();
    opened.change.tx = { changeJobs: () => Promise.reject(new Error("away")) };
    run!.progress({ done: 1 });
    await pass(opened.clock, 500);
    expect(failures).toEqual([new Error("away")]);
  });

  it("that did not begin is given back, and counts for nothing", async () => {
    const { row, told, events } = await after(async () => ({ release: true }));
    expect(told.slice(0, 2)).toEqual(["started", "retry"]);
    expect([row.failed, row.lost]).toEqual([0, 0]);
    const { id: _, createdAt: __, delaysMs: ___, ...given } = events[2]!.job;
    expect(given).toEqual({ ...job, state: "waiting", attempt: 0, dueAt: 1_000_500, endedAt: undefined });
  });

  it("whose result is too large is done, without its result", async () => {
    expect((await after(async () => ({ done: { text: "x".repeat(1_048_576) } }))).job).toEqual({
      ...job,
      error: { code: "RESULT_TOO_LARGE", message: "What a job stores has 1048587 bytes; at most 1048576 are allowed." },
    });
  });

  it("stores the last of its reports within half a second, unless it is too long, and none after its end", async () => {
    const opened = openQueue();
    let run: JobRun | undefined;
    let end: () => void = () => undefined;
    const worker = opened.queue.work(
      { call: (one) => ((run = one), new Promise((resolve) => (end = () => resolve({ done: {} })))) },
      asOne,
    );
    await opened.queue.enqueue(draft("a"));
    await allTurns();
    const report = async () => (await opened.queue.list())[0]!.progress;
    run!.progress({ done: 1 });
    await pass(opened.clock, 400, 400);
    run!.progress({ done: 2 });
    await pass(opened.clock, 99, 99);
    expect(await report()).toBeUndefined();
    await pass(opened.clock, 1, 1);
    expect(await report()).toEqual({ done: 2 });
    run!.progress({ text: "x".repeat(9_990) });
    await pass(opened.clock, 500);
    run!.progress({ text: "x".repeat(9_989) });
    await pass(opened.clock, 500);
    expect(opened.events.filter(({ type }) => type === "progress").map(({ job: one }) => JSON.stringify(one.progress).length)).toEqual([
      10, 10_000,
    ]);
    run!.progress({ done: 3 });
    end();
    await allTurns();
    await worker.close();
    expect(opened.clock.pending).toBe(0);
    expect((await report())!["text"]).toHaveLength(9_989);
  });
});

/** Ends of jobs cannot be stored. */
async function withoutEnds(this: Writes, ...args: Parameters<Writes["changeJobs"]>): ReturnType<Writes["changeJobs"]> {
  if (args[2].state === "done") throw new Error("away");
  return this.changeJobs(...args);
}

/** What is written is committed, and nobody learns of it. */
async function withoutAnswer(this: Engine, work: (tx: Writes) => Promise<unknown>): Promise<never> {
  await this.writeAudit(work);
  throw new Error("away");
}
