import fc from "fast-check";
import { oneOf, sized } from "@toolrack/testkit/sized";
import { describe, expect, it } from "vitest";
import { type ConfiguredPolicy, decideTools, type PolicyConfig, readPolicyConfig, type ToolPolicy } from "../../src/exports/policy.ts";
import { type Caller, createRegistry, defineTool, type Registry, type ToolDefinition, type ToolMetadata } from "../../src/index.ts";
import { modelGate } from "../../src/policy/gates/models.ts";
import { optionalPluginGate } from "../../src/policy/gates/optional-plugin.ts";
import { ownerOnlyGate } from "../../src/policy/gates/owner-only.ts";
import { unenforceableGate } from "../../src/policy/gates/unenforceable.ts";

const toolNames = ["read", "Write", "exec", "web_search", "message", "linear_search", "linear_create", "notes", "cron", "sessions_send"];
const metadata = fc.record<ToolMetadata>(
  {
    ownerOnly: fc.boolean(),
    pluginId: fc.constantFrom("linear", " Notion ", "read", "notes"),
    models: fc.constantFrom(["gpt-*"], ["anthropic/claude-*"]),
    optionality: fc.constantFrom("required", "optional"),
    groups: fc.constantFrom(["fs"], ["web", "own"]),
    profiles: fc.constantFrom(["minimal"], ["coding", "mine"]),
  },
  { requiredKeys: [] },
);
const anyTools = fc
  .array(fc.tuple(fc.constantFrom(...toolNames), fc.option(metadata, { nil: undefined })), { maxLength: 8 })
  .map((drafts) =>
    [...new Map(drafts)].map(([name, about]) =>
      defineTool({
        name,
        description: "A tool.",
        inputSchema: { type: "object", properties: { path: { type: "string" } } },
        handler: () => "done",
        ...(about && { metadata: about }),
      }),
    ),
  );

const entry = fc.constantFrom(
  ...toolNames,
  ..."* linear_* *e* n*s linear notion read bash group:fs group:plugins group:mine unknown __proto__".split(" "),
);
const list = fc.array(entry, { maxLength: 4 });
const policy: fc.Arbitrary<ToolPolicy> = fc.record({ allow: list, alsoAllow: list, deny: list, ask: list }, { requiredKeys: [] });
const profile = fc.constantFrom("minimal", "coding", "mine");
const withProfile = fc
  .tuple(policy, fc.option(profile, { nil: undefined }))
  .map(([lists, name]) => ({ ...lists, ...(name && { profile: name }) }));
const toolsConfig = fc
  .tuple(withProfile, fc.dictionary(fc.constantFrom("openai", "openai/gpt-5", "anthropic"), withProfile), fc.boolean())
  .map(([lists, byProvider, hasPaths]) => ({
    ...lists,
    byProvider,
    ...(hasPaths && { paths: [{ tool: "group:fs", deny: ["*.env"] }] }),
  }));
const agents = ["ann", "bob", "cid", "dee"] as const;
const config: fc.Arbitrary<PolicyConfig> = fc.record(
  {
    unknownAgents: fc.constantFrom("deny", "allow"),
    tools: toolsConfig,
    agents: fc.dictionary(
      fc.constantFrom(...agents),
      fc.record({ tools: toolsConfig, sandbox: fc.record({ tools: policy }) }, { requiredKeys: [] }),
    ),
    channels: fc.record({
      chat: fc.record(
        {
          tools: policy,
          toolsBySender: fc.record({ "id:1": policy, "*": policy }, { requiredKeys: [] }),
          groups: fc.record({ g: fc.record({ tools: policy }) }),
        },
        { requiredKeys: [] },
      ),
    }),
    sandbox: fc.record({ tools: policy }, { requiredKeys: [] }),
    subagents: fc.record({ tools: policy, maxSpawnDepth: fc.constantFrom(1, 2) }, { requiredKeys: [] }),
    phases: fc.dictionary(fc.constantFrom("plan", "deliver", "*"), list),
    groups: fc.constant({ mine: ["notes", "linear", "web_*"] }),
    profiles: fc.record({ mine: policy }),
  },
  { requiredKeys: ["groups", "profiles"] },
);
const caller: fc.Arbitrary<Caller> = fc.record(
  {
    agent: fc.constantFrom(...agents, " ANN ", "stranger", "anonymous", ""),
    owner: fc.boolean(),
    provider: fc.constantFrom("openai", "OpenAI", "anthropic"),
    model: fc.constantFrom("gpt-5", "claude-5", "openai/gpt-5"),
    channel: fc.constantFrom("chat", "mail"),
    group: fc.constantFrom("g", "h"),
    sender: fc.constantFrom("1", "id:1", "2"),
    phase: fc.constantFrom("plan", "deliver", "rest"),
    subagentDepth: fc.constantFrom(0, 1, 2),
    sandboxed: fc.boolean(),
    session: fc.constantFrom("s1", "s2"),
  },
  { requiredKeys: [] },
);

