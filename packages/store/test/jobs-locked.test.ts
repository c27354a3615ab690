import { createDatabase } from "@toolrack/testkit/databases";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createPostgresStore } from "../src/store/postgres.ts";
import { createJobQueue } from "../src/jobs/create-job-queue.ts";
import { insideOf } from "../src/store/create-store.ts";

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.stop());

it("a server that looks for due jobs passes over those that another one is about to take, and does not wait for it", async () => {
  const connectionString = await createDatabase(postgres);
  const [here, there] = [await createPostgresStore({ connectionString }), await createPostgresStore({ connectionString })];
  const queue = createJobQueue(here);
  for (const subject of ["a", "b"]) await queue.enqueue({ kind: "call", caller: "ann", subject, payload: {} });
  const { owner } = here.actor;
  const taken = await insideOf(here).engine.writeAudit(async (mine) => {
    const own = await mine.lockDueJobs(owner, ["call"], "ann", Date.now() + 1_000, 1);
    const theirs = await insideOf(there).engine.writeAudit((tx) => tx.lockDueJobs(owner, ["call"], "ann", Date.now() + 1_000, 2));
    return [own, theirs].map((rows) => rows.map(({ subject }) => subject));
  });
  expect(taken).toEqual([["a"], ["b"]]);
  await Promise.all([here.close(), there.close()]);
});
