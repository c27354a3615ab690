import { describe, expect, it } from "vitest";
import { createMemorySecrets } from "../../src/call/ports/secrets.ts";
import { readPolicyConfig } from "../../src/policy/config/config.ts";
import { createCapabilities } from "../../src/registry/capabilities.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { Registry } from "../../src/registry/registry.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";

function open(more: Parameters<typeof createRegistry>[0] = {}): Registry {
  const registry = createRegistry({
    secrets: createMemorySecrets(),
    capabilities: createCapabilities({ overrides: { git: false } }),
    ...more,
  });
  registry.register(fakeTool({ name: "off" }));
  registry.disable("off", "It is being repaired.");
  registry.register(fakeTool({ name: "commit", metadata: { requiresCapabilities: ["git"] } }));
  registry.register(fakeTool({ name: "mail", metadata: { secrets: ["MAIL_KEY"] } }));
  registry.register(fakeTool({ name: "night", metadata: { optionality: "conditional", when: ({ agent }) => agent === "owl" } }));
  registry.register(fakeTool({ name: "read" }));
  return registry;
}

const policies = { "without a policy": undefined, "under a policy": readPolicyConfig({ tools: { deny: ["exec"] } }) };

describe.each(Object.entries(policies))("a tool that is not on offer, %s,", (_when, policy) => {
  it.each<[name: string, code: string, error: string]>([
    ["off", "TOOL_DISABLED", 'Tool "off" is disabled. It is being repaired.'],
    ["commit", "TOOL_UNAVAILABLE", 'Tool "commit" is unavailable. It needs "git". Install git and put it on the PATH.'],
    [
      "mail",
      "NEEDS_CONFIGURATION",
      'Tool "mail" is not configured. The secret "MAIL_KEY" is not set. Set it: toolrack secrets set MAIL_KEY.',
    ],
  ])("refuses a call with the reason and what to do: %s", async (name, code, error) => {
    const registry = open(policy && { policy });
    expect(await registry.invoke(name, {})).toMatchObject({ ok: false, code, error });
    const { decision, offered, decisionAbout, tools, known } = registry.view({});
    expect([offered(name), tools.map((tool) => tool.name), known.length]).toEqual([undefined, ["read"], 5]);
    expect(decision(name)).toMatchObject({ name, allowed: true });
    expect(decisionAbout({ name })).toEqual(decision(name));
  });

  it("refuses a call of whom its condition leaves out, and takes those of others", async () => {
    const registry = open(policy && { policy });
    expect(await registry.invoke("night", {}, { caller: { agent: "lark" } })).toMatchObject({
      ok: false,
      code: "TOOL_NOT_ALLOWED",
      error: expect.stringMatching(/^`night` is hidden because .+\.$/),
    });
    expect(await registry.invoke("night", { text: "hu" }, { caller: { agent: "owl" } })).toMatchObject({ ok: true, content: "hu" });
    expect(registry.view({ agent: "owl" }).offered("night")?.name).toBe("night");
    expect(registry.view({ agent: "lark" }).offered("night")).toBeUndefined();
  });

  it("is decided about as if it were there, if it is not", () => {
    const { decision, decisionAbout } = open(policy && { policy }).view({});
    expect(decision("exec")).toBeUndefined();
    expect(decisionAbout({ name: "exec" }).allowed).toBe(policy === undefined);
    expect(decisionAbout({ name: "new" })).toMatchObject({ name: "new", allowed: true });
  });
});

describe("a call that a tool makes", () => {
  it("has the id and the labels that it gives, the caller of the outer call, its trace and its approvals", async () => {
    const seen: object[] = [];
    const registry = createRegistry({
      recorder: {
        record: ({ callId, tool, labels, caller, trace, parentCallId }) =>
          void seen.push({ callId, tool, labels, caller, trace, parentCallId }),
      },
    });
    registry.register(fakeTool());
    registry.register(
      fakeTool({
        name: "outer",
        handler: async (_, { call }) => (await call("echo", { text: "in" }, { callId: "c-2", labels: ["a"] as never })).ok,
      }),
    );
    await registry.invoke("outer", {}, { callId: "c-1", caller: { agent: "ada" }, trace: { traceparent: "t" } as never });
    expect(seen).toEqual([
      { callId: "c-2", tool: "echo", labels: ["a"], caller: { agent: "ada" }, trace: { traceparent: "t" }, parentCallId: "c-1" },
      { callId: "c-1", tool: "outer", labels: undefined, caller: { agent: "ada" }, trace: { traceparent: "t" }, parentCallId: undefined },
    ]);
  });
});

describe("a policy with an engine of its own for conditions", () => {
  it("is asked that engine, for the rules of everybody and of one agent", async () => {
    const compiled: string[] = [];
    const engine = { compile: (text: string) => (compiled.push(text), () => text === "yes") };
    const policy = readPolicyConfig(
      {
        tools: { conditions: [{ tool: "read", deny: "no" }] },
        agents: { ada: { tools: { conditions: [{ tool: "read", deny: "yes", reason: "Ask Bob." }] } }, bob: {} },
      },
      { engine, locate: (path) => `policy.yaml:${path.length}` },
    );
    expect(compiled).toEqual(["no", "yes"]);
    const registry = open({ policy });
    expect(await registry.invoke("read", {}, { caller: { agent: "bob" } })).toMatchObject({ ok: true });
    expect(await registry.invoke("read", {}, { caller: { agent: "ada" } })).toMatchObject({
      code: "TOOL_NOT_ALLOWED",
      error: "The call of `read` is refused by agents.ada.tools.conditions[0] (policy.yaml:5): `yes` is true. Ask Bob.",
    });
    expect(policy.for({ agent: "ada" }).rules.named.map(({ label }) => label)).toEqual([
      "tools.conditions[0]",
      "agents.ada.tools.conditions[0]",
    ]);
    expect(policy.for({ agent: "bob" }).rules.named).toHaveLength(1);
  });
});
