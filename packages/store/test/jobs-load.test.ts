import { createDatabase } from "@toolrack/testkit/databases";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { sized } from "@toolrack/testkit/sized";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createJobQueue } from "../src/jobs/create-job-queue.ts";
import type { JobQueue } from "../src/jobs/job-queue.ts";
import { createMemoryStore } from "../src/store/memory.ts";
import { createPostgresStore } from "../src/store/postgres.ts";
import { createSqliteStore } from "../src/store/sqlite.ts";
import type { BreadcrumbStore } from "../src/store/store.ts";

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.stop());

const openers = {
  memory: async () => createMemoryStore(),
  SQLite: () => createSqliteStore({ path: ":memory:" }),
  PostgreSQL: async () => createPostgresStore({ connectionString: await createDatabase(postgres) }),
} as const;

function untilDone(queues: readonly JobQueue[], count: number): Promise<void> {
  return new Promise((resolve) => {
    let left = count;
    for (const queue of queues) queue.subscribe(({ type }) => void (type === "done" && --left === 0 && resolve()));
  });
}

function closing<Store extends BreadcrumbStore>(store: Store): Store {
  afterThisTest(() => store.close());
  return store;
}

describe.each(["memory", "SQLite", "PostgreSQL"] as const)("many jobs that are due at once, in %s", (kind) => {
  it("are all run once, a few at a time, and a caller with one job does not wait for one with thousands", async () => {
    const count = sized(300, 10_000);
    const queue = createJobQueue(closing(await openers[kind]()), { maxWaitingPerCaller: count, maxEnded: count * 2 });
    const draft = { kind: "call", payload: {} };
    await queue.enqueueAll(Array.from({ length: count }, (_, index) => ({ ...draft, caller: "many", subject: `m${index}` })));
    await queue.enqueue({ ...draft, caller: "one", subject: "alone" });
    const order: string[] = [];
    let [now, most] = [0, 0];
    const all = untilDone([queue], count + 1);
    const worker = queue.work(
      {
        async call({ job }) {
          order.push(job.subject);
          most = Math.max(most, ++now);
          await new Promise((resolve) => setImmediate(resolve));
          now -= 1;
          return { done: {} };
        },
      },
      { holder: () => "here" },
    );
    await all;
    await worker.close();
    expect([order.length, new Set(order).size]).toEqual([count + 1, count + 1]);
    expect(most).toBeLessThanOrEqual(8);
    expect(order.indexOf("alone")).toBeLessThan(16);
    expect(await queue.counts()).toMatchObject({ waiting: 0, running: 0, done: count + 1, dead: 0 });
  }, 600_000);
});

it("four servers share a PostgreSQL queue, and no job runs twice", async () => {
  const connectionString = await createDatabase(postgres);
  const stores = await Promise.all([1, 2, 3, 4].map(async () => closing(await createPostgresStore({ connectionString }))));
  const queues = stores.map((store) => createJobQueue(store));
  const count = sized(120, 5_000);
  const ran: string[] = [];
  const all = untilDone(queues, count);
  const workers = queues.map((queue, index) =>
    queue.work({ call: async ({ job }) => (ran.push(job.subject), { done: {} }) }, { holder: () => `server-${index}`, pollMs: 20 }),
  );
  for (let start = 0; start < count; start += 40)
    await queues[(start / 40) % 4]!.enqueueAll(
      Array.from({ length: Math.min(40, count - start) }, (_, index) => ({
        kind: "call",
        caller: `c${(start + index) % 9}`,
        subject: `j${start + index}`,
        payload: {},
      })),
    );
  await all;
  await Promise.all(workers.map((worker) => worker.close()));
  expect([ran.length, new Set(ran).size]).toEqual([count, count]);
}, 600_000);
