import fc from "fast-check";
import { sized } from "@toolrack/testkit/sized";
import { describe, expect, it } from "vitest";
import { createRegistry, type Registry } from "../../../src/index.ts";
import { readPolicyConfig } from "../../../src/policy/config/config.ts";
import type { PolicyConfig } from "../../../src/policy/config/shape.ts";
import { decideTools } from "../../../src/policy/decide/decide.ts";
import { explainTool } from "../../../src/policy/explain/explain.ts";
import { inheritTools } from "../../../src/policy/gates/inherited.ts";
import type { Caller } from "../../../src/tool/context.ts";
import { namesOf, pluginTool, toolsNamed } from "../tools.ts";

const tools = [
  ...toolsNamed("read", "write", "Exec", "web_search", "web_fetch", "cron", "grep", "session_status", "sessions_spawn"),
  // A plugin and a tool may have one name: what is inherited is the tool.
  pluginTool("voice", "phone"),
  pluginTool("dial", "voice"),
  pluginTool("linear_search", "linear"),
];

const entry = fc.constantFrom(...namesOf(tools), "*", "web_*", "*_search", "group:fs", "group:web", "group:plugins", "linear", "bash");
const list = fc.array(entry, { maxLength: 4 });
const lists = fc.record({ allow: list, alsoAllow: list, deny: list }, { requiredKeys: [] });
const profile = fc.constantFrom("minimal", "coding", "messaging", "full");
const toolsOf = fc.record({ allow: list, alsoAllow: list, deny: list, profile }, { requiredKeys: [] });
const agent = fc.record({ tools: toolsOf, sandbox: fc.record({ tools: lists }) }, { requiredKeys: [] });
const anyConfig: fc.Arbitrary<PolicyConfig> = fc.record(
  {
    tools: toolsOf,
    agents: fc.record({ one: agent, two: agent }, { requiredKeys: [] }),
    sandbox: fc.record({ tools: lists }),
    subagents: fc.record({ tools: lists, maxSpawnDepth: fc.nat(3) }, { requiredKeys: [] }),
    phases: fc.record({ plan: list }, { requiredKeys: [] }),
    unknownAgents: fc.constantFrom("allow", "deny"),
  },
  { requiredKeys: [] },
);
const anyCaller: fc.Arbitrary<Caller> = fc.record(
  {
    agent: fc.constantFrom("one", "two", "nobody"),
    model: fc.constantFrom("openai/gpt-x", "ollama/tiny"),
    owner: fc.boolean(),
    sandboxed: fc.boolean(),
    phase: fc.constantFrom("plan", "build"),
    subagentDepth: fc.nat(3),
  },
  { requiredKeys: [] },
);

