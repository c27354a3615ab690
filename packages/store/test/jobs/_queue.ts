import { createFakeClock, type FakeClock } from "@toolrack/core/testing";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import type { Engine, Writes } from "../../src/engine/engine.ts";
import { createMemoryEngine } from "../../src/engines/memory/memory.ts";
import { createJobQueue } from "../../src/jobs/create-job-queue.ts";
import type { JobDraft, JobEvent, JobQueue, JobQueueOptions } from "../../src/jobs/job-queue.ts";
import { createStore } from "../../src/store/create-store.ts";
import type { BreadcrumbStore } from "../../src/store/store.ts";

export interface OpenQueue {
  readonly queue: JobQueue;
  readonly store: BreadcrumbStore;
  readonly clock: FakeClock;
  /** What the store was asked, with the milliseconds since the beginning. */
  readonly asked: { readonly name: string; readonly at: number; readonly args: readonly unknown[] }[];
  /** What was told: "added a". */
  readonly events: JobEvent[];
  /** Replaces parts of the engine, or of its transactions. */
  readonly change: { engine: Partial<Engine>; tx: Partial<Writes> };
}

/** A queue in memory with a clock that stands still at 1_000_000. */
export function openQueue(options?: JobQueueOptions): OpenQueue {
  const clock = createFakeClock(begin);
  const asked: OpenQueue["asked"] = [];
  const change: OpenQueue["change"] = { engine: {}, tx: {} };
  const watched = <Part extends object>(part: Part, changed: () => Partial<Part>): Part =>
    new Proxy(part, {
      get(target, name: string) {
        const value = (changed()[name as keyof Part] ?? target[name as keyof Part]) as unknown;
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          asked.push({ name, at: clock.now() - begin, args });
          return (value as (...all: unknown[]) => unknown).apply(target, args);
        };
      },
    });
  const memory = createMemoryEngine();
  const inside: Engine = { ...memory, writeAudit: (work) => memory.writeAudit((tx) => work(watched(tx, () => change.tx))) };
  const store = createStore(
    watched(inside, () => change.engine),
    { clock },
  );
  afterThisTest(() => store.close());
  const queue = createJobQueue(store, options);
  const events: JobEvent[] = [];
  queue.subscribe((event) => void events.push(event));
  return { queue, store, clock, asked, events, change };
}

const begin = 1_000_000;

export const draft = (subject: string, more: Partial<JobDraft> = {}): JobDraft => ({
  kind: "call",
  caller: "ann",
  subject,
  payload: {},
  ...more,
});

/** Everything that needs no time has happened. */
export async function allTurns(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Lets time pass in small steps, so that whatever is asked at a moment is answered at it. */
export async function pass(clock: FakeClock, milliseconds: number, step = 500): Promise<void> {
  await allTurns();
  for (let passed = 0; passed < milliseconds; passed += step) {
    await clock.advance(Math.min(step, milliseconds - passed));
    await allTurns();
  }
}
