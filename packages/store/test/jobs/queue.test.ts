import { describe, expect, it } from "vitest";
import type { Writes } from "../../src/engine/engine.ts";
import { createJobQueue } from "../../src/jobs/create-job-queue.ts";
import type { Enqueued } from "../../src/jobs/job-queue.ts";
import { draft, openQueue, pass, allTurns } from "./_queue.ts";

const jobOf = (enqueued: Enqueued) => (enqueued as Extract<Enqueued, { ok: true }>).job;
const full = (subject: string, most: number) => ({
  ok: false,
  code: "full",
  message: `The job for "${subject}" was not added: its caller has ${most} waiting jobs already. Try again when some have run, or cancel some.`,
});

describe("a queue of jobs", () => {
  it("answers with the job as it is stored, and tells of new ones alone", async () => {
    const { queue, events } = openQueue();
    const first = await queue.enqueue(draft("a", { key: "k" }));
    const job = jobOf(first);
    expect(first).toEqual({ ok: true, isNew: true, job });
    expect(await queue.get(job.id)).toEqual(job);
    expect([job.createdAt, job.dueAt]).toEqual([1_000_000, 1_000_000]);
    expect(await queue.enqueue(draft("b", { key: "k" }))).toEqual({ ok: true, isNew: false, job });
    const later = jobOf(await queue.schedule(draft("c"), 2_000_000));
    expect(later.dueAt).toBe(2_000_000);
    expect(events).toEqual([
      { type: "added", job },
      { type: "added", job: later },
    ]);
  });

  it("takes a thousand waiting jobs of a caller", async () => {
    const { queue, store } = openQueue();
    const drafts = Array.from({ length: 1_000 }, (_, index) => draft(`j${index}`));
    expect((await queue.enqueueAll(drafts)).every(({ ok }) => ok)).toBe(true);
    expect(await queue.enqueue(draft("more"))).toEqual(full("more", 1_000));
    expect((await queue.counts()).waiting).toBe(1_000);
    void store;
  });

  it("adds as many with a transaction as a caller may have, each caller for itself, and none where one has too many", async () => {
    const { queue, store, events } = openQueue({ maxWaitingPerCaller: 2 });
    const of = (caller: string, ...subjects: string[]) => subjects.map((subject) => draft(subject, { caller }));
    const within = (drafts: readonly ReturnType<typeof draft>[]) => store.transaction((tx) => queue.enqueueAll(drafts, tx));
    expect((await within([...of("ann", "a0"), ...of("bob", "b0", "b1")])).map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(await within([...of("ann", "a1"), ...of("bob", "b2")])).toEqual([full("a1", 2), full("b2", 2)]);
    expect(await within(of("ann", "a1", "a2"))).toEqual([full("a1", 2), full("a2", 2)]);
    expect((await within(of("ann", "a1"))).map(({ ok }) => ok)).toEqual([true]);
    expect(events.map(({ type, job }) => `${type} ${job.subject}`)).toEqual(["added a0", "added b0", "added b1", "added a1"]);
    const scheduled = await store.transaction((tx) => queue.schedule(draft("c", { caller: "cleo" }), 5, tx));
    expect(jobOf(scheduled).dueAt).toBe(5);
  });

  it("takes transactions of its own store alone", async () => {
    const [here, there] = [openQueue(), openQueue()];
    const wrong = {
      code: "QUERY_INVALID",
      message: "A job is added with the store that a transaction of its own store hands out.",
    };
    await expect(there.store.transaction((tx) => here.queue.enqueue(draft("a"), tx))).rejects.toMatchObject(wrong);
    await expect(here.queue.enqueue(draft("a"), here.store)).rejects.toMatchObject(wrong);
    await here.store.transaction(async (tx) => void jobOf(await here.queue.enqueue(draft("a"), tx)));
    expect((await here.queue.list()).map(({ subject }) => subject)).toEqual(["a"]);
  });

  it("wakes its workers for a new job, and not for one that is known", async () => {
    const opened = openQueue();
    opened.queue.work({ call: async () => ({ done: {} }) }, { holder: () => "one" });
    await opened.queue.schedule(draft("a", { key: "k" }), 9_000_000);
    await allTurns();
    const looks = () => opened.asked.filter(({ name }) => name === "firstDueAt").length;
    const before = looks();
    await opened.queue.schedule(draft("b", { key: "k" }), 9_000_000);
    await allTurns();
    expect(looks()).toBe(before);
    const heldBefore = opened.asked.filter(({ name }) => name === "heldJobs").length;
    await opened.queue.schedule(draft("c"), 9_000_000);
    await allTurns();
    expect(looks()).toBe(before + 1);
    expect(opened.asked.filter(({ name }) => name === "heldJobs")).toHaveLength(heldBefore);
  });

  it("asks for a hundred jobs, or as many as are wanted up to a thousand, by what is given alone", async () => {
    const { queue, asked } = openQueue();
    await queue.list();
    await queue.list({ limit: 1_000 });
    await queue.list({ limit: 1_001, state: "dead", kind: "call", caller: "ann", origin: "x", after: "5" });
    await queue.list({ limit: 0, kind: "call" });
    await queue.dead({ caller: "ann" });
    await queue.dead();
    expect(asked.filter(({ name }) => name === "jobs").map(({ args }) => args)).toEqual([
      ["local", {}, undefined, 100],
      ["local", {}, undefined, 1_000],
      ["local", { state: "dead", kind: "call", caller: "ann", origin: "x" }, "5", 1_000],
      ["local", { kind: "call" }, undefined, 1],
      ["local", { caller: "ann", state: "dead" }, undefined, 100],
      ["local", { state: "dead" }, undefined, 100],
    ]);
  });

  it("counts the jobs of every state", async () => {
    const { queue } = openQueue();
    expect(await queue.counts()).toEqual({ waiting: 0, running: 0, done: 0, dead: 0, cancelled: 0 });
    const job = jobOf(await queue.enqueue(draft("a")));
    await queue.enqueue(draft("b"));
    await queue.cancel(job.id);
    expect(await queue.counts()).toEqual({ waiting: 1, running: 0, done: 0, dead: 0, cancelled: 1 });
  });

  it("makes a waiting job due now, and one that is due already no later", async () => {
    const { queue, clock, events } = openQueue();
    const [later, due] = [jobOf(await queue.schedule(draft("a"), 9_000_000)), jobOf(await queue.enqueue(draft("b")))];
    await clock.advance(1_000);
    expect(await queue.retry(later.id)).toEqual({ ok: true, job: { ...later, dueAt: 1_001_000 } });
    expect(await queue.retry(due.id)).toEqual({ ok: true, job: due });
    await queue.cancel(due.id);
    expect(await queue.retry(due.id)).toEqual({
      ok: false,
      code: "state",
      message: `The job "${due.id}" is cancelled. Only a waiting job can be made due now; replay one that is dead or cancelled.`,
    });
    expect(await queue.retry("none")).toEqual({
      ok: false,
      code: "not-found",
      message: 'There is no job "none". List the jobs for their ids.',
    });
    expect(events.map(({ type }) => type)).toEqual(["added", "added", "cancelled"]);
  });

  it("cancels a waiting job at once, tells of it, and replays it as if it were new", async () => {
    const { queue, clock, events } = openQueue();
    const job = jobOf(await queue.enqueue(draft("a")));
    await clock.advance(1_000);
    const cancelled = { ...job, state: "cancelled", endedAt: 1_001_000 };
    expect(await queue.cancel(job.id)).toEqual({ ok: true, job: cancelled });
    expect(await queue.cancel(job.id)).toEqual({
      ok: false,
      code: "state",
      message: `The job "${job.id}" is cancelled already, and cannot be cancelled.`,
    });
    await clock.advance(1_000);
    const replayed = { ...job, state: "waiting", dueAt: 1_002_000 };
    expect(await queue.replay(job.id)).toEqual({ ok: true, job: replayed });
    expect(await queue.replay(job.id)).toEqual({
      ok: false,
      code: "state",
      message: `The job "${job.id}" is waiting. Only a dead or cancelled job can be replayed.`,
    });
    expect(events.slice(1)).toEqual([
      { type: "cancelled", job: cancelled },
      { type: "replayed", job: replayed },
    ]);
  });

  it("tells of a running job that was cancelled when it ends, and replays what it lost and failed as nothing", async () => {
    const opened = openQueue();
    const { queue, clock, events } = opened;
    let end: () => void = () => undefined;
    const worker = queue.work(
      { call: () => new Promise((resolve) => (end = () => resolve({ dead: { code: "X", message: "x" } }))) },
      { holder: () => "one" },
    );
    const { id } = jobOf(await queue.enqueue(draft("a")));
    await allTurns();
    expect(await queue.cancel(id)).toMatchObject({ ok: true, job: { state: "running", isCancelling: true, endedAt: undefined } });
    expect(events.map(({ type }) => type)).toEqual(["added", "started"]);
    end();
    await allTurns();
    expect(events.map(({ type }) => type)).toEqual(["added", "started", "cancelled"]);
    await worker.close();
    await pass(clock, 500);
    const ended = (await queue.get(id))!;
    expect(await queue.replay(id)).toEqual({
      ok: true,
      job: { ...ended, state: "waiting", dueAt: 1_000_500, endedAt: undefined, failed: 0, lost: 0, isCancelling: false },
    });
    let next: string | undefined;
    queue.work({ call: async ({ signal }) => ((next = String(signal.aborted)), { done: {} }) }, { holder: () => "two" });
    await allTurns();
    expect([next, (await queue.get(id))?.state]).toEqual(["false", "done"]);
  });

  it("replays a dead job, as long as its caller may have one more", async () => {
    const opened = openQueue({ maxWaitingPerCaller: 1 });
    const { queue } = opened;
    const worker = queue.work({ call: async () => ({ dead: { code: "X", message: "x" } }) }, { holder: () => "one" });
    const { id } = jobOf(await queue.enqueue(draft("a")));
    await allTurns();
    await worker.close();
    await queue.enqueue(draft("b"));
    expect(await queue.replay(id)).toEqual({
      ok: false,
      code: "state",
      message: `The job "${id}" was not replayed: its caller has 1 waiting jobs already. Try again when some have run, or cancel some.`,
    });
    await queue.cancel((await queue.list({ state: "waiting" }))[0]!.id);
    expect(await queue.replay(id)).toMatchObject({ ok: true, job: { state: "waiting", failed: 0 } });
  });

  it("does not change a job that somebody else changes at this moment", async () => {
    const opened = openQueue();
    const { id } = jobOf(await opened.queue.enqueue(draft("a")));
    opened.change.tx = { changeJobs: async () => [] };
    expect(await opened.queue.cancel(id)).toEqual({
      ok: false,
      code: "state",
      message: `The job "${id}" changed at this moment. Look at it again.`,
    });
    expect(opened.asked.find(({ name }) => name === "changeJobs")!.args).toEqual([
      "local",
      [id],
      { state: "cancelled", endedAt: 1_000_000 },
      { state: "waiting", attempt: 0 },
    ]);
  });

  it("says so when the job that has its key ends at this moment, and passes on what the store says", async () => {
    const opened = openQueue();
    await opened.queue.enqueue(draft("a", { key: "k" }));
    opened.change.tx = { jobWithKey: async () => undefined };
    await expect(opened.queue.enqueue(draft("b", { key: "k" }))).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: "A job with the same key ended at this moment. Try again.",
    });
    opened.change.tx = { addJobs: () => Promise.reject(new Error("away")) as ReturnType<Writes["addJobs"]> };
    await expect(opened.queue.enqueue(draft("c"))).rejects.toThrow("away");
  });

  it("tells everybody who listens, until they stop", async () => {
    const { queue } = openQueue();
    const heard: string[] = [];
    const stops = ["x", "y"].map((name) => queue.subscribe(({ job }) => void heard.push(`${name} ${job.subject}`)));
    await queue.enqueue(draft("a"));
    stops[0]!();
    await queue.enqueue(draft("b"));
    expect(heard).toEqual(["x a", "y a", "y b"]);
  });

  it("is for curators", () => {
    const { store } = openQueue();
    const reader = store.as({ owner: "local", agent: "r", roles: ["subscriber"] });
    expect(() => createJobQueue(reader)).toThrow(/use the queue of jobs.*"curator"|"curator"/);
  });
});