/** Each list names something that no other does, so that no two parts come to the same. */
const everyPart: PolicyConfig = {
  unknownAgents: "deny",
  tools: { deny: ["t0"], byProvider: { openai: { deny: ["t1"] }, "openai/gpt-5": { deny: ["t2"] } } },
  agents: {
    ann: { tools: { deny: ["t3"], byProvider: { openai: { deny: ["t4"] }, anthropic: { deny: ["t5"] }, mistral: { deny: ["t6"] } } } },
    bob: { tools: { profile: "minimal", conditions: [{ tool: "*", deny: "true" }] } },
    cid: { sandbox: { tools: { deny: ["t7"] } } },
    dee: { sandbox: { tools: { deny: ["t8"] } } },
  },
  channels: {
    chat: { tools: { deny: ["t9"] }, toolsBySender: { "id:1": { deny: ["t10"] } }, groups: { g: { tools: { deny: ["t11"] } } } },
    mail: { tools: { deny: ["t12"] } },
  },
  sandbox: { tools: { deny: ["t13"] } },
  subagents: { tools: { deny: ["t14"] }, maxSpawnDepth: 2 },
  phases: { plan: ["t15"] },
};

function* everyKindOfCaller(): Generator<Caller> {
  const channels: Caller[] = [
    {},
    { channel: "mail" },
    { channel: "chat" },
    { channel: "chat", sender: "1" },
    { channel: "chat", group: "g" },
  ];
  for (const agent of ["ann", "bob", "cid", "dee", "eve"])
    for (const [provider, model] of [["none"], ["openai"], ["openai", "gpt-5"], ["anthropic"], ["mistral"]])
      for (const place of channels)
        for (const phase of [undefined, "plan", "rest", "sleep"])
          for (const [subagentDepth, sandboxed] of [
            [0, false],
            [0, true],
            [1, false],
            [2, true],
          ] as const)
            yield {
              agent,
              ...place,
              subagentDepth,
              sandboxed,
              ...(provider && { provider }),
              ...(model && { model }),
              ...(phase && { phase }),
            };
}

function describePolicy(configured: ConfiguredPolicy, who: Caller): string {
  const { steps, rules } = configured.for(who);
  const checks = rules.for({ name: "t0" }).flatMap(({ conditions }) => conditions.map(({ location }) => location.label));
  return JSON.stringify([steps.map(({ id, label, allow, alsoAllow, deny }) => [id, label, allow, alsoAllow, deny]), checks]);
}

function registryOf(tools: readonly ToolDefinition[], policyOrNone: ConfiguredPolicy | undefined): Registry {
  const registry = createRegistry(policyOrNone && { policy: policyOrNone });
  for (const tool of tools) registry.register(tool);
  return registry;
}

/** Everything that a registry says to one caller. */
function tellAll(registry: Registry, who: Caller): unknown {
  const { tools, warnings, decision, offered } = registry.view(who);
  return {
    tools,
    warnings,
    decisions: toolNames.map((name) => decision(name)),
    offered: toolNames.map((name) => offered(name)?.name),
    sentences: toolNames.map((name) => registry.explain(name, who).sentences),
  };
}

