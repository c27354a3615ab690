import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { expect, it } from "vitest";

it("the status of a cluster is told without its store, as far as it goes", async () => {
  const rack = await openTestRack({ folder: temporaryFolder(), config: { store: { sqlite: "data/toolrack.db" } } });
  const server = serverOver(rack);
  expect((await server.ask("GET", "/status")).body).toMatchObject({
    ready: true,
    servers: [{ isThis: true, status: "active", config: "same", masterKey: "same" }],
    store: { kind: "sqlite" },
    unrecordedCalls: 0,
    waiting: { approvals: 0, configChanges: 0, unwrittenEnds: 0 },
  });
  await rack.store.close();
  await expect
    .poll(async () => (await server.ask("GET", "/status")).body, { timeout: 60_000 })
    .toMatchObject({
      ready: false,
      checks: { store: "unavailable", masterKey: "unknown", migrations: "unknown" },
      problems: [expect.stringContaining("does not answer")],
    });
  const { status, body } = await server.ask("GET", "/status");
  expect(status).toBe(200);
  expect(body).not.toHaveProperty("servers");
  expect(body.store).not.toHaveProperty("newestChange");
});
