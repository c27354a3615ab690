import { createFakeClock } from "@toolrack/core/testing";
import { createJobQueue } from "../../jobs/create-job-queue.ts";
import type { JobHandler, JobOutcome } from "../../jobs/job-queue.ts";
import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import { added, draft, event, fine, jumpingClock, pass, passing, vanish } from "./_jobs.ts";
import type { OpenStore } from "./open.ts";

/** What becomes of jobs whose server ended, or is believed to have. */
export function lostJobsContract(open: OpenStore): void {
  describe("the queue of jobs of servers that end", () => {
    it("takes over jobs of servers that ended after a growing pause, and after three in a row gives the job up, naming the last", async () => {
      const clock = createFakeClock(1_000_000);
      const store = await open({ clock });
      const queue = createJobQueue(store);
      const gone = new Set<string>();
      const hang: JobHandler = () => new Promise(() => undefined);
      const more = { hasEnded: (name: string) => gone.has(name), pollMs: 500, random: () => 0.5 };
      const job = added(await queue.enqueue(draft("a", { tries: 1 })));
      const keys: string[] = [];
      const waits: number[] = [];
      let endedAt = clock.now();
      for (const holder of ["one", "two", "three"]) {
        const begun = event(queue, "started");
        const call: JobHandler = (run) => (keys.push(run.key), hang(run));
        const worker = queue.work({ call }, { ...more, holder: () => holder });
        const started = await passing(clock, queue, begun);
        expect(started).toMatchObject({ holder: expect.stringContaining(holder) });
        waits.push(clock.now() - endedAt);
        vanish(worker);
        gone.add(holder);
        endedAt = clock.now();
      }
      // Eleven seconds, then 44; a look of another server comes first, and the clock goes by steps of half a second.
      expect(waits[0]).toBeLessThan(1_000);
      expect([waits[1]! >= 11_000, waits[1]! < 18_000, waits[2]! >= 44_000, waits[2]! < 51_000]).toEqual([true, true, true, true]);
      expect(await queue.get(job.id)).toMatchObject({
        error: { code: "SERVER_LOST", message: expect.stringMatching(/^Server "two" stopped while running it\.$/) },
      });
      const died = event(queue, "dead");
      const last = queue.work({ call: fine }, { ...more, holder: () => "four" });
      expect(await passing(clock, queue, died)).toMatchObject({
        id: job.id,
        lost: 3,
        attempt: 3,
        error: { code: "SERVER_LOST", message: expect.stringContaining('Server "three" stopped while running it, as 2 others') },
      });
      expect(clock.now() - endedAt).toBeLessThan(10_000);
      expect(new Set(keys).size).toBe(1);
      await passing(clock, queue, last.close());
    });

    it("does not believe a clock that jumps: a server that renews its lease keeps its jobs, a silent one loses them", async () => {
      const clock = jumpingClock();
      const queue = createJobQueue(await open({ clock }));
      let end: (outcome: JobOutcome) => void = () => undefined;
      let runs = 0;
      const call: JobHandler = () => {
        runs += 1;
        return new Promise((resolve) => (end = resolve));
      };
      const begun = event(queue, "started");
      const one = queue.work({ call }, { holder: () => "one", pollMs: 500 });
      const job = added(await queue.enqueue(draft("a")));
      await passing(clock, queue, begun);
      let endTwo: (outcome: JobOutcome) => void = () => undefined;
      const two = queue.work({ call: () => new Promise((resolve) => (endTwo = resolve)) }, { holder: () => "two", pollMs: 500 });
      clock.jump(3_600_000);
      for (let step = 0; step < 200; step++) await pass(clock, queue, 500);
      expect([runs, (await queue.get(job.id))?.holder]).toEqual([1, expect.stringMatching(/^one/)]);
      vanish(one);
      const taken = event(queue, "started");
      expect(await passing(clock, queue, taken)).toMatchObject({ holder: expect.stringMatching(/^two/), attempt: 2 });
      end({ done: { late: true } });
      for (let step = 0; step < 20; step++) await pass(clock, queue, 500);
      expect(await queue.get(job.id)).toMatchObject({ state: "running", holder: expect.stringMatching(/^two/) });
      const done = event(queue, "done");
      endTwo({ done: { did: "a" } });
      expect(await passing(clock, queue, done)).toMatchObject({ attempt: 2, lost: 0, result: { did: "a" } });
      await passing(clock, queue, two.close());
      expect((await queue.get(job.id))?.result).toEqual({ did: "a" });
    });

    it("tells that a job which was to be cancelled ended with its server, and does not run it again", async () => {
      const clock = createFakeClock(1_000_000);
      const queue = createJobQueue(await open({ clock }));
      const begun = event(queue, "started");
      const one = queue.work({ call: () => new Promise(() => undefined) }, { holder: () => "one", pollMs: 500 });
      const job = added(await queue.enqueue(draft("a")));
      await passing(clock, queue, begun);
      vanish(one);
      await queue.cancel(job.id);
      const told: string[] = [];
      queue.subscribe(({ type }) => void told.push(type));
      const over = event(queue, "cancelled");
      const two = queue.work({ call: fine }, { holder: () => "two", hasEnded: (name) => name === "one", pollMs: 500 });
      expect(await passing(clock, queue, over)).toMatchObject({ id: job.id, state: "cancelled" });
      for (let step = 0; step < 10; step++) await pass(clock, queue, 500);
      expect(told).toEqual(["cancelled"]);
      await passing(clock, queue, two.close());
    });

    it("holds on to a job that it claims again while its own earlier run, which another server gave up, goes on", async () => {
      const clock = createFakeClock(1_000_000);
      const queue = createJobQueue(await open({ clock }));
      const runs: { readonly signal: AbortSignal; end(): void }[] = [];
      const call: JobHandler = ({ signal }) => new Promise((resolve) => runs.push({ signal, end: () => resolve({ done: {} }) }));
      const one = queue.work({ call }, { holder: () => "one", pollMs: 500 });
      const job = added(await queue.enqueue(draft("a")));
      while (runs.length < 1) await pass(clock, queue, 500);
      let isGone = true;
      const freed = event(queue, "retry").then(() => (isGone = false));
      const two = queue.work({ other: fine }, { holder: () => "two", hasEnded: () => isGone, pollMs: 500 });
      await passing(clock, queue, freed);
      while (runs.length < 2) await pass(clock, queue, 500);
      expect([runs[0]!.signal.aborted, runs[1]!.signal.aborted]).toEqual([true, false]);
      runs[0]!.end();
      for (let step = 0; step < 60; step++) await pass(clock, queue, 500);
      expect([runs.length, one.running()]).toEqual([2, 1]);
      const done = event(queue, "done");
      runs[1]!.end();
      expect(await passing(clock, queue, done)).toMatchObject({ id: job.id, attempt: 2 });
      await passing(clock, queue, Promise.all([one.close(), two.close()]));
    });
  });
}
