import { defineTool } from "@toolrack/core";
import { bundleProgram, removeProgram, startProgram } from "@toolrack/testkit/child-server";
import { createDatabase } from "@toolrack/testkit/databases";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Rack } from "../../../src/rack/rack.ts";

let server: TestPostgres;
let serving: string;

beforeAll(async () => {
  [server, serving] = await Promise.all([startPostgres(), bundleProgram(new URL("../programs/serving.ts", import.meta.url))]);
});
afterAll(async () => {
  removeProgram(serving);
  await server?.stop();
});

/** A database of its own for each test. */
async function freshDatabase(): Promise<string> {
  return createDatabase(server);
}

/** Two servers on one database. */
async function openBoth(connectionString: string): Promise<readonly [Rack, Rack]> {
  let runs = 0;
  const count_ = defineTool({ name: "count", description: "Counts.", inputSchema: { type: "object" }, handler: () => ({ run: ++runs }) });
  const hold = defineTool({
    name: "hold",
    description: "Runs until it is cancelled or let go.",
    inputSchema: { type: "object" },
    handler: (_input, { signal }) =>
      new Promise<{ held: boolean }>((resolve, reject) => {
        release = () => resolve({ held: true });
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
  });
  const send = defineTool({ name: "send", description: "Sends.", inputSchema: { type: "object" }, handler: () => "sent" });
  const options = {
    environment: { DATABASE_URL: connectionString },
    config: { policy: { tools: { ask: ["send"] } } },
    tools: [count_, hold, send],
    handlers: { greet: () => "hello" },
  };
  return [await openTestRack(options), await openTestRack(options)];
}

/** Lets the held call go; undefined before one is held. */
let release: (() => void) | undefined;

describe("two servers on one database", () => {
  it("agree on definitions, policy, switches, configuration and keys", async () => {
    const [a, b] = await openBoth(await freshDatabase());
    const written = await a.store.put({
      schema_name: "tool.definition.v1",
      context: { name: "greet", description: "Greets.", inputSchema: { type: "object", properties: {} } },
    });
    expect(written.ok).toBe(true);
    await until(() => b.registry.has("greet"));
    expect(await b.call("greet", {}, { caller: {} }).result).toMatchObject({ ok: true, content: "hello" });

    await a.settings.set("policy.agents.guest", { tools: { deny: ["greet"] } }, "root");
    await until(() => !b.registry.explain("greet", { agent: "guest" }).allowed);
    expect(b.settings.get("policy.agents.guest")?.origin).toBe("record setting-policy.agents.guest v1");
    await b.settings.set("tools.count", { enabled: false, reason: "Broken." }, "root");
    await until(() => !a.registry.list().some(({ name }) => name === "count"));
    await b.settings.reset("tools.count", "root");
    await until(() => a.registry.list().some(({ name }) => name === "count"));

    await a.configs.save("greet", { volume: 3 });
    await until(async () => (await b.configs.get("greet"))?.["volume"] === 3);

    const { id, secret } = await a.keys.create({ agent: "guest", roles: [], by: "root" });
    expect(await b.keys.verify(secret)).toMatchObject({ agent: "guest" });
    await b.keys.revoke(id, "root");
    expect(await b.keys.verify(secret)).toBeUndefined();
    await until(async () => (await a.keys.verify(secret)) === undefined);
  });

  it("show and decide each other's approvals, and both remember a yes", async () => {
    const [a, b] = await openBoth(await freshDatabase());
    const caller = { agent: "helper", session: "s1" };
    const call = a.call("send", {}, { caller });
    await until(async () => (await b.approvals.list()).length === 1);
    const [question] = await b.approvals.list();
    await b.approvals.decide(question!.id, { approved: true, scope: "session", digest: question!.digest, by: "boss" });
    expect(await call.result).toMatchObject({ ok: true, content: "sent" });
    expect(await b.call("send", {}, { caller }).result).toMatchObject({ ok: true });
    await until(async () => (await a.approvals.remembered()).length === 1);
    expect(await a.call("send", {}, { caller }).result).toMatchObject({ ok: true });
  });

  it("make a call with one idempotency key once", async () => {
    const [a, b] = await openBoth(await freshDatabase());
    const make = (rack: Rack): Promise<unknown> => rack.call("count", { x: 1 }, { caller: { agent: "w" }, idempotencyKey: "k" }).result;
    const results = await Promise.all([a, b, a, b].map(make));
    for (const result of results) expect(result).toEqual(results[0]);
    expect(results[0]).toMatchObject({ ok: true, data: { run: 1 } });
  });

  it("wait for and cancel each other's calls", async () => {
    const [a, b] = await openBoth(await freshDatabase());
    release = undefined;
    const first = a.call("hold", {}, { caller: { agent: "worker" } });
    await until(async () => (await b.running.find(first.callId)) !== undefined);
    expect(await b.running.find(first.callId)).toMatchObject({ caller: { agent: "worker" }, isRunning: true });
    const waiting = b.running.waitFor(first.callId, { timeoutMs: 20_000 });
    await expect(b.running.waitFor(first.callId, { timeoutMs: 50 })).rejects.toMatchObject({ code: "TIMEOUT" });
    await until(() => release !== undefined);
    release!();
    expect(await waiting).toMatchObject({ ok: true, data: { held: true } });
    const second = a.call("hold", {}, { caller: { agent: "worker" } });
    await until(async () => (await b.running.find(second.callId)) !== undefined);
    await b.running.cancel(second.callId, "Enough.");
    expect(await second.result).toMatchObject({ ok: false, code: "ABORTED" });
    expect(await b.running.listAll()).toEqual([]);
  });

  it("go on when another one is killed, whose calls end as aborted for whoever waits, and when the database starts anew", async () => {
    const connectionString = await freshDatabase();
    const [a, b] = await openBoth(connectionString);
    const third = startProgram(serving, connectionString);
    await until(() => third.lines.length === 2);
    const lost = (third.lines as { ran: string }[]).map(({ ran }) => ran);
    const waiting = a.running.waitFor(lost[0]!, { timeoutMs: 40_000 });
    const before = await b.call("count", {}, { caller: {} }).result;
    await third.end("SIGKILL");
    expect(await b.call("count", {}, { caller: {} }).result).toMatchObject({ ok: true });
    expect(before.ok).toBe(true);
    expect(await waiting).toMatchObject({ ok: false, code: "ABORTED" });
    expect(await b.calls.show(lost[1]!)).toMatchObject({ ok: false, code: "ABORTED" });

    if (server.restart === undefined) return;
    await server.restart();
    await until(async () => (await b.call("count", {}, { caller: {} }).result).ok);
    await until(() =>
      a.settings.set("policy.agents.guest", { tools: { deny: ["count"] } }, "root").then(
        () => true,
        () => false,
      ),
    );
    await until(() => !b.registry.explain("count", { agent: "guest" }).allowed);
    const { callId } = (await a.call("count", {}, { caller: {} }).result).meta;
    await until(async () => (await b.calls.show(callId).catch(() => undefined)) !== undefined);
  });
});