describe("the step inherited", () => {
  it("AH13: leaves a child no tool that its parent lacks, for any policy, agent, model, phase and sandbox, over three generations", () => {
    fc.assert(
      fc.property(
        anyConfig,
        anyCaller,
        fc.array(fc.tuple(anyCaller, fc.option(list, { nil: undefined })), { maxLength: 2 }),
        (config, parent, heirs) => {
          const policy = readPolicyConfig(config);
          const viewOf = (caller: Caller): readonly { name: string }[] => decideTools({ tools, ...policy.for(caller), caller }).tools;
          let view = viewOf(parent);
          for (const [facts, asked] of heirs) {
            const child = { ...facts, inherited: inheritTools(view, asked).inherited };
            const own = namesOf(viewOf(facts));
            const seen = viewOf(child);
            // No more than the parent, no more than the own policy, and all that both and the request permit.
            expect(namesOf(seen)).toEqual(own.filter((name) => child.inherited.includes(name)));
            expect(namesOf(view)).toEqual(expect.arrayContaining(namesOf(seen)));
            view = seen;
          }
        },
      ),
      { numRuns: sized(200, 2_000) },
    );
  });

  it("names itself in the decision, and tells what to do", () => {
    const { steps } = readPolicyConfig({ tools: { allow: ["read", "cron"] } }).for({});
    const input = { tools, steps, caller: { inherited: ["read", "web_*"] } };
    expect(decideTools(input).decisions.get("cron")).toMatchObject({
      allowed: false,
      rule: "inherited",
      step: "inherited",
      label: "inherited",
    });
    expect(explainTool("cron", input).sentences.slice(0, 2)).toEqual([
      "`cron` is hidden because it is not among the tools that this session inherited from whoever began it.",
      'A child has no more tools than its parent: let the parent use "cron", and leave it in `tools` when it spawns the child.',
    ]);
    expect(explainTool("read", input)).toMatchObject({
      allowed: true,
      trace: expect.arrayContaining([{ outcome: "keeps", rule: "allow", step: "inherited", label: "inherited", entry: "read" }]),
      sentences: ["`read` is allowed by `read` in tools.allow.", "The session that spawned this one has it, too."],
    });
    expect(explainTool("web_fetch", input).trace).toContainEqual(expect.objectContaining({ step: "inherited", entry: "web_*" }));
  });

  it("knows names and globs alone: no plugin, group or other spelling, and an empty list leaves nothing", () => {
    const left = (inherited: readonly string[]): string[] => namesOf(decideTools({ tools, steps: [], caller: { inherited } }).tools);
    for (const freeze of [false, true]) {
      const toList = (...entries: string[]): readonly string[] => (freeze ? Object.freeze(entries) : entries);
      expect(left(toList())).toEqual([]);
      expect(left(toList("voice"))).toEqual(["voice"]);
      expect(left(toList("group:fs", "group:plugins", "linear", "exec", "bash", "__proto__"))).toEqual([]);
      expect(left(toList("web_*", "Exec"))).toEqual(["Exec", "web_search", "web_fetch"]);
    }
  });

  it("refuses calls in a registry with a policy and in one without, also those that a tool makes", async () => {
    const withPolicy = createRegistry({ policy: readPolicyConfig({ tools: { alsoAllow: ["write"] }, agents: { two: {} } }) });
    for (const registry of [createRegistry(), withPolicy]) {
      fill(registry);
      const child: Caller = { agent: "two", inherited: inheritTools(registry.view({}).tools, ["read", "relay"]).inherited };
      expect(namesOf(registry.view(child).tools)).toEqual(["read", "relay"]);
      expect(await registry.invoke("read", {}, { caller: child })).toMatchObject({ ok: true });
      const refused = await registry.invoke("write", {}, { caller: child });
      expect(refused).toMatchObject({
        ok: false,
        code: "TOOL_NOT_ALLOWED",
        error: expect.stringContaining("inherited from whoever began it"),
      });
      expect(await registry.invoke("relay", {}, { caller: child })).toMatchObject({ data: { inner: "TOOL_NOT_ALLOWED" } });
      // The views of others, who share everything else with the child, are not narrowed.
      expect(namesOf(registry.view({ agent: "two" }).tools)).toEqual(["read", "write", "relay"]);
    }
  });

  it("is read anew where a list can be changed", async () => {
    const registry = fill(createRegistry());
    const inherited = ["read"];
    const caller = Object.freeze({ inherited });
    expect(namesOf(registry.view(caller).tools)).toEqual(["read"]);
    inherited.pop();
    expect(registry.view(caller).tools).toEqual([]);
  });
});

describe("what a child inherits", () => {
  it("is what its parent has in view, or the part of it that is asked for, with what is missing", () => {
    expect(inheritTools(tools).inherited).toEqual(namesOf(tools));
    expect(inheritTools(tools, ["WEB_*", "bash", "gateway", "group:fs"])).toEqual({
      inherited: ["Exec", "web_search", "web_fetch"],
      missing: ["gateway", "group:fs"],
    });
    expect(inheritTools(tools, [])).toEqual({ inherited: [], missing: [] });
  });
});

function fill(registry: Registry): Registry {
  const schema = { type: "object" } as const;
  for (const name of ["read", "write"]) registry.register({ name, description: "Does it.", inputSchema: schema, handler: () => "done" });
  registry.register({
    name: "relay",
    description: "Calls write.",
    inputSchema: schema,
    handler: async (_, context) => {
      const result = await context.call("write", {});
      return { inner: result.ok ? "done" : result.code };
    },
  });
  return registry;
}
