import { defineTool, type ToolDefinition, type ToolSource } from "@toolrack/core";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver, type TestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import type { RackConfig } from "../../../src/config/config.ts";
import type { ToolOverlay } from "../../../src/config/overlay.ts";
import type { Rack } from "../../../src/rack/rack.ts";

interface Opened extends TestServer {
  /** What the tool was called with, by its source's names. */
  readonly got: unknown[];
  pin(path: string): Promise<void>;
}

/** A server with the tool "deploy" of somebody else, whose `path` is pinned. */
async function open(policy: RackConfig["policy"], overlay: ToolOverlay = { parameters: { path: { value: "site/a" } } }): Promise<Opened> {
  const got: unknown[] = [];
  const deploy = defineTool({
    name: "deploy",
    description: "Deploys a folder.",
    inputSchema: {
      type: "object",
      properties: { path: { type: "string" }, stage: { type: "string", default: "test" }, password: { type: "string" } },
      required: ["path"],
    },
    handler: (input) => {
      got.push(input);
      return "deployed";
    },
  }) as ToolDefinition;
  const source: ToolSource = { id: "mcp:host", identity: "host-1", list: () => [deploy] };
  const rack = await openTestRack({
    config: {
      store: { memory: true },
      trust: { enforce: false },
      tools: { packs: { programs: true } },
      ...(policy && { policy }),
      overlays: { host: { deploy: overlay } },
    },
  });
  await rack.registry.addSource(source);
  const server = serverOver(rack);
  const pin = async (path: string): Promise<void> => {
    const { status, body } = await server.ask("PUT", "/tools/deploy/overlay", { overlay: { parameters: { path: { value: path } } } });
    expect([status, body.loosens]).toEqual([200, path === "site/a" ? [] : ["/parameters/path/value"]]);
  };
  return { ...server, got, pin };
}

const waitingIn = async (rack: Rack) => {
  await expect.poll(() => rack.approvals.waiting()).toBe(1);
  return (await rack.approvals.list())[0]!;
};

/** Each way to call it, with the whole answer as text. */
const ways: readonly (readonly [string, (server: TestServer) => Promise<string>])[] = [
  [
    "the library",
    async ({ rack }) => JSON.stringify(await rack.registry.invoke("deploy", {}, { caller: { owner: true, agent: "local" } })),
  ],
  ["HTTP", async ({ ask }) => JSON.stringify(await ask("POST", "/tools/deploy/call", { input: {} }))],
  [
    "a job",
    async ({ ask }) => {
      const { body } = await ask("POST", "/tools/deploy/call", { input: {}, mode: "job" });
      return JSON.stringify(await ask("GET", `/jobs/${body.data.job.id}/wait?timeoutMs=60000`));
    },
  ],
  [
    "a schedule",
    async ({ ask }) => {
      await ask("POST", "/schedules", { id: "daily", tool: "deploy", input: {}, cron: "0 7 * * *", tz: "UTC" });
      const { body } = await ask("POST", "/schedules/daily/run");
      return JSON.stringify(await ask("GET", `/jobs/${body.job}/wait?timeoutMs=60000`));
    },
  ],
  [
    "a program",
    async ({ rack }) => {
      const code = "try { return await tools.deploy({}) } catch (error) { return String(error) }";
      return JSON.stringify(await rack.call("run_code", { code }, { caller: { owner: true, agent: "local" } }).result);
    },
  ],
];