describe("a decision about one tool", () => {
  it("is the decision that the whole list was made with, to the last word", () => {
    const gates = [ownerOnlyGate, modelGate, optionalPluginGate, unenforceableGate];
    fc.assert(
      fc.property(anyTools, config, fc.array(caller, { minLength: 1, maxLength: 4 }), (tools, draft, callers) => {
        const configured = readPolicyConfig(draft, { knownGroups: ["own"] });
        const registry = registryOf(tools, configured);
        for (const who of callers) {
          const whole = decideTools({ tools: registry.list(), ...configured.for(who), caller: who, gates });
          const { tools: shown, decision, offered, decisionAbout } = registry.view(who);
          expect(shown).toEqual(whole.tools);
          for (const tool of tools) {
            expect(decision(tool.name)).toEqual(whole.decisions.get(tool.name));
            expect(decisionAbout(tool)).toEqual(whole.decisions.get(tool.name));
            expect(offered(tool.name) === tool).toBe(shown.includes(tool));
          }
        }
      }),
      { numRuns: sized(30, 150) },
    );
  });

  it("about a tool that is not registered is the one that it would get beside the others", () => {
    fc.assert(
      fc.property(anyTools, config, caller, (tools, draft, who) => {
        const [guest, ...others] = tools;
        if (guest === undefined) return;
        const configured = readPolicyConfig(draft, { knownGroups: ["own"] });
        expect(registryOf(others, configured).view(who).decisionAbout(guest)).toEqual(
          registryOf([...others, guest], configured)
            .view(who)
            .decision(guest.name),
        );
      }),
      { numRuns: sized(25, 60) },
    );
  });

  it("follows tools that come and go", () => {
    const [core, plugin] = [
      defineTool({ name: "linear", description: "A tool.", inputSchema: { type: "object" }, handler: () => "" }),
      defineTool({
        name: "search",
        description: "A tool.",
        inputSchema: { type: "object" },
        handler: () => "",
        metadata: { pluginId: "linear" },
      }),
    ];
    const registry = registryOf([plugin!], readPolicyConfig({ tools: { allow: ["linear", "read"] } }));
    const allowed = (): boolean | undefined => registry.view({}).decision("search")?.allowed;
    expect(allowed()).toBe(true);
    registry.register(core!);
    expect(allowed()).toBe(false);
    registry.unregister("linear");
    expect(allowed()).toBe(true);
  });
});

describe("callers that share what was decided", () => {
  it("are told exactly what they would be told alone, in any order", () => {
    fc.assert(
      fc.property(anyTools, config, fc.array(caller, { minLength: 2, maxLength: 8 }), (tools, draft, callers) => {
        const configured = readPolicyConfig(draft, { knownGroups: ["own"] });
        const shared = registryOf(tools, configured);
        for (const who of [...callers, ...callers])
          expect(tellAll(shared, who)).toEqual(tellAll(registryOf(tools, readPolicyConfig(draft, { knownGroups: ["own"] })), who));
      }),
      { numRuns: sized(8, 30) },
    );
  });

  it("never share where different parts of a configuration apply", () => {
    const configured = readPolicyConfig(everyPart);
    const told = new Map<object, string>();
    for (const who of oneOf(3, [...everyKindOfCaller()])) {
      const policyOfWho = configured.for(who);
      const alone = describePolicy(readPolicyConfig(everyPart), who);
      expect(told.get(policyOfWho) ?? alone).toBe(alone);
      told.set(policyOfWho, alone);
      expect(configured.for({ ...who, session: "another" })).toBe(policyOfWho);
    }
    // Nor is anything made twice.
    expect(new Set(told.values()).size).toBe(told.size);
  });

  it("are each told their own name where the configuration does not list them", async () => {
    const registry = registryOf(
      [defineTool({ name: "read", description: "A tool.", inputSchema: { type: "object" }, handler: () => "" })],
      readPolicyConfig({ unknownAgents: "deny" }),
    );
    for (const agent of ["eve", "mallory", "eve"]) {
      expect(registry.view({ agent }).decision("read")?.reason).toContain(`"${agent}"`);
      expect(registry.view({ agent }).warnings).toMatchObject([{ entries: [agent] }]);
      expect(await registry.invoke("read", {}, { caller: { agent } })).toMatchObject({ error: expect.stringContaining(`"${agent}"`) });
    }
  });

  it("get the same list, so that what was made from it is found again", () => {
    const tools = toolNames.map((name) => defineTool({ name, description: "A tool.", inputSchema: { type: "object" }, handler: () => "" }));
    const registry = registryOf(
      tools,
      readPolicyConfig({ tools: { deny: ["exec"] }, agents: { ann: { tools: { deny: ["cron"] } }, bob: {} } }),
    );
    const { tools: shown } = registry.view({ agent: "bob" });
    expect(shown).toHaveLength(9);
    expect(registry.view({ agent: "x", session: "1", principal: "key x" }).tools).toBe(shown);
    expect(registry.view({ agent: "y", sender: "7", tenant: "t" }).tools).toBe(shown);
    expect(registry.view({ agent: "ann" }).tools).not.toBe(shown);
    expect(registry.view({ agent: "bob", model: "gpt-5" }).tools).not.toBe(shown);
  });

  it("get one list for each outcome of the tools' own conditions", () => {
    const conditional = (name: string, channel: string): ToolDefinition =>
      defineTool({
        name,
        description: "A tool.",
        inputSchema: { type: "object" },
        handler: () => "",
        metadata: { when: (who) => who.channel === channel },
      });
    const registry = registryOf([conditional("one", "chat"), conditional("two", "mail")], readPolicyConfig({}));
    const lists = ["chat", "mail", "none", "chat", "mail", "none"].map((channel) => registry.view({ agent: channel, channel }).tools);
    expect(lists.slice(0, 3).map((tools) => tools.map(({ name }) => name))).toEqual([["one"], ["two"], []]);
    for (const at of [0, 1, 2]) expect(lists[at + 3]).toBe(lists[at]);
  });
});

