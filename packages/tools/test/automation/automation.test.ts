import { createRegistry, type ToolDefinition, type ToolResult } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { createAutomationTools } from "../../src/index.ts";
import type { AutomationOptions } from "../../src/automation/automation.ts";

/** A host whose every method notes what it is asked, and answers from a script. */
function scripted(script: Readonly<Record<string, unknown>>, asked: unknown[]): never {
  return new Proxy(
    {},
    {
      get:
        (_target, method: string) =>
        (...given: unknown[]) => {
          const rest = method === "schema" ? given : given.slice(1);
          asked.push([method, ...rest]);
          return method === "schema" ? script[method] : Promise.resolve(script[method]);
        },
    },
  ) as never;
}

function pack(name: keyof AutomationOptions, script: Readonly<Record<string, unknown>>, more: readonly ToolDefinition[] = []) {
  const asked: unknown[] = [];
  const registry = createRegistry();
  for (const tool of [...createAutomationTools({ [name]: scripted(script, asked) }), ...more]) registry.register(tool);
  const [tool] = createAutomationTools({ [name]: scripted(script, asked) });
  const call = (input: object): Promise<ToolResult> => registry.invoke(tool!.name, input);
  return { asked, call, tool: tool! };
}

it("the tools for automation are there where their hosts are", () => {
  const names = (options: object) => createAutomationTools(options).map(({ name }) => name);
  expect(names({})).toEqual([]);
  expect(names({ schedules: {} })).toEqual(["cron"]);
  expect(names({ settings: {} })).toEqual(["gateway"]);
  expect(names({ nodes: {} })).toEqual(["nodes"]);
  expect(names({ schedules: {}, settings: {}, nodes: {} })).toEqual(["cron", "gateway", "nodes"]);
});

describe("cron", () => {
  const plan = { id: "weekly", tool: "report", state: "active", nextRun: "2026-01-01T00:00:00.000Z" };
  const shown = { jobId: "weekly", tool: "report", state: "active", nextRun: "2026-01-01T00:00:00.000Z" };
  const runs = [{ job: "j1", state: "done" }];
  const whole = { list: [plan], get: plan, add: plan, change: plan, pause: plan, resume: plan, remove: true, run: { job: "j2" }, runs };
  const waiting = { ...plan, state: "waiting" };

  it.each<[input: object, asked: readonly unknown[], data: object]>([
    [{ action: "list" }, ["list"], { jobs: [shown] }],
    [{ action: "get", jobId: "weekly" }, ["get", "weekly"], { job: shown }],
    [
      { action: "add", jobId: "weekly", tool: "report", input: { a: 1 }, cron: "0 7 * * 1", tz: "UTC", description: "Why." },
      ["add", "weekly", { tool: "report", input: { a: 1 }, cron: "0 7 * * 1", tz: "UTC", description: "Why." }],
      { job: shown },
    ],
    [
      { action: "add", jobId: "weekly", tool: "report", everyMs: 10_000 },
      ["add", "weekly", { tool: "report", everyMs: 10_000 }],
      { job: shown },
    ],
    [
      { action: "update", jobId: "weekly", at: "2026-12-24T18:00:00Z" },
      ["change", "weekly", { at: "2026-12-24T18:00:00Z" }],
      { job: shown },
    ],
    [{ action: "update", jobId: "weekly", enabled: true }, ["resume", "weekly"], { job: shown }],
    [{ action: "update", jobId: "weekly", enabled: false }, ["pause", "weekly"], { job: shown }],
    [{ action: "remove", jobId: "weekly" }, ["remove", "weekly"], { removed: "weekly" }],
    [{ action: "run", jobId: "weekly" }, ["run", "weekly"], { run: { job: "j2", state: "waiting" } }],
    [{ action: "runs", jobId: "weekly" }, ["runs", "weekly", 20], { runs }],
    [{ action: "runs", jobId: "weekly", limit: 3 }, ["runs", "weekly", 3], { runs }],
  ])("does what is asked: %j", async (input, asked, data) => {
    const cron = pack("schedules", whole);
    expect(await cron.call(input)).toMatchObject({ ok: true });
    expect(((await cron.call(input)) as { data?: unknown }).data).toEqual(data);
    expect(cron.asked).toEqual([asked, asked]);
  });

  it("says that a plan waits for a person, and only then", async () => {
    const note = "It waits for a person, and does not run before it is approved.";
    const cron = pack("schedules", { ...whole, add: waiting, change: waiting });
    for (const input of [
      { action: "add", jobId: "weekly", tool: "report", everyMs: 10_000 },
      { action: "update", jobId: "weekly", tool: "other" },
    ])
      expect(await cron.call(input)).toMatchObject({ data: { job: { ...shown, state: "waiting" }, note } });
  });

  it.each<[input: object]>([
    [{ action: "get", jobId: "gone" }],
    [{ action: "update", jobId: "gone", enabled: true }],
    [{ action: "update", jobId: "gone", tool: "other" }],
    [{ action: "remove", jobId: "gone" }],
    [{ action: "run", jobId: "gone" }],
    [{ action: "runs", jobId: "gone" }],
  ])("says that there is no such plan: %j", async (input) => {
    expect(await pack("schedules", { remove: false }).call(input)).toMatchObject({
      ok: false,
      code: "INPUT_INVALID",
      error: expect.stringContaining('There is no plan "gone" of yours. List them with the action "list".'),
    });
  });

  it("refuses an update that changes nothing, or a plan and whether it runs", async () => {
    const cron = pack("schedules", whole);
    expect(await cron.call({ action: "update", jobId: "weekly" })).toMatchObject({
      ok: false,
      error: expect.stringContaining('"update" changes nothing. Give "enabled", or a part of the plan.'),
    });
    expect(await cron.call({ action: "update", jobId: "weekly", enabled: true, tool: "other" })).toMatchObject({
      ok: false,
      error: expect.stringContaining('"enabled" is changed alone'),
    });
    expect(cron.asked).toEqual([]);
  });
});

