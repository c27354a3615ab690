import type { Registry } from "@toolrack/core";
import type { McpEndpoint } from "@toolrack/mcp";
import { afterEach, describe, expect, it, vi } from "vitest";
import { defaultLimits } from "../../../src/http/limits/limits.ts";
import { openMcpEndpoint } from "../../../src/http/mcp/endpoint.ts";
import type { RequestServices } from "../../../src/http/request/services.ts";

const served: { readonly registry: unknown; readonly options: Record<string, any> }[] = [];
const done: string[] = [];

vi.mock(import("@toolrack/mcp"), async (original) => ({
  ...(await original()),
  serveMcp: ((registry: unknown, options: Record<string, unknown>) => {
    served.push({ registry, options });
    return {
      usage: { sessions: 1, streams: 2 },
      notify: { promptsChanged: () => done.push("prompts changed"), resourcesChanged: () => done.push("resources changed") },
      close: async () => void done.push("closed"),
    };
  }) as never,
}));

afterEach(() => {
  served.length = 0;
  done.length = 0;
});

const view = () => ({ tools: [], warnings: [], decision: () => undefined, decisionAbout: () => ({ allowed: true }) });
const gathered = (): undefined => undefined;
const registry = { view } as unknown as Registry;

function open(config: object, bundle?: string, key?: string, waiting: readonly string[] = []) {
  const texts = {
    instructionsFor: () => ["Read the manual.", "Be brief."],
    promptsFor: () => [],
    resourcesFor: () => [],
    onChange: (listener: () => void) => (done.push("listens"), (changed = listener), () => done.push("stops")),
  };
  let changed: (() => void) | undefined;
  const rack = {
    version: "1.2.3",
    tasks: "tasks",
    mcpSessions: "sessions",
    mcpPages: "pages",
    config,
    texts,
    registry,
    sources: { gathered },
    trust: { waiting: () => waiting.map((name) => ({ tool: name, source: name, what: "tool", effect: "held" })) },
  };
  const services = { rack, limits: { ...defaultLimits, sessionsPerCaller: 7, streams: 9 }, answers: {} } as unknown as RequestServices;
  const endpoint: McpEndpoint = openMcpEndpoint({ registry, services, key, ...(bundle && { bundle, names: () => new Set(["mine"]) }) });
  return { endpoint, texts, change: () => changed?.(), ...served[0]! };
}

/** What is the same for every endpoint. */
const common = {
  version: "1.2.3",
  tasks: "tasks",
  sessionStore: "sessions",
  resultPeers: "pages",
  beforeList: gathered,
  answerWithinMs: 600_000,
  notice: expect.any(Function),
  allowedHosts: "any",
  allowedOrigins: "any",
  maxBodyBytes: 4_194_304,
  maxBodyValues: 100_000,
  bodyTimeoutMs: 15_000,
  sessionsPerPrincipal: 7,
  streams: { perPrincipal: 32, total: 9 },
  usedStates: { claim: expect.any(Function) },
};

describe("a registry over MCP", () => {
  it("is served with the parts and the limits of the server", () => {
    const { options, registry: given } = open({}, "work");
    expect(options).toEqual(common);
    expect(given).toBe(registry);
  });

  it("follows the configuration, but for the hosts, which the server has checked", () => {
    const { options } = open({ approvals: { waitMs: 5_000 }, server: { mcp: { pageSize: 10, allowedHosts: ["a"] } } }, "work", "secret");
    expect(options).toEqual({ ...common, answerWithinMs: 5_000, pageSize: 10, requestStateKey: "secret" });
  });

  it("hands on what sources say where that is wanted, tells of changes, and stops when it is closed", async () => {
    const { options, texts, endpoint, change } = open({});
    expect(options).toEqual({ ...common, prompts: texts.promptsFor, resources: texts.resourcesFor });
    expect(done).toEqual(["listens"]);
    change();
    expect(done.splice(0)).toEqual(["listens", "prompts changed", "resources changed"]);
    expect(endpoint.usage).toEqual({ sessions: 1, streams: 2 });
    await endpoint.close();
    expect(done).toEqual(["stops", "closed"]);
  });

  it("tells a client what it may use, and what sources say only where that is handed on", async () => {
    const caller = { agent: "ada", principal: "key ada" };
    const own = 'You act as the agent "ada", and may use no tools here. An administrator of this server decides that.';
    expect(open({}, "work").options["notice"](caller)).toBe(own.replace("tools here", 'tools of the bundle "work" here'));
    served.length = 0;
    expect(open({}).options["notice"](caller)).toBe(`${own}\n\nRead the manual.\n\nBe brief.`);
  });

  it("tells a client of a bundle that something is held only if it is in the bundle", () => {
    const told = (bundle?: string): string => {
      served.length = 0;
      return open({}, bundle, undefined, ["mine", "other"]).options["notice"]({ agent: "ada" });
    };
    expect(told()).toContain("2 further tools of mine, other are held");
    expect(told("work")).toContain("1 further tool of mine is held");
    expect(told("work")).not.toContain("other");
  });

  it("that hands nothing on listens to nothing", async () => {
    const { endpoint } = open({}, "work");
    await endpoint.close();
    expect(done).toEqual(["closed"]);
  });
});