/** A policy that counts how often every tool is looked at. */
function counting(draft: PolicyConfig): { readonly policy: ConfiguredPolicy; whole(): number } {
  const read = readPolicyConfig(draft);
  const { parts } = read.evaluator;
  let whole = 0;
  const readSteps: typeof parts.readSteps = (input) => {
    const steps = parts.readSteps(input);
    const evaluate: typeof steps.evaluate = (index, unavailable) => {
      whole++;
      return steps.evaluate(index, unavailable);
    };
    return { ...steps, evaluate };
  };
  return { policy: { ...read, evaluator: { ...read.evaluator, parts: { ...parts, readSteps } } }, whole: () => whole };
}

describe("a thousand agents", () => {
  const tools = toolNames.map((name) =>
    defineTool({ name, description: "A tool.", inputSchema: { type: "object" }, handler: () => "done" }),
  );
  const names = Array.from({ length: 1_000 }, (_, number) => `agent-${number}`);

  it("call tools without the whole list being decided for any of them", async () => {
    const { policy: configured, whole } = counting({ tools: { allow: ["*"], deny: ["exec", "linear_*"] } });
    const registry = registryOf(tools, configured);
    for (const agent of names) {
      expect(await registry.invoke("read", {}, { caller: { agent } })).toMatchObject({ ok: true });
      expect(await registry.invoke("exec", {}, { caller: { agent } })).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
      expect(registry.view({ agent }).offered("linear_search")).toBeUndefined();
    }
    expect(whole()).toBe(0);
  });

  it("see lists that were decided once for all of them", () => {
    const { policy: configured, whole } = counting({ unknownAgents: "deny", tools: { deny: ["exec"] }, agents: { known: {} } });
    const registry = registryOf(tools, configured);
    expect(new Set(names.map((agent) => registry.view({ agent }).tools)).size).toBe(1);
    expect(registry.view({ agent: "known" }).tools).toHaveLength(9);
    expect(whole()).toBe(2);
  });

  it("with an entry of their own each call tools without the whole list, too", async () => {
    const own = Object.fromEntries(names.map((agent, number) => [agent, { tools: { deny: [`${toolNames[number % 10]}`] } }]));
    const { policy: configured, whole } = counting({ tools: { allow: ["*"] }, agents: own });
    const registry = registryOf(tools, configured);
    for (const [number, agent] of names.entries()) {
      expect(await registry.invoke(toolNames[number % 10]!, {}, { caller: { agent } })).toMatchObject({ ok: false });
      expect(await registry.invoke(toolNames[(number + 1) % 10]!, {}, { caller: { agent } })).toMatchObject({ ok: true });
    }
    expect(whole()).toBe(0);
  });

  it("that have tools of their own call them without the whole list", async () => {
    const { policy: configured, whole } = counting({ tools: { deny: ["exec"] } });
    const registry = registryOf(tools, configured);
    const make = (agent: string): ToolDefinition =>
      defineTool({ name: `of_${agent}`, description: "A tool.", inputSchema: { type: "object" }, handler: () => agent });
    await registry.addSource({ id: "own", list: () => [], listFor: ({ agent }) => (agent === undefined ? [] : [make(agent)]) });
    for (const agent of names)
      expect(await registry.invoke(`of_${agent}`, {}, { caller: { agent } })).toMatchObject({ ok: true, content: agent });
    expect(whole()).toBe(0);
    expect(registry.view({ agent: "agent-1" }).tools.at(-1)?.name).toBe("of_agent-1");
  });
});