describe("gateway", () => {
  const settings = [{ key: "bundles.small", value: 1, origin: "toolrack.config.yaml:1" }];
  const keys = [{ key: "bundles.<name>", description: "A bundle.", schema: {} }];
  const proposal = { id: "proposal-1", keys: ["bundles.small"], expiresAt: "2026-01-01T00:00:00.000Z" };
  const note = "Nothing has changed. A person sees the whole proposal, and accepts it or not.";

  it.each<[input: object, asked: readonly unknown[], data: object]>([
    [{ action: "config.get" }, ["read", undefined], { settings }],
    [{ action: "config.get", key: "bundles" }, ["read", "bundles"], { settings }],
    [{ action: "config.schema" }, ["schema"], { keys }],
    [
      { action: "config.patch", changes: { "bundles.small": null } },
      ["propose", { changes: { "bundles.small": null } }],
      { proposal, note },
    ],
    [{ action: "config.patch", changes: { a: 1 }, note: "Why." }, ["propose", { changes: { a: 1 }, note: "Why." }], { proposal, note }],
  ])("shows and proposes: %j", async (input, asked, data) => {
    const gateway = pack("settings", { read: settings, schema: keys, propose: proposal });
    expect(((await gateway.call(input)) as { data?: unknown }).data).toEqual(data);
    expect(gateway.asked).toEqual([asked]);
  });
});

describe("nodes", () => {
  const tools = [{ name: "office__print", description: "Prints." }];
  const list = [
    { id: "office", kind: "mcp-http", state: "ready", tools },
    { id: "home", kind: "workers", state: "failed", tools: [] },
  ];
  const print = (result: object): ToolDefinition =>
    ({
      name: "office__print",
      description: "Prints.",
      inputSchema: { type: "object", properties: { a: {} } },
      handler: () => result,
    }) as never;

  it("lists the machines, and the tools of one", async () => {
    const nodes = pack("nodes", { list });
    expect(await nodes.call({ action: "status" })).toMatchObject({
      data: {
        nodes: [
          { node: "office", kind: "mcp-http", state: "ready", tools: 1 },
          { node: "home", kind: "workers", state: "failed", tools: 0 },
        ],
      },
    });
    expect(((await nodes.call({ action: "describe", node: "office" })) as { data?: unknown }).data).toEqual({
      node: "office",
      kind: "mcp-http",
      state: "ready",
      tools,
    });
  });

  it("calls a tool of one, and tells what it answered", async () => {
    const blocks = [{ type: "text", text: "printed" }];
    const told = async (result: object) =>
      pack("nodes", { list }, [print(result)]).call({ action: "invoke", node: "office", tool: "office__print" });
    expect(await told({ ok: true, content: "printed", data: { pages: 2 } })).toMatchObject({
      ok: true,
      content: "printed",
      data: { node: "office", result: { pages: 2 } },
    });
    expect(await told({ ok: true, content: "printed", blocks })).toMatchObject({ blocks, data: { node: "office", result: "printed" } });
    expect(await told({ ok: false, error: "Out of paper." })).toMatchObject({ ok: false, error: expect.stringContaining("Out of paper.") });
  });

  it("names the machines that there are, and the tools that one has not", async () => {
    const nodes = pack("nodes", { list });
    expect(await nodes.call({ action: "describe", node: "car" })).toMatchObject({
      ok: false,
      code: "INPUT_INVALID",
      error: expect.stringContaining('There is no machine "car". Connected: office, home.'),
    });
    expect(await pack("nodes", { list: [] }).call({ action: "describe", node: "car" })).toMatchObject({
      error: expect.stringContaining("Connected: none."),
    });
    expect(await nodes.call({ action: "invoke", node: "home", tool: "office__print" })).toMatchObject({
      ok: false,
      error: expect.stringContaining('"home" has no tool "office__print" for you. See: {"action":"describe","node":"home"}'),
    });
  });
});
