import { describe, expect, it } from "vitest";
import { readPolicyConfig } from "../../../src/policy/config/config.ts";
import type { PolicyConfig } from "../../../src/policy/config/shape.ts";
import { decideTools } from "../../../src/policy/decide/decide.ts";
import type { PolicyTool, PolicyWarning } from "../../../src/policy/policy.ts";
import type { Caller } from "../../../src/tool/context.ts";
import { pluginTool, toolsNamed } from "../tools.ts";

const tools: readonly PolicyTool[] = [...toolsNamed("read", "exec", "web_search"), pluginTool("linear_search", "linear")];

function warningsOf(
  config: PolicyConfig,
  more: { tools?: readonly PolicyTool[]; caller?: Caller; availabilityOf?: never } = {},
): readonly PolicyWarning[] {
  const { caller = {} } = more;
  return decideTools({ tools, caller, ...readPolicyConfig(config).for(caller), ...more }).warnings;
}

describe("a warning about a policy says what is wrong, and its effect:", () => {
  it.each<[config: PolicyConfig, warning: Partial<PolicyWarning>]>([
    [
      { tools: { deny: ["exce"] } },
      {
        kind: "unknown-deny",
        suggestion: "exec",
        message: 'No tool matches "exce" (did you mean "exec"?) in tools.deny, so nothing is denied by it.',
      },
    ],
    [{ tools: { allow: ["read", "zzzzzz"] } }, { kind: "unknown-allow", message: 'No tool matches "zzzzzz" in tools.allow.' }],
    [
      { tools: { alsoAllow: ["raed"] } },
      { kind: "unknown-allow", suggestion: "read", message: 'No tool matches "raed" (did you mean "read"?) in tools.alsoAllow.' },
    ],
    [
      { tools: { ask: ["zzzzzz"] } },
      { kind: "unknown-ask", message: 'No tool matches "zzzzzz" in tools.ask, so no call needs approval because of it.' },
    ],
    [
      { tools: { allow: ["linear"] } },
      {
        kind: "plugin-only-allow",
        message:
          'tools.allow names only plugin tools ("linear"), so it is ignored: otherwise it would hide every core tool. Use alsoAllow to add plugin tools.',
      },
    ],
    [{ tools: { deny: ["linaer"] } }, { kind: "unknown-deny", suggestion: "linear", entries: ["linaer"] }],
    [
      { tools: { conditions: [{ tool: "exce", deny: "true" }] } },
      {
        kind: "unknown-rule",
        step: "global",
        entries: ["exce"],
        suggestion: "exec",
        message: 'No tool matches "exce" (did you mean "exec"?) in tools.conditions[0], so the rule has no effect.',
      },
    ],
    [
      { tools: { paths: [{ tool: "zzzzzz", deny: ["*.key"] }] } },
      { kind: "unknown-rule", message: 'No tool matches "zzzzzz" in tools.paths[0], so the rule has no effect.' },
    ],
    [
      { tools: { paths: [{ tool: "exec", deny: ["*.key"] }] } },
      {
        kind: "path-rule",
        step: "global",
        entries: ["exec"],
        label: "tools.paths[0]",
        message:
          'tools.paths[0] cannot be enforced for tools that run programs, so it hides "exec". Name other tools in the rule, or name the parameters that it is about.',
      },
    ],
  ])("%j", (config, warning) => {
    const found = warningsOf(config);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject(warning);
    expect("suggestion" in found[0]!).toBe(warning.suggestion !== undefined);
  });

  it("a required tool that a list for everybody hides", () => {
    const required: PolicyTool = { name: "audit", metadata: { optionality: "required" } };
    const hidden = warningsOf({ tools: { deny: ["audit", "other"] } }, { tools: [required, { ...required, name: "other" }] });
    expect(hidden).toMatchObject([
      {
        kind: "required-hidden",
        entries: ["audit", "other"],
        label: "tools",
        message: 'tools hides "audit", "other" from every agent, although marked as required.',
      },
    ]);
    expect(warningsOf({ tools: { deny: ["audit"] } }, { tools: [{ ...required, metadata: { optionality: "optional" } }] })).toEqual([]);
  });

  it("tools that are named and not available", () => {
    const availabilityOf = (({ name }: PolicyTool) => (name === "exec" ? { rule: "state", reason: "it is off" } : undefined)) as never;
    expect(warningsOf({ tools: { allow: ["read", "exec"] } }, { availabilityOf })).toMatchObject([
      { kind: "unavailable", entries: ["exec"], message: 'tools.allow names "exec", and the matching tools are not available.' },
    ]);
    expect(warningsOf({ tools: { allow: ["read", "ex*", "*"] } }, { availabilityOf })).toMatchObject([
      { kind: "unavailable", entries: ["ex*"] },
    ]);
    expect(warningsOf({ tools: { deny: ["exec"] } }, { availabilityOf })).toEqual([]);
  });

  it("shows the first five of many names, and looks for the nearest of the first eight", () => {
    const wrong = Array.from({ length: 12 }, (_, index) => `web_searc${index}`);
    const [{ message, entries }] = warningsOf({ tools: { deny: wrong } }) as [PolicyWarning];
    expect(entries).toHaveLength(12);
    expect(message.match(/did you mean/g)).toHaveLength(5);
    expect(message).toContain("and 7 more in tools.deny");
    const [, second] = warningsOf({ tools: { deny: wrong, ask: wrong } });
    expect(second!.message.match(/did you mean/g)).toHaveLength(3);
  });

  it("suggests groups for groups, those of the configuration as well", () => {
    const known = readPolicyConfig({ tools: { deny: ["group:fs"] }, groups: { mine: ["read"] } }, { knownGroups: ["mien"] });
    const { warnings } = decideTools({
      tools,
      ...known.for({}),
      steps: [{ id: "global", label: "tools", deny: ["group:mien", "group:plugin"] }],
    });
    expect(warnings[0]!.message).toContain('"group:mien" (did you mean "group:mine"?), "group:plugin" (did you mean "group:plugins"?)');
  });

  it("suggests nothing for a name of the catalog that is only not there", () => {
    for (const name of ["memory_get", "group:memory"]) expect(warningsOf({ tools: { deny: [name] } })[0]).not.toHaveProperty("suggestion");
  });
});

