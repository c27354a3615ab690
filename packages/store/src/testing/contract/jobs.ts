import { createFakeClock } from "@toolrack/core/testing";
import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import { createJobQueue } from "../../jobs/create-job-queue.ts";
import type { Job, JobHandler, JobOutcome, JobQueue } from "../../jobs/job-queue.ts";
import { added, asOne, draft, event, fine, pass, passing } from "./_jobs.ts";
import { note, written } from "./_samples.ts";
import type { OpenStore, OpenTwo } from "./open.ts";

export function jobsContract(open: OpenStore): void {
  describe("the queue of jobs", () => {
    it("runs a job once, and stores its result", async () => {
      const queue = createJobQueue(await open());
      const ran: string[] = [];
      const worker = queue.work({ call: async ({ job }) => (ran.push(job.subject), { done: { n: 1 } }) }, asOne());
      const over = event(queue, "done");
      const job = added(await queue.enqueue(draft("a", { origin: "schedule:x" })));
      expect(job).toMatchObject({ state: "waiting", attempt: 0, kind: "call", caller: "ann", origin: "schedule:x", tries: 1 });
      expect(await over).toMatchObject({ id: job.id, state: "done", result: { n: 1 }, attempt: 1, holder: undefined });
      expect(await queue.get(job.id)).toEqual(await over);
      await worker.close();
      expect([ran, worker.running()]).toEqual([["a"], 0]);
      expect(await queue.counts()).toEqual({ waiting: 0, running: 0, done: 1, dead: 0, cancelled: 0 });
      expect(await queue.get("none")).toBeUndefined();
    });

    it("adds a job with the transaction of its cause or not at all, and wakes nobody before the commit", async () => {
      const store = await open();
      const queue = createJobQueue(store);
      const seen: string[] = [];
      queue.subscribe(({ type }) => void seen.push(type));
      await store.transaction(async (tx) => {
        written(await tx.put(note("cause")));
        added(await queue.enqueue(draft("with"), tx));
        expect(seen).toEqual([]);
      });
      const failing = store.transaction(async (tx) => {
        await queue.enqueue(draft("without"), tx);
        throw new Error("changed its mind");
      });
      await expect(failing).rejects.toThrow("changed its mind");
      expect((await queue.list()).map(({ subject }) => subject)).toEqual(["with"]);
      expect(seen).toEqual(["added"]);
      await expect(queue.enqueue(draft("a"), store)).rejects.toMatchObject({ code: "QUERY_INVALID" });
    });

    it("answers a second job with the same key with the first one, for each caller and kind", async () => {
      const queue = createJobQueue(await open());
      const first = added(await queue.enqueue(draft("a", { key: "k" })));
      expect(await queue.enqueue(draft("b", { key: "k" }))).toMatchObject({ ok: true, isNew: false, job: { id: first.id, subject: "a" } });
      expect(await queue.enqueue(draft("b", { key: "k", caller: "bob" }))).toMatchObject({ ok: true, isNew: true });
      expect(await queue.enqueue(draft("b", { key: "k", kind: "delivery" }))).toMatchObject({ ok: true, isNew: true });
      const both = await queue.enqueueAll([draft("x", { key: "x" }), draft("y", { key: "x" })]);
      expect(both.map((one) => one.ok && one.isNew)).toEqual([true, false]);
      expect(await queue.list()).toHaveLength(4);
    });

    it("lists jobs, the newest first: by state, kind, caller and origin, page by page", async () => {
      const queue = createJobQueue(await open());
      const jobs = [
        added(await queue.enqueue(draft("a"))),
        added(await queue.enqueue(draft("b", { kind: "delivery" }))),
        added(await queue.enqueue(draft("c", { caller: "bob" }))),
        added(await queue.enqueue(draft("d", { origin: "schedule:x" }))),
      ].sort((one, other) => (one.id < other.id ? 1 : -1));
      const cancelled = jobs.find(({ subject }) => subject === "a")!;
      await queue.cancel(cancelled.id);
      const ids = async (query: Parameters<JobQueue["list"]>[0]): Promise<readonly string[]> =>
        (await queue.list(query)).map(({ id }) => id);
      const where = (isWanted: (job: Job) => boolean): readonly string[] => jobs.filter(isWanted).map(({ id }) => id);
      expect(await ids({})).toEqual(jobs.map(({ id }) => id));
      expect(await ids({ state: "waiting" })).toEqual(where((job) => job !== cancelled));
      expect(await ids({ kind: "delivery" })).toEqual(where(({ kind }) => kind === "delivery"));
      expect(await ids({ caller: "ann" })).toEqual(where(({ caller }) => caller === "ann"));
      expect(await ids({ origin: "schedule:x" })).toEqual(where(({ origin }) => origin === "schedule:x"));
      expect(await ids({ kind: "delivery", caller: "bob" })).toEqual([]);
      expect(await ids({ limit: 2 })).toEqual(jobs.slice(0, 2).map(({ id }) => id));
      expect(await ids({ after: jobs[1]!.id })).toEqual(jobs.slice(2).map(({ id }) => id));
      expect(await queue.dead()).toEqual([]);
    });

    it("refuses what it could not store, and more waiting jobs than a caller may have", async () => {
      const store = await open();
      const queue = createJobQueue(store, { maxWaitingPerCaller: 2 });
      for (const wrong of [{ caller: "" }, { subject: "a\0" }, { key: "\ud800" }, { tries: 0 }, { tries: 1.5 }, { delaysMs: [] }])
        await expect(queue.enqueue(draft("a", wrong))).rejects.toMatchObject({ code: "RECORD_INVALID" });
      await expect(queue.schedule(draft("a"), Number.NaN)).rejects.toMatchObject({ code: "RECORD_INVALID" });
      await expect(queue.enqueue(draft("a", { payload: { text: "x".repeat(1_100_000) } }))).rejects.toMatchObject({
        code: "RECORD_TOO_LARGE",
      });
      expect((await queue.enqueueAll([draft("a"), draft("b"), draft("c")])).map(({ ok }) => ok)).toEqual([false, false, false]);
      expect(await queue.list()).toEqual([]);
      for (const name of ["a", "b"]) added(await queue.enqueue(draft(name)));
      expect(await queue.enqueue(draft("c"))).toMatchObject({
        ok: false,
        code: "full",
        message: expect.stringContaining("2 waiting jobs"),
      });
      const inside = await store.transaction((tx) => queue.enqueue(draft("c"), tx));
      expect(inside).toMatchObject({ ok: false, code: "full" });
      added(await queue.enqueue(draft("c", { caller: "bob" })));
      const odd = { __proto__x: "\0", text: "\ud800 \u0000" };
      const stored = added(await queue.enqueue(draft("d", { caller: "eve", payload: odd })));
      expect((await queue.get(stored.id))?.payload).toEqual(odd);
      expect(() => createJobQueue(store.as({ owner: store.actor.owner, agent: "r", roles: ["subscriber"] }))).toThrow(/curator/);
    });

    it("adds the jobs of others at the same moment although one caller has too many, and answers each with its own", async () => {
      const queue = createJobQueue(await open(), { maxWaitingPerCaller: 1 });
      const first = added(await queue.enqueue(draft("a", { caller: "ann", key: "k" })));
      const answers = await Promise.all([
        queue.enqueue(draft("b", { caller: "bob" })),
        queue.enqueue(draft("c", { caller: "ann" })),
        queue.enqueue(draft("d", { caller: "ann", key: "k" })),
        queue.enqueueAll([draft("e", { caller: "eve" }), draft("f", { caller: "eve" })]).then(([one]) => one!),
        queue.enqueue(draft("g", { caller: "gil" })),
      ]);
      expect(answers.map((one) => (one.ok ? one.job.subject : one.code))).toEqual(["b", "full", "a", "full", "g"]);
      expect(answers[2]).toMatchObject({ isNew: false, job: { id: first.id } });
      expect((await queue.list()).map(({ subject }) => subject).sort()).toEqual(["a", "b", "g"]);
    });

    it("starts a job when it is due, and not before", async () => {
      const clock = createFakeClock(1_000_000);
      const queue = createJobQueue(await open({ clock }));
      const started: string[] = [];
      queue.subscribe(({ type, job }) => void (type === "started" && started.push(`${job.subject} ${job.startedAt! >= job.dueAt}`)));
      const worker = queue.work({ call: fine }, asOne({ pollMs: 500 }));
      const over = event(queue, "done");
      added(await queue.schedule(draft("later"), clock.now() + 3_600_000));
      const soon = added(await queue.schedule(draft("soon"), clock.now() + 60_000));
      await passing(clock, queue, over);
      expect(started).toEqual(["soon true"]);
      expect((await queue.get(soon.id))?.state).toBe("done");
      const [later] = await queue.list({ state: "waiting" });
      const next = event(queue, "done");
      expect(await queue.retry(later!.id)).toMatchObject({ ok: true, job: { state: "waiting" } });
      expect(await passing(clock, queue, next)).toMatchObject({ subject: "later" });
      expect(clock.now()).toBeLessThan(1_000_000 + 3_600_000);
      await passing(clock, queue, worker.close());
      expect(await queue.retry(soon.id)).toMatchObject({ ok: false, code: "state", message: expect.stringContaining("done") });
      expect(await queue.retry("none")).toMatchObject({ ok: false, code: "not-found" });
    });

    it("starts a job at its time, however seldom it looks for those of other processes", async () => {
      const clock = createFakeClock(1_000_000);
      const queue = createJobQueue(await open({ clock }));
      const worker = queue.work({ call: fine }, asOne({ pollMs: 60_000 }));
      const over = event(queue, "done");
      const job = added(await queue.schedule(draft("soon"), clock.now() + 20_000));
      expect(await passing(clock, queue, over)).toMatchObject({ id: job.id });
      expect((await queue.get(job.id))!.startedAt! - job.dueAt < 5_000).toBe(true);
      await passing(clock, queue, worker.close());
    });

    it("tries again after each delay with a little chance, then lists it as dead, and replays it", async () => {
      const clock = createFakeClock(1_000_000);
      const queue = createJobQueue(await open({ clock }));
      let outcome: JobOutcome = { retry: { code: "DOWN", message: "not now" } };
      const keys: string[] = [];
      const starts: number[] = [];
      const call: JobHandler = async ({ key }) => (keys.push(key), starts.push(clock.now()), outcome);
      const worker = queue.work({ call }, asOne({ pollMs: 500 }));
      const died = event(queue, "dead");
      const job = added(await queue.enqueue(draft("a", { tries: 3, delaysMs: [10_000, 100_000] })));
      expect(await passing(clock, queue, died)).toMatchObject({
        state: "dead",
        failed: 3,
        attempt: 3,
        error: { code: "DOWN", message: "not now" },
      });
      const waits = [starts[1]! - starts[0]!, starts[2]! - starts[1]!];
      expect(waits[0]! >= 10_000 && waits[0]! <= 17_000).toBe(true);
      expect(waits[1]! >= 100_000 && waits[1]! <= 125_000).toBe(true);
      expect(new Set(keys).size).toBe(3);
      expect((await queue.dead()).map(({ id }) => id)).toEqual([job.id]);
      outcome = { done: {} };
      const done = event(queue, "done");
      expect(await queue.replay(job.id)).toMatchObject({ ok: true, job: { id: job.id, state: "waiting", failed: 0 } });
      expect(await passing(clock, queue, done)).toMatchObject({ id: job.id, attempt: 4, error: undefined });
      expect([new Set(keys).size, await queue.dead()]).toEqual([4, []]);
      expect(await queue.replay(job.id)).toMatchObject({ ok: false, code: "state" });
      await passing(clock, queue, worker.close());
    });

    it("a job that throws, or fails for good, does not stop the others", async () => {
      const queue = createJobQueue(await open());
      const call: JobHandler = async ({ job }) => {
        if (job.subject === "throws") throw new Error("poison");
        return job.subject === "wrong" ? { dead: { code: "WRONG", message: "never" } } : { done: { text: "x".repeat(1_100_000) } };
      };
      const worker = queue.work({ call }, asOne({ slots: 1 }));
      const over = event(queue, "done");
      await queue.enqueueAll([draft("throws"), draft("wrong", { tries: 5 }), draft("good")]);
      expect(await over).toMatchObject({ subject: "good", result: undefined, error: { code: "RESULT_TOO_LARGE" } });
      await worker.close();
      const dead = (await queue.dead()).map(({ subject, error, failed }) => [subject, error?.code, failed]);
      expect(dead).toEqual([
        ["wrong", "WRONG", 1],
        ["throws", "HANDLER_FAILED", 1],
      ]);
    });

    it("gives callers turns, however many jobs one of them has, and keeps to its slots", async () => {
      const queue = createJobQueue(await open());
      await queue.enqueueAll(Array.from({ length: 30 }, (_, index) => draft(`a${index}`, { caller: "ann" })));
      await queue.enqueueAll(["bob", "cleo"].flatMap((caller) => [0, 1].map((index) => draft(`${caller}${index}`, { caller }))));
      const order: string[] = [];
      const left: Record<string, number> = { ann: 30, bob: 2, cleo: 2 };
      const running: { readonly caller: string; end(): void }[] = [];
      let [most, mostOfAnn] = [0, 0];
      /** Each waits until as many run as may, so that how fast the store is decides nothing. */
      const call: JobHandler = async ({ job }) => {
        order.push(job.subject);
        const over = new Promise<void>((end) => running.push({ caller: job.caller, end }));
        most = Math.max(most, running.length);
        mostOfAnn = Math.max(mostOfAnn, running.filter(({ caller }) => caller === "ann").length);
        const possible = Object.values(left).reduce((sum, count) => sum + Math.min(2, count), 0);
        if (running.length >= Math.min(3, possible))
          for (const { caller, end } of running.splice(0)) {
            left[caller]! -= 1;
            end();
          }
        await over;
        return { done: {} };
      };
      const all = new Promise<void>((resolve) => {
        let open = 34;
        queue.subscribe(({ type }) => void (type === "done" && --open === 0 && resolve()));
      });
      const worker = queue.work({ call }, asOne({ slots: 3, slotsPerCaller: 2 }));
      await all;
      await worker.close();
      expect([most, mostOfAnn]).toEqual([3, 2]);
      // Both of bob's and cleo's are among the first turns; ann's begin in the order of their addition.
      for (const one of ["bob1", "cleo1"]) expect(order.indexOf(one)).toBeLessThan(12);
      expect(order.filter((one) => one.startsWith("a"))).toEqual(Array.from({ length: 30 }, (_, index) => `a${index}`));
    });

    it("lets callers with many jobs each run one in turn, and shares free slots between them", async () => {
      for (const [slots, expected] of [
        [1, ["a0", "b0", "a1", "b1", "a2", "b2"]],
        [4, ["a0", "a1", "b0", "b1"]],
      ] as const) {
        const queue = createJobQueue(await open());
        await queue.enqueueAll(["a", "b"].flatMap((caller) => [0, 1, 2].map((index) => draft(`${caller}${index}`, { caller }))));
        const order: string[] = [];
        let end: () => void = () => undefined;
        const held = new Promise<void>((resolve) => (end = resolve));
        const call: JobHandler = async ({ job }) => {
          order.push(job.subject);
          if (slots > 1) await held;
          return { done: {} };
        };
        const worker = queue.work({ call }, asOne({ slots, slotsPerCaller: 4 }));
        await expect.poll(() => order.length >= expected.length).toBe(true);
        expect([...order]).toEqual(expected);
        end();
        await worker.close();
      }
    });

    it("runs at most so many jobs of one caller at once, whatever slots are free", async () => {
      const clock = createFakeClock(1_000_000);
      const queue = createJobQueue(await open({ clock }));
      await queue.enqueueAll([...[0, 1, 2, 3].map((index) => draft(`a${index}`)), draft("b0", { caller: "bob" })]);
      const begun: string[] = [];
      const ends: (() => void)[] = [];
      const call: JobHandler = ({ job }) =>
        new Promise((resolve) => {
          begun.push(job.subject);
          ends.push(() => resolve({ done: {} }));
        });
      const worker = queue.work({ call }, asOne({ slots: 8, slotsPerCaller: 2, pollMs: 500 }));
      while (begun.length < 3) await pass(clock, queue, 500);
      for (let step = 0; step < 10; step++) await pass(clock, queue, 500);
      expect(begun.toSorted()).toEqual(["a0", "a1", "b0"]);
      while (begun.length < 5 || ends.length > 0) {
        ends.shift()?.();
        await pass(clock, queue, 500);
      }
      await passing(clock, queue, worker.close());
    });

    it("cancels a waiting job at once and a running one by its signal, and leaves other kinds alone", async () => {
      const queue = createJobQueue(await open());
      const call: JobHandler = ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve({ retry: { code: "ABORTED", message: "stopped" } }));
        });
      const worker = queue.work({ call }, asOne());
      const started = event(queue, "started");
      const running = added(await queue.enqueue(draft("a", { tries: 9 })));
      const other = added(await queue.enqueue(draft("b", { kind: "delivery" })));
      await started;
      const over = event(queue, "cancelled", running.id);
      expect(await queue.cancel(running.id)).toMatchObject({ ok: true, job: { state: "running", isCancelling: true } });
      expect(await over).toMatchObject({ state: "cancelled", isCancelling: false, error: { code: "ABORTED" } });
      expect(await queue.cancel(other.id)).toMatchObject({ ok: true, job: { state: "cancelled", attempt: 0 } });
      expect(await queue.cancel(other.id)).toMatchObject({ ok: false, code: "state" });
      expect(await queue.cancel("none")).toMatchObject({ ok: false, code: "not-found" });
      await worker.close();
    });

    it("stores the latest report of a running job", async () => {
      const clock = createFakeClock(1_000_000);
      const queue = createJobQueue(await open({ clock }));
      let end: (outcome: JobOutcome) => void = () => undefined;
      const call: JobHandler = ({ progress }) => {
        for (const done of [1, 2, 3]) progress({ done });
        return new Promise((resolve) => (end = resolve));
      };
      const worker = queue.work({ call }, asOne({ pollMs: 500 }));
      const reported = event(queue, "progress");
      const job = added(await queue.enqueue(draft("a")));
      expect(await passing(clock, queue, reported)).toMatchObject({ id: job.id, progress: { done: 3 } });
      end({ done: {} });
      await passing(clock, queue, worker.close());
      expect(await queue.get(job.id)).toMatchObject({ state: "done", progress: { done: 3 } });
    });

    it("waits for what runs when it is closed, and starts nothing more", async () => {
      const queue = createJobQueue(await open());
      let end: (outcome: JobOutcome) => void = () => undefined;
      const worker = queue.work({ call: () => new Promise((resolve) => (end = resolve)) }, asOne({ slots: 1 }));
      const started = event(queue, "started");
      const [first, second] = (await queue.enqueueAll([draft("a"), draft("b")])).map(added);
      await started;
      const closed = worker.close();
      end({ done: {} });
      await closed;
      expect([(await queue.get(first!.id))?.state, (await queue.get(second!.id))?.state]).toEqual(["done", "waiting"]);
      const next = queue.work({ call: async () => ({ release: true }) }, asOne());
      const released = await event(queue, "retry");
      await next.close(0);
      expect(released).toMatchObject({ id: second!.id, state: "waiting", attempt: 0, failed: 0 });
    });

    it("removes jobs that ended long ago, dead ones later, and the oldest of too many, but no dead letter for one that is done", async () => {
      const clock = createFakeClock(1_000_000);
      const times = { keepMs: 200_000, keepDeadMs: 2_000_000, keepAtLeastMs: 70_000 };
      const queue = createJobQueue(await open({ clock }), { ...times, maxEnded: 3 });
      const call: JobHandler = async ({ job }) => (job.subject === "dead" ? { dead: { code: "X", message: "x" } } : { done: {} });
      const worker = queue.work({ call }, asOne({ pollMs: 500 }));
      const finished = (subjects: readonly string[]): Promise<unknown> =>
        Promise.all(
          subjects.map(async (subject) => {
            const job = added(await queue.enqueue(draft(subject)));
            return Promise.race([event(queue, "done", job.id), event(queue, "dead", job.id)]);
          }),
        );
      await passing(clock, queue, finished(["dead", "a"]));
      for (let step = 0; step < 300; step++) await pass(clock, queue, 500);
      await passing(clock, queue, finished(["b"]));
      const trimmed = async (): Promise<readonly string[]> => {
        const names = (await queue.list()).map(({ subject }) => subject);
        return names.includes("a") ? (await pass(clock, queue, 5_000), trimmed()) : names;
      };
      expect(await trimmed()).toEqual(["b", "dead"]);
      const since = clock.now();
      for (const subject of ["c", "d", "e", "f"]) await passing(clock, queue, finished([subject]));
      const names = async (): Promise<readonly string[]> => (await queue.list()).map(({ subject }) => subject);
      while ((await names()).includes("c")) await pass(clock, queue, 5_000);
      expect(clock.now() - since >= times.keepAtLeastMs).toBe(true);
      expect((await names()).toSorted()).toEqual(["d", "dead", "e", "f"]);
      await passing(clock, queue, worker.close());
    });

    it("keeps so many dead letters, and removes those that died first", async () => {
      const clock = createFakeClock(1_000_000);
      const queue = createJobQueue(await open({ clock }), { keepAtLeastMs: 70_000, maxEnded: 2 });
      const worker = queue.work({ call: async () => ({ dead: { code: "X", message: "x" } }) }, asOne({ pollMs: 500 }));
      for (const subject of ["a", "b", "c"]) {
        const died = event(queue, "dead");
        await queue.enqueue(draft(subject));
        await passing(clock, queue, died);
      }
      for (let step = 0; step < 60; step++) await pass(clock, queue, 5_000);
      expect((await queue.dead()).map(({ subject }) => subject)).toEqual(["c", "b"]);
      await passing(clock, queue, worker.close());
    });

    it("tells since when a job is due, of those that wait longest", async () => {
      const clock = createFakeClock(1_000_000);
      const queue = createJobQueue(await open({ clock }));
      expect(await queue.oldestDueAt(["call"])).toBeUndefined();
      await queue.schedule(draft("later"), clock.now() + 60_000);
      await queue.enqueue(draft("other", { kind: "other" }));
      expect(await queue.oldestDueAt(["call"])).toBeUndefined();
      const first = added(await queue.enqueue(draft("now")));
      await clock.advance(90_000);
      await queue.enqueue(draft("newer"));
      expect(await queue.oldestDueAt(["call"])).toBe(first.dueAt);
    });

    it("replays no more jobs of a caller than may wait", async () => {
      const queue = createJobQueue(await open(), { maxWaitingPerCaller: 2 });
      const first = added(await queue.enqueue(draft("a")));
      await queue.cancel(first.id);
      for (const subject of ["b", "c"]) await queue.enqueue(draft(subject));
      expect(await queue.replay(first.id)).toMatchObject({ ok: false, code: "state", message: expect.stringContaining("2 waiting jobs") });
      expect(await queue.counts()).toMatchObject({ waiting: 2, cancelled: 1 });
      await queue.cancel((await queue.list({ state: "waiting" }))[0]!.id);
      expect(await queue.replay(first.id)).toMatchObject({ ok: true });
    });
  });
}