describe("TD3: a value that an overlay pins", () => {
  it.each(ways)("is seen by conditions and path rules of a call by %s", async (_, call) => {
    for (const tools of [{ conditions: [{ tool: "deploy", deny: 'path == "site/a"' }] }, { paths: [{ tool: "deploy", deny: ["site"] }] }]) {
      const refused = await open({ tools });
      expect(await call(refused)).toMatch(/is refused by/);
      expect(refused.got).toEqual([]);
    }
    const allowed = await open({ tools: { conditions: [{ tool: "deploy", deny: 'path == "site/b"' }] } });
    await call(allowed);
    expect(allowed.got).toEqual([{ path: "site/a", stage: "test" }]);
  });

  it("is in the record of the call, where passwords are redacted as before", async () => {
    const { ask, rack } = await open(undefined);
    await ask("POST", "/tools/deploy/call", { input: { password: "hunter2" } });
    await expect.poll(async () => (await rack.calls.list({ limit: 1, tool: "deploy" }))[0]?.input).toMatchObject({ path: "site/a" });
    expect(JSON.stringify(await rack.calls.list({ limit: 1, tool: "deploy" }))).not.toContain("hunter2");
  });

  it("cannot be given by a caller, who is told the name and not the value", async () => {
    const { ask, got } = await open(undefined);
    for (const input of [{ path: "site/b" }, { path: "site/a" }]) {
      const { body } = await ask("POST", "/tools/deploy/call", { input });
      expect(JSON.stringify(body)).toContain("path is not a parameter of this tool");
    }
    expect(got).toEqual([]);
  });
});

describe("TD3: an approval", () => {
  const policy = { tools: { ask: ["deploy"] } };
  const call = ({ rack }: TestServer, session = "s") =>
    rack.registry.invoke("deploy", {}, { caller: { agent: "local", owner: true, session } });

  it.each(["always", "session"] as const)("for %s ends when another value is pinned", async (scope) => {
    const server = await open(policy);
    const first = call(server);
    const question = await waitingIn(server.rack);
    expect(question.input).toEqual({ path: "site/a", stage: "test" });
    await server.rack.approvals.decide(question.id, { approved: true, scope, by: "boss" });
    expect(await first).toMatchObject({ ok: true });
    expect(await call(server)).toMatchObject({ ok: true });
    await server.pin("site/b");
    const again = call(server);
    const second = await waitingIn(server.rack);
    expect(second.input).toEqual({ path: "site/b", stage: "test" });
    expect(second.digest).not.toBe(question.digest);
    await server.rack.approvals.decide(second.id, { approved: false, by: "boss" });
    expect(await again).toMatchObject({ ok: false, code: "APPROVAL_DENIED" });
    expect(server.got).toEqual(Array(2).fill({ path: "site/a", stage: "test" }));
  });

  it("of a question that was open while another value was pinned lets nothing run", async () => {
    const server = await open(policy);
    const asked = call(server);
    const { id } = await waitingIn(server.rack);
    await server.pin("site/b");
    await server.rack.approvals.decide(id, { approved: true, scope: "always", by: "boss" });
    expect(await asked).toMatchObject({ ok: false, code: "APPROVAL_DENIED" });
    const next = call(server);
    const question = await waitingIn(server.rack);
    expect(question.input).toMatchObject({ path: "site/b" });
    await server.rack.approvals.decide(question.id, { approved: true, by: "boss" });
    expect(await next).toMatchObject({ ok: true });
    expect(server.got).toEqual([{ path: "site/b", stage: "test" }]);
  });

  it("holds while the overlay is read again and says the same", async () => {
    const server = await open(policy);
    const first = call(server);
    const { id } = await waitingIn(server.rack);
    await server.rack.approvals.decide(id, { approved: true, scope: "always", by: "boss" });
    await first;
    await server.pin("site/a");
    await server.rack.registry.refreshSource("mcp:host");
    expect(await call(server)).toMatchObject({ ok: true });
  });
});

describe("TD3: an idempotency key", () => {
  it("answers no call with another pin", async () => {
    const server = await open(undefined);
    const call = () => server.ask("POST", "/tools/deploy/call", { input: {} }, { headers: { "idempotency-key": "k1" } });
    await call();
    expect(await call()).toMatchObject({ status: 200 });
    expect(server.got).toHaveLength(1);
    await server.pin("site/b");
    const refused = await call();
    expect(JSON.stringify(refused.body)).toContain("other arguments");
    expect(server.got).toHaveLength(1);
  });
});
