import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { policyFromConfig, readPolicyConfig } from "../../../src/policy/config/config.ts";
import type { PolicyConfig } from "../../../src/policy/config/shape.ts";
import { decideTools } from "../../../src/policy/decide/decide.ts";
import { explainTool } from "../../../src/policy/explain/explain.ts";
import { createRegistry } from "../../../src/registry/create.ts";
import type { Caller } from "../../../src/tool/context.ts";
import { searchTools } from "../../../src/search/search-tools.ts";
import { defineTool } from "../../../src/tool/tool.ts";
import { namesOf, pluginTool, toolsNamed } from "../tools.ts";

const tools = [...toolsNamed("read", "exec", "web_search"), pluginTool("linear_search", "linear")];
const config: PolicyConfig = { unknownAgents: "deny", agents: { Support: { tools: { deny: ["exec"] } } } };

function listFor(caller: Caller, policy: PolicyConfig = config, knownAgents: readonly string[] = []): string[] {
  return namesOf(decideTools({ ...policyFromConfig(policy, caller, { knownAgents }), tools, caller }).tools);
}

describe("SD9: agents that the configuration does not list", () => {
  it("SD9: get nothing where unknownAgents is deny", () => {
    expect(listFor({ agent: "suport" })).toEqual([]);
    expect(listFor({ agent: "support" })).toEqual(["read", "web_search", "linear_search"]);
    expect(listFor({ agent: " SUPPORT " })).toEqual(["read", "web_search", "linear_search"]);
  });

  it("SD9: include a caller without an agent, and never the owner", () => {
    expect(listFor({})).toEqual([]);
    expect(listFor({ agent: "" })).toEqual([]);
    expect(listFor({ owner: false })).toEqual([]);
    expect(listFor({ owner: true })).toHaveLength(4);
    expect(listFor({ agent: "me", owner: true })).toHaveLength(4);
  });

  it("SD9: do not include those that are listed elsewhere", () => {
    expect(listFor({ agent: "Writer" }, config, ["writer"])).toHaveLength(4);
    expect(listFor({ agent: "__proto__" }, config, ["writer"])).toEqual([]);
  });

  it("SD9: have what is left to everybody where unknownAgents is allow or not said", () => {
    expect(listFor({ agent: "x" }, { ...config, unknownAgents: "allow" })).toHaveLength(4);
    expect(listFor({ agent: "x" }, { agents: config.agents! })).toHaveLength(4);
    expect(policyFromConfig({}, {}).steps).toEqual([]);
  });

  it("SD9: are told their name, the nearest one, and the line to add", () => {
    const caller = { agent: "suport" };
    const policy = readPolicyConfig(config, { locate: () => "toolrack.config.yaml:3" }).for(caller);
    const { sentences, decision } = explainTool("read", { ...policy, tools, caller });
    expect(decision).toMatchObject({ allowed: false, step: "unknownAgents", label: "unknownAgents" });
    expect(sentences.slice(0, 2)).toEqual([
      '`read` is hidden because the configuration does not list the agent "suport" (toolrack.config.yaml:3).',
      'Did you mean "support"? To let it use `read`, add this line under policy.agents in the configuration: `suport: { tools: { allow: ["read"] } }`.',
    ]);
    const nobody = explainTool("read", { ...policyFromConfig(config, {}), tools, caller: {} });
    expect(nobody.sentences[0]).toContain("the caller names no agent");
  });

  it("SD9: are a warning for whoever looks at the policy of that name", () => {
    const warningsFor = (caller: Caller): unknown[] =>
      decideTools({ ...policyFromConfig(config, caller), tools, caller }).warnings.filter(({ kind }) => kind === "unknown-agent");
    expect(warningsFor({ agent: "suport" })).toMatchObject([
      { entries: ["suport"], message: expect.stringContaining('Did you mean "support"?') },
    ]);
    expect(warningsFor({})).toEqual([]);
    expect(warningsFor({ agent: "support" })).toEqual([]);
  });

  it("SD9: are told a line that is YAML, whatever the name holds", () => {
    const caller = { agent: "a: b\n c" };
    const { sentences } = explainTool("read", { ...policyFromConfig(config, caller), tools, caller });
    expect(sentences[1]).toContain('"a: b\\n c": { tools: { allow: ["read"] } }');
  });

  it("SD9: the line that they are told opens the tool that was asked for, and no other", () => {
    for (const [agent, tool] of [
      ["bot", "read"],
      ["bot", "linear_search"],
      ["anonymous", "read"],
    ] as const) {
      const { sentences } = explainTool(tool, { ...policyFromConfig(config, { agent }), tools, caller: { agent } });
      const line = /configuration: `(.+)`\.$/.exec(sentences[1]!)![1]!;
      const agents = parse(line) as NonNullable<PolicyConfig["agents"]>;
      expect(listFor({ agent }, { unknownAgents: "deny", agents })).toEqual([tool]);
    }
  });

  it("SD9: a caller who has not signed in is told to make a key first", () => {
    const caller = { agent: "anonymous" };
    const { sentences } = explainTool("read", { ...policyFromConfig(config, caller), tools, caller });
    expect(sentences[0]).toContain("the caller has not signed in");
    expect(sentences[1]).toMatch(
      /^Sign in with an API key, created with: toolrack keys create <agent>\. To let everyone who can reach the server use `read`/,
    );
  });

  it("SD9: anonymous without an allow list is a warning", () => {
    const kindsFor = (agent: string, of: object): string[] => {
      const policy: PolicyConfig = { unknownAgents: "deny", agents: { [agent]: { tools: of } } };
      return decideTools({ ...policyFromConfig(policy, { agent }), tools, caller: { agent } }).warnings.map(({ kind }) => kind);
    };
    expect(kindsFor("anonymous", {})).toEqual(["anonymous-unlimited"]);
    expect(kindsFor("anonymous", { deny: ["exec"] })).toEqual(["anonymous-unlimited"]);
    expect(kindsFor("anonymous", { allow: ["linear_search"] })).toContain("anonymous-unlimited");
    expect(kindsFor("anonymous", { allow: ["read"] })).toEqual([]);
    expect(kindsFor("support", {})).toEqual([]);
  });

  it("SD9: a wrong value is an error that names the place", () => {
    expect(() => readPolicyConfig({ unknownAgents: "refuse" as "deny" })).toThrow(/unknownAgents must be "deny" or "allow"/);
  });

  it("SD9: what is listed is what may be called, for any agent and configuration", async () => {
    const names = ["support", "suport", "writer", "", "__proto__", "constructor"];
    const agent = fc.option(fc.constantFrom(...names), { nil: undefined });
    const caller = fc.record({ agent, owner: fc.option(fc.boolean(), { nil: undefined }) });
    const unknownAgents = fc.option(fc.constantFrom("deny" as const, "allow" as const), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(caller, unknownAgents, fc.subarray(["support", "writer"]), async (given, value, listed) => {
        const asked = Object.fromEntries(Object.entries(given).filter(([, fact]) => fact !== undefined)) as Caller;
        const policy = { ...(value && { unknownAgents: value }), agents: Object.fromEntries(listed.map((name) => [name, {}])) };
        const registry = createRegistry({ policy: readPolicyConfig(policy) });
        registry.register(defineTool({ name: "read", description: "Reads.", inputSchema: { type: "object" }, handler: () => "ok" }));
        const isOpen = value !== "deny" || asked.owner === true || listed.includes(asked.agent as "support");
        expect(registry.view(asked).tools.map(({ name }) => name)).toEqual(isOpen ? ["read"] : []);
        expect(searchTools(registry.view(asked).tools, "read").length).toBe(isOpen ? 1 : 0);
        expect(registry.explain("read", asked).allowed).toBe(isOpen);
        expect((await registry.invoke("read", {}, { caller: asked })).ok).toBe(isOpen);
      }),
      { numRuns: 60 },
    );
  });
});
