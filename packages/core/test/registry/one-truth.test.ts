import fc from "fast-check";
import { sized } from "@toolrack/testkit/sized";
import { describe, expect, it } from "vitest";
import { type PolicyConfig, readPolicyConfig, type ToolPolicy } from "../../src/exports/policy.ts";
import { type Caller, createRegistry, defineTool, type Registry, type ToolMetadata } from "../../src/index.ts";
import { findSurfaceFaults, type Surface } from "../../src/exports/testing.ts";

/** Later surfaces (HTTP, MCP, the command line) each add a line to this table, in their own package. */
const surfacesOf = (registry: Registry): readonly Surface[] => [
  {
    name: "library",
    list: async (caller) => registry.view(caller).tools.map((tool) => tool.name),
    call: async (tool, caller) => outcome(await registry.invoke(tool, {}, { caller })),
  },
  {
    name: "explanation",
    list: async (caller) =>
      registry
        .list()
        .map((tool) => tool.name)
        .filter((name) => registry.explain(name, caller).allowed),
    call: async (tool, caller) => outcome(await registry.invoke(tool, {}, { caller })),
  },
  {
    name: "a tool that calls tools",
    list: async (caller) => registry.view(caller).tools.map((tool) => tool.name),
    call: async (tool, caller) => outcome(await registry.invoke(tool, {}, { caller, parent: { callId: "outer", depth: 0 } })),
  },
];

function outcome(result: Awaited<ReturnType<Registry["invoke"]>>): Awaited<ReturnType<Surface["call"]>> {
  return result.ok ? undefined : result.code;
}

const names = ["read", "write", "exec", "web_search", "message", "linear_search", "linear_create", "notes"];

const metadata = fc.record<ToolMetadata>(
  {
    ownerOnly: fc.boolean(),
    pluginId: fc.constantFrom("linear", "notion"),
    models: fc.constantFrom(["gpt-*"], ["claude-*"]),
    when: fc.constantFrom(
      () => true,
      () => false,
      (caller: Caller) => caller.channel === "chat",
    ),
    optionality: fc.constantFrom("required", "optional"),
    groups: fc.constantFrom(["fs"], ["web"]),
    requiresCapabilities: fc.constantFrom(["env:TOOLRACK_TEST_NEVER_SET"], ["env:PATH"]),
  },
  { requiredKeys: [] },
);

const entry = fc.constantFrom(
  ...names,
  "*",
  "linear_*",
  "group:fs",
  "group:runtime",
  "group:plugins",
  "linear",
  "bash",
  "unknown_tool",
  "constructor",
);
const list = fc.array(entry, { maxLength: 4 });
const policy: fc.Arbitrary<ToolPolicy> = fc.record({ allow: list, alsoAllow: list, deny: list, ask: list }, { requiredKeys: [] });
const config: fc.Arbitrary<PolicyConfig> = fc.record(
  {
    tools: policy,
    agents: fc.record({ support: fc.record({ tools: policy }) }),
    phases: fc.record({ deliver: list, "*": fc.constant(["*"]) }),
  },
  { requiredKeys: [] },
);

const caller: fc.Arbitrary<Caller> = fc.record(
  {
    agent: fc.constantFrom("support", "other"),
    owner: fc.boolean(),
    model: fc.constantFrom("gpt-5", "claude-5", "llama"),
    channel: fc.constantFrom("chat", "mail"),
    phase: fc.constantFrom("deliver", "plan"),
    subagentDepth: fc.constantFrom(0, 1),
    sandboxed: fc.boolean(),
  },
  { requiredKeys: [] },
);

describe("one decision for lists and calls", () => {
  it("shows exactly what may be called or asked for, on every surface, whatever the policy", async () => {
    const tools = fc.tuple(...names.map((name) => fc.tuple(fc.constant(name), fc.option(metadata, { nil: undefined }))));
    await fc.assert(
      fc.asyncProperty(tools, fc.option(config, { nil: undefined }), caller, async (drafts, policyConfig, who) => {
        const registry = createRegistry(policyConfig === undefined ? {} : { policy: readPolicyConfig(policyConfig) });
        for (const [name, about] of drafts) {
          registry.register(
            defineTool({
              name,
              description: "A tool.",
              inputSchema: { type: "object" },
              handler: () => "done",
              ...(about && { metadata: about }),
            }),
          );
        }
        expect(await findSurfaceFaults(surfacesOf(registry), names, who)).toEqual([]);
      }),
      { numRuns: sized(40, 300) },
    );
  });

  it("follows a policy that is changed while conversations run", async () => {
    const registry = createRegistry();
    registry.register(defineTool({ name: "exec", description: "Runs.", inputSchema: { type: "object" }, handler: () => "done" }));
    expect((await registry.invoke("exec", {})).ok).toBe(true);
    registry.setPolicy(readPolicyConfig({ tools: { deny: ["group:runtime"] } }));
    expect(registry.view({}).tools).toEqual([]);
    const refused = await registry.invoke("exec", {});
    expect(refused).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED", status: 403 });
    expect(!refused.ok && refused.error).toContain("tools.deny");
    registry.setPolicy(undefined);
    expect((await registry.invoke("exec", {})).ok).toBe(true);
  });

  it("keeps the policy in force when a new one is wrong", () => {
    const registry = createRegistry({ policy: readPolicyConfig({ tools: { deny: ["exec"] } }) });
    registry.register(defineTool({ name: "exec", description: "Runs.", inputSchema: { type: "object" }, handler: () => "done" }));
    expect(() => registry.setPolicy(readPolicyConfig({ tools: { denny: ["read"] } } as PolicyConfig))).toThrow(/deny/);
    expect(registry.view({}).tools).toEqual([]);
  });
});
