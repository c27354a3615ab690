import type { Caller, ToolResult } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { openTestServer, type TestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { serve } from "../../../src/serve.ts";

const config = {
  tools: { packs: { utility: true, automation: true } },
  // Sub-agents have no cron unless somebody says so.
  policy: { subagents: { tools: { alsoAllow: ["cron"] } } },
} as const;
const lead: Caller = { agent: "lead", principal: "key anna" };
const owner: Caller = { agent: "local", principal: "local", owner: true, roles: ["owner", "admin", "curator"] };
const child: Caller = { ...lead, subagentDepth: 1, inherited: ["cron", "echo"] };
const plan = { action: "add", jobId: "greet", tool: "echo", input: { text: "hello" }, everyMs: 60_000 };

const call = (server: TestServer, tool: string, input: object, caller = lead): Promise<ToolResult> =>
  server.rack.call(tool, input, { caller }).result;

async function data(server: TestServer, tool: string, input: object, caller?: Caller): Promise<any> {
  const result = await call(server, tool, input, caller);
  return result.ok ? result.data : expect.fail(result.error);
}

async function approve(server: TestServer, id: string): Promise<void> {
  const { digest } = (await server.ask("GET", `/approvals/${id}`)).body;
  expect((await server.ask("POST", `/approvals/${id}/decide`, { approved: true, digest })).status).toBe(200);
}

/** A plan of the lead that a person approved; its principal has no key, so that none can be revoked. */
async function openWithPlan(caller: Caller = { agent: "lead", principal: "test anna" }): Promise<{ server: TestServer; caller: Caller }> {
  const server = await openTestServer({ config });
  await data(server, "cron", plan, caller);
  await approve(server, "schedule-greet");
  return { server, caller };
}

describe("the tool cron", () => {
  it("AH9: asks a person about every new plan, also in a run of the owner", async () => {
    await using server = await openTestServer({ config });
    for (const [jobId, caller] of [
      ["by-lead", lead],
      ["by-owner", owner],
    ] as const) {
      expect(await data(server, "cron", { ...plan, jobId }, caller)).toMatchObject({
        job: { jobId, state: "waiting" },
        note: expect.stringContaining("waits for a person"),
      });
    }
    const { schedules } = (await server.ask("GET", "/approvals")).body;
    expect(schedules.map(({ schedule }: { schedule: string }) => schedule).sort()).toEqual(["by-lead", "by-owner"]);
    expect(await call(server, "cron", { action: "run", jobId: "by-lead" })).toMatchObject({ ok: false });
  });

  // row: J7
  it("lists, runs and shows the runs of a plan that was approved, with the rights of its maker", async () => {
    const { server, caller } = await openWithPlan();
    expect(await data(server, "cron", { action: "list" }, caller)).toMatchObject({ jobs: [{ jobId: "greet", state: "active" }] });
    const { run } = await data(server, "cron", { action: "run", jobId: "greet" }, caller);
    await until(async () => {
      const { runs } = await data(server, "cron", { action: "runs", jobId: "greet" }, caller);
      return runs[0]?.job === run.job && runs[0].endedAt !== undefined;
    });
    const job = await server.rack.jobs.get(run.job);
    expect(job).toMatchObject({ state: "done", caller: { agent: "lead", principal: "test anna" } });
    expect(job!.caller).not.toHaveProperty("owner");
    await server[Symbol.asyncDispose]();
  });

  it("asks again about a plan that it changes, and neither about a pause nor about the end of one", async () => {
    const { server, caller } = await openWithPlan();
    expect(await data(server, "cron", { action: "update", jobId: "greet", enabled: false }, caller)).toMatchObject({
      job: { state: "paused" },
    });
    expect(await data(server, "cron", { action: "update", jobId: "greet", enabled: true }, caller)).toMatchObject({
      job: { state: "active" },
    });
    const changed = await data(server, "cron", { action: "update", jobId: "greet", cron: "0 7 * * *", tz: "UTC" }, caller);
    expect(changed.job).toMatchObject({ state: "waiting", cron: "0 7 * * *", tool: "echo" });
    expect(changed.job).not.toHaveProperty("everyMs");
    expect(await data(server, "cron", { action: "remove", jobId: "greet" }, caller)).toEqual({ removed: "greet" });
    expect(server.rack.automation.schedules.list()).toEqual([]);
    await server[Symbol.asyncDispose]();
  });

  it("AH10: lets a child neither stop nor change nor run a plan that a person approved for its parent", async () => {
    const { server, caller } = await openWithPlan();
    const below = { ...child, principal: caller.principal! };
    for (const input of [
      { action: "remove" },
      { action: "run" },
      { action: "update", enabled: false },
      { action: "update", input: { text: "other" } },
    ])
      expect(await call(server, "cron", { ...input, jobId: "greet" }, below)).toMatchObject({
        ok: false,
        code: "TOOL_NOT_ALLOWED",
        error: expect.stringContaining("more rights than this session has"),
      });
    expect(server.rack.automation.schedules.list()).toMatchObject([{ id: "greet", state: "active", spec: { input: { text: "hello" } } }]);
    await server[Symbol.asyncDispose]();
  });

  it("keeps what a child inherited in the plans of the child", async () => {
    await using server = await openTestServer({ config });
    await data(server, "cron", plan, child);
    expect(server.rack.automation.schedules.list()).toMatchObject([{ runsAs: { inherited: ["cron", "echo"], subagentDepth: 1 } }]);
    expect(await call(server, "cron", { ...plan, jobId: "more", tool: "calculator", input: {} }, child)).toMatchObject({ ok: false });
  });

  it("plans nothing that is longer than a person reads", async () => {
    await using server = await openTestServer({ config });
    const long = { ...plan, input: { text: "x".repeat(20_000) } };
    expect(await call(server, "cron", long)).toMatchObject({
      ok: false,
      code: "CONFIG_INVALID",
      error: expect.stringMatching(/"greet".*at most 20000 characters/),
    });
    await data(server, "cron", plan);
    expect(await call(server, "cron", { action: "update", jobId: "greet", input: long.input })).toMatchObject({
      ok: false,
      code: "CONFIG_INVALID",
    });
  });

  it("tells whose name is taken by somebody else to choose another one, and not to remove the plan", async () => {
    const { server } = await openWithPlan();
    const taken = await call(server, "cron", plan, { agent: "lead", principal: "test bob" });
    expect(taken).toMatchObject({ ok: false, code: "INPUT_INVALID", error: 'The name "greet" is taken. Choose another jobId.' });
    await server[Symbol.asyncDispose]();
  });

  it("shows the plans of another conversation of the same caller as plans that do not exist", async () => {
    const { server, caller } = await openWithPlan({ agent: "lead", principal: "test anna", channel: "chat", group: "desk" });
    expect(await data(server, "cron", { action: "list" }, caller)).toMatchObject({ jobs: [{ jobId: "greet" }] });
    const elsewhere = { ...caller, group: "hall" };
    expect(await data(server, "cron", { action: "list" }, elsewhere)).toEqual({ jobs: [] });
    for (const action of ["get", "remove", "run", "runs"])
      expect(await call(server, "cron", { action, jobId: "greet" }, elsewhere)).toMatchObject({
        ok: false,
        error: expect.stringContaining('no plan "greet" of yours'),
      });
    await server[Symbol.asyncDispose]();
  });

  it("shows the plans of others as plans that do not exist", async () => {
    const { server } = await openWithPlan();
    for (const other of [
      { agent: "lead", principal: "test bob" },
      { agent: "lead", principal: "test anna", tenant: "another" },
    ]) {
      expect(await data(server, "cron", { action: "list" }, other)).toEqual({ jobs: [] });
      for (const action of ["get", "remove", "run", "runs"])
        expect(await call(server, "cron", { action, jobId: "greet" }, other)).toMatchObject({
          ok: false,
          error: expect.stringContaining('no plan "greet" of yours'),
        });
    }
    await server[Symbol.asyncDispose]();
  });
});

const bundle = { "bundles.desk": { required: ["echo"] } };

describe("the tool gateway", () => {
  it("AH7: proposes a change that a person sees whole, and that nothing else puts in force", async () => {
    await using server = await openTestServer({ config });
    const { proposal } = await data(server, "gateway", { action: "config.patch", changes: bundle, note: "For the desk." });
    expect(server.rack.settings.get("bundles.desk")).toBeUndefined();
    const [waiting] = (await server.ask("GET", "/approvals")).body.proposals;
    expect(waiting).toMatchObject({
      id: proposal.id,
      kind: "proposal",
      note: "For the desk.",
      changes: [{ key: "bundles.desk", after: { required: ["echo"] } }],
      caller: lead,
    });
    await approve(server, proposal.id);
    expect(server.rack.settings.get("bundles.desk")?.value).toEqual({ required: ["echo"] });
    expect((await server.ask("GET", "/approvals")).body.proposals).toEqual([]);
  });

  it("shows a person the values of variables of a program that would be started", async () => {
    await using server = await openTestServer({ config });
    const source = { command: "node", args: ["server.js"], env: { NODE_OPTIONS: "--require ./x.js" } };
    const { proposal } = await data(server, "gateway", { action: "config.patch", changes: { "sources.tickets": source } });
    expect((await server.ask("GET", `/approvals/${proposal.id}`)).body.changes).toEqual([{ key: "sources.tickets", after: source }]);
  });

  it("changes nothing that a person denied, did not look at, or that was proposed over other settings", async () => {
    await using server = await openTestServer({ config });
    const propose = async () => (await data(server, "gateway", { action: "config.patch", changes: bundle })).proposal.id as string;
    const [denied, unseen, stale] = [await propose(), await propose(), await propose()];
    const decide = async (id: string, approved: boolean, digest?: string) => {
      const shown = (await server.ask("GET", `/approvals/${id}`)).body;
      return (await server.ask("POST", `/approvals/${id}/decide`, { approved, digest: digest ?? shown.digest })).status;
    };
    expect(await decide(denied, false)).toBe(200);
    expect(await decide(unseen, true, "sha256:other")).toBe(409);
    await server.rack.settings.set("bundles.desk", { required: ["calculator"] }, "test");
    expect(await decide(stale, true)).toBe(409);
    expect(server.rack.settings.get("bundles.desk")?.value).toEqual({ required: ["calculator"] });
  });

  it("is accepted by an admin who is somebody else than its maker", async () => {
    await using server = await openTestServer({ config });
    const curator = await server.as("carla", "curator");
    const itself = await server.as("lead", "admin");
    const admin = await server.as("ada", "admin");
    const { proposal } = await data(server, "gateway", { action: "config.patch", changes: bundle });
    const { digest } = (await server.ask("GET", `/approvals/${proposal.id}`)).body;
    const decision = { approved: true, digest };
    for (const ask of [curator, itself]) expect((await ask("POST", `/approvals/${proposal.id}/decide`, decision)).status).toBe(403);
    expect(server.rack.settings.get("bundles.desk")).toBeUndefined();
    expect((await admin("POST", `/approvals/${proposal.id}/decide`, decision)).status).toBe(200);
    expect(server.rack.settings.get("bundles.desk")).toBeDefined();
  });

  it.each([
    ["policy.tools", { allow: ["*"] }],
    ["policy.agents.lead", { tools: { allow: ["*"] } }],
    ["agents.lead", { tools: { allow: ["*"] } }],
    ["signIn.jwt", { issuer: "https://evil.example" }],
    ["server.host", "0.0.0.0"],
    ["approvals.waitMs", 1],
    ["trust.onChange", "follow"],
    ["secrets.github", "x"],
    ["sources.evil", { url: "https://evil.example/mcp", headers: { authorization: "secret:github" } }],
    ["sources.evil", { command: "node", env: { TOKEN: "secret:github" } }],
    ["sources.evil", { command: "node", args: ["--token=secret:github"] }],
    ["sources.evil", { url: "https://evil.example/mcp", trust: { onChange: "follow" } }],
    ["sources.evil", { url: "http://127.0.0.1:7333/mcp", allowHosts: ["127.0.0.1:7333"] }],
    ["sources.evil", { url: "http://127.0.0.1:7333/mcp" }],
    ["sources.evil", { url: "http://2130706433/mcp" }],
    ["sources.evil", { url: "http://[::1]/mcp" }],
    ["sources.evil", { url: "http://169.254.169.254/latest" }],
    ["sources.evil", { url: "http://localhost./mcp" }],
  ])("AH8: refuses to propose %s, also in a run of the owner", async (key, value) => {
    await using server = await openTestServer({ config });
    for (const caller of [lead, owner])
      expect(await call(server, "gateway", { action: "config.patch", changes: { ...bundle, [key]: value } }, caller)).toMatchObject({
        ok: false,
        code: "TOOL_NOT_ALLOWED",
      });
    expect(server.rack.proposals.waiting()).toEqual([]);
  });

  it("AH8: shows settings and proposals without a secret", async () => {
    const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    const source = { url: "https://user:hunter2@tickets.example/mcp", headers: { authorization: `Bearer ${token}` }, enabled: false };
    await using server = await openTestServer({ config: { ...config, sources: { tickets: source } } });
    const read = await call(server, "gateway", { action: "config.get" });
    expect(read).toMatchObject({
      ok: true,
      data: { settings: expect.arrayContaining([expect.objectContaining({ key: "sources.tickets" })]) },
    });
    await data(server, "gateway", { action: "config.patch", changes: { "sources.tickets": null } });
    expect(JSON.stringify([read, server.rack.proposals.waiting()])).not.toMatch(/hunter2|ghp_/);
  });

  it("tells which keys can be proposed, and refuses a value that cannot be", async () => {
    await using server = await openTestServer({ config });
    const { keys } = await data(server, "gateway", { action: "config.schema" });
    expect(keys.map(({ key }: { key: string }) => key)).toEqual(["bundles.<name>", "sources.<id>", "tools.<name>"]);
    expect(await call(server, "gateway", { action: "config.patch", changes: { "bundles.desk": { required: 1 } } })).toMatchObject({
      ok: false,
      error: expect.stringContaining("bundles.desk"),
    });
  });
});

describe("the tool nodes", () => {
  it("shows a machine by the tools of it that the caller may use, and calls them by the rules of every call", async () => {
    const office = await openTestServer({ config: { tools: { packs: { utility: true } } } });
    const served = await serve(office.rack, { port: 0 });
    afterThisTest(() => served.close());
    const { secret } = await office.rack.keys.create({ agent: "branch", roles: [], by: "test" });
    await using server = await openTestServer({
      config: {
        ...config,
        sources: {
          office: {
            url: `${served.url}/mcp`,
            allowHosts: [new URL(served.url).host],
            headers: { authorization: `Bearer ${secret}` },
            trust: { first: "pin" },
          },
        },
        policy: { agents: { guest: { tools: { allow: ["nodes"] } } } },
      },
    });
    await server.rack.sources.ready();
    const { nodes } = await data(server, "nodes", { action: "status" }, owner);
    expect(nodes).toMatchObject([{ node: "office", kind: "mcp-http", state: "ready" }]);
    expect(await data(server, "nodes", { action: "status" }, { agent: "guest" })).toEqual({ nodes: [] });
    const { tools } = await data(server, "nodes", { action: "describe", node: "office" }, owner);
    const [{ name }] = tools.filter((tool: { name: string }) => tool.name.includes("calculator"));
    const invoke = { action: "invoke", node: "office", tool: name, input: { expression: "6 * 7" } };
    expect(JSON.stringify(await data(server, "nodes", invoke, owner))).toContain("42");
    expect(await call(server, "nodes", invoke, { agent: "guest" })).toMatchObject({ ok: false });
    expect(await call(server, "nodes", { ...invoke, tool: "echo" }, owner)).toMatchObject({ ok: false });
  });
});
