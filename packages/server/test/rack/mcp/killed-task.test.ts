import { bundleProgram, removeProgram, startProgram } from "@toolrack/testkit/child-server";
import { createDatabase } from "@toolrack/testkit/databases";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, expect, it } from "vitest";

let postgres: TestPostgres;
let holding: string;
beforeAll(async () => {
  [postgres, holding] = await Promise.all([startPostgres(), bundleProgram(new URL("holding-task.ts", import.meta.url))]);
}, 120_000);
afterAll(async () => {
  removeProgram(holding);
  await postgres?.stop();
});

// fault 10; that a server of another machine is found to be silent in the set time: calls/one-sweep.test.ts
it("a task whose server is killed ends as failed on a server that was there already", async () => {
  const database = await createDatabase(postgres);
  const rack = await openTestRack({ environment: { DATABASE_URL: database }, config: {}, leaseTimes: { beatMs: 100, silentMs: 30_000 } });
  const child = startProgram(holding, database);
  await until(() => child.lines.length > 0);
  expect(await rack.tasks.get("left")).toMatchObject({ status: "working" });
  await child.end("SIGKILL");
  await until(async () => (await rack.tasks.get("left"))?.status === "failed");
  expect(await rack.tasks.get("left")).toMatchObject({
    statusMessage: expect.stringContaining("Whether the tool did its work is unknown"),
  });
});