describe("a warning about one caller", () => {
  const anonymous = { agent: " Anonymous " };

  it("is given where callers who have not signed in may use everything", () => {
    expect(warningsOf({ agents: { anonymous: { tools: { deny: ["exec"] } } } }, { caller: anonymous })).toEqual([
      {
        step: "agent",
        kind: "anonymous-unlimited",
        entries: [" Anonymous "],
        label: "agents.anonymous.tools.allow",
        message:
          'The agent "anonymous" has no allow list, so callers who have not signed in may use every tool that is not denied. Name the tools that they may use in policy.agents.anonymous.tools.allow.',
      },
    ]);
  });

  it("is not, where they have a list, are unknown, or are the owner; nor for others", () => {
    const deny = { agents: { anonymous: { tools: { deny: ["exec"] } } } };
    expect(warningsOf({ agents: { anonymous: { tools: { allow: ["read"] } } } }, { caller: anonymous })).toEqual([]);
    expect(warningsOf(deny, { caller: { ...anonymous, owner: true } })).toEqual([]);
    for (const caller of [{}, { agent: "ada" }]) expect(warningsOf(deny, { caller })).toEqual([]);
    const unknown = warningsOf({ unknownAgents: "deny", agents: { ada: {} } }, { caller: anonymous });
    expect(unknown.map(({ kind }) => kind)).toEqual(["unknown-agent"]);
  });

  it("names an agent that is not listed, the nearest one and the line to add", () => {
    const [warning, ...more] = warningsOf({ unknownAgents: "deny", agents: { support: {} } }, { caller: { agent: "suport" } });
    expect(more).toEqual([]);
    expect(warning).toEqual({
      step: "unknownAgents",
      kind: "unknown-agent",
      entries: ["suport"],
      label: "unknownAgents",
      message:
        'The configuration does not list the agent "suport", so it may use no tools. Did you mean "support"? To let it use some tools, add this line under policy.agents in the configuration: `suport: { tools: { allow: [<tools>] } }`.',
    });
    expect(warningsOf({ unknownAgents: "deny", agents: { support: {} } }, { caller: {} })).toEqual([]);
  });

  it("names a phase that is not listed, and none that is, or that every other phase stands for", () => {
    const phases = { deliver: ["read"] };
    expect(warningsOf({ phases }, { caller: { phase: "gone" } })).toEqual([
      {
        step: "phase",
        kind: "unknown-phase",
        entries: ["gone"],
        label: "phases.gone",
        message: 'The policy lists no phase "gone", so there are no tools in it. Correct its name, or list it under phases.',
      },
    ]);
    expect(warningsOf({ phases }, { caller: { phase: "deliver" } })).toEqual([]);
    expect(warningsOf({ phases: { ...phases, "*": ["read"] } }, { caller: { phase: "gone" } })).toEqual([]);
    expect(warningsOf({}, { caller: { phase: "gone" } })).toEqual([]);
    expect(warningsOf({ phases }, { caller: {} })).toEqual([]);
  });
});
