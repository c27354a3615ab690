import { defineTool } from "@toolrack/core";
import { hasPart } from "@toolrack/core/testing";
import { isPgBouncerThere, startPgBouncer, type TestPgBouncer } from "@toolrack/testkit/pgbouncer";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let server: TestPostgres;
let pooler: TestPgBouncer;

const hello = defineTool({ name: "hello", description: "Greets.", inputSchema: { type: "object" }, handler: () => "hello" });

describe.skipIf(!hasPart("pgbouncer", isPgBouncerThere))("two servers behind PgBouncer in transaction mode", () => {
  beforeAll(async () => {
    server = await startPostgres();
    pooler = await startPgBouncer(server.connectionString, ["ignore_startup_parameters = options"]);
  });
  afterAll(async () => {
    await pooler?.stop();
    await server?.stop();
  });

  it.each([
    ["by asking", "polled", {}],
    ["over a direct connection", "listened", { listenUrl: "env:DIRECT" }],
  ])("PB6: work, and hear of each other's changes %s", async (_, schema, more) => {
    const key = Buffer.alloc(32, 7).toString("base64");
    const environment = { POOLER: pooler.connectionString, DIRECT: server.connectionString, TOOLRACK_MASTER_KEY: key };
    const config = { store: { postgres: "env:POOLER", schema: `${schema}_${process.pid}`, pollMs: 100, ...more } };
    const [here, there] = [
      await openTestRack({ config, environment, tools: [hello] }),
      await openTestRack({ config, environment, tools: [hello] }),
    ];
    expect(await here.call("hello", {}, { caller: {} }).result).toMatchObject({ ok: true, content: "hello" });
    expect(await here.calls.list()).toHaveLength(1);
    await here.secrets.set("KEY", "a secret value");
    await until(async () => (await there.secrets.list()).some(({ name }) => name === "KEY"));
    const running = there.call("hello", {}, { caller: {}, idempotencyKey: "once" });
    expect(await running.result).toMatchObject({ ok: true });
    expect((await here.call("hello", {}, { caller: {}, idempotencyKey: "once" }).result).meta.callId).toBe(running.callId);
  });
});