/** What workers of several processes promise. */
export function sharedJobsContract(openTwo: OpenTwo): void {
  describe("a shared queue of jobs", () => {
    it("runs each of many jobs once, on both servers", async () => {
      const stores = await openTwo();
      const queues = stores.map((store) => createJobQueue(store));
      const ran: string[] = [];
      const count = 120;
      const all = new Promise<void>((resolve) => {
        let left = count;
        for (const queue of queues) queue.subscribe(({ type }) => void (type === "done" && --left === 0 && resolve()));
      });
      const busy = new Set<number>();
      let release: () => void = () => undefined;
      const bothBegan = new Promise<void>((resolve) => (release = resolve));
      const workers = queues.map((queue, index) => {
        const call: JobHandler = async ({ job }) => {
          ran.push(job.subject);
          if (busy.add(index).size === 2) release();
          await bothBegan;
          return { done: { by: index } };
        };
        return queue.work({ call }, { holder: () => `s${index}`, pollMs: 20 });
      });
      const drafts = Array.from({ length: count }, (_, index) => draft(`j${index}`, { caller: `c${index % 7}` }));
      await queues[0]!.enqueueAll(drafts);
      await all;
      await Promise.all(workers.map((worker) => worker.close()));
      expect([ran.length, new Set(ran).size]).toEqual([count, count]);
      expect(await queues[1]!.counts()).toMatchObject({ done: count, waiting: 0, running: 0 });
      const by = new Set((await queues[0]!.list({ limit: 1_000 })).map(({ result }) => result?.["by"]));
      expect(by.size).toBe(2);
    });

    it("a job that one cancels ends on the other", async () => {
      const [here, there] = (await openTwo()).map((store) => createJobQueue(store));
      const call: JobHandler = ({ signal }) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve({ dead: { code: "ABORTED", message: "x" } })));
      const worker = there!.work({ call }, { holder: () => "there", pollMs: 20 });
      const started = event(there!, "started");
      const job = added(await here!.enqueue(draft("a")));
      await started;
      const over = event(there!, "cancelled");
      await here!.cancel(job.id);
      expect(await over).toMatchObject({ id: job.id, state: "cancelled" });
      await worker.close();
    });
  });
}
