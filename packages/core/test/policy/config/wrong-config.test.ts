import { describe, expect, it } from "vitest";
import { readPolicyConfig } from "../../../src/policy/config/config.ts";
import type { Locate } from "../../../src/policy/config/shape.ts";
import { decideTools } from "../../../src/policy/decide/decide.ts";
import { toSenderKey } from "../../../src/policy/steps/channels.ts";
import { catalogTools } from "../tools.ts";

/** Knows the line of what stands one level deep, and the file of what stands two levels deep. */
const locate: Locate = (path) => (path.length === 2 ? 7 : path.length === 3 ? "policy.yaml:9" : undefined);

describe("a policy that cannot be read", () => {
  it.each<[config: unknown, code: string, message: string]>([
    [5, "CONFIG_INVALID", "The configuration must be an object, but it is the number 5."],
    [[], "CONFIG_INVALID", "The configuration must be an object, but it is a list."],
    [{ toolz: {} }, "CONFIG_INVALID", 'toolz: there is no setting "toolz". Did you mean "tools"?'],
    [{ tools: [] }, "CONFIG_INVALID", "tools must be an object, but it is a list."],
    [{ tools: { profile: 5 } }, "CONFIG_INVALID", "tools.profile (line 7) must be a text, but it is the number 5."],
    [{ tools: { profile: " " } }, "CONFIG_INVALID", 'tools.profile (line 7) must be a text, but it is " ".'],
    [{ tools: { profile: "codng" } }, "CONFIG_INVALID", 'tools.profile (line 7): there is no profile "codng". Did you mean "coding"?'],
    [{ tools: { allow: "read" } }, "POLICY_INVALID", 'tools.allow (line 7) must be a list of names, but it is "read".'],
    [{ tools: { deny: {} } }, "POLICY_INVALID", "tools.deny (line 7) must be a list of names, but it is an object."],
    [
      { tools: { allow: [5] } },
      "POLICY_INVALID",
      "tools.allow[0] (policy.yaml:9) must be the name of a tool, a group or a plugin, but it is the number 5.",
    ],
    [
      { tools: { allow: ["group:flies"] } },
      "CONFIG_INVALID",
      'tools.allow[0] (policy.yaml:9): there is no group "group:flies". Did you mean "group:fs"?',
    ],
    [{ tools: { byProvider: { "": {} } } }, "CONFIG_INVALID", 'tools.byProvider[""] (policy.yaml:9) has no name.'],
    [
      { tools: { byProvider: { openai: {}, " OpenAI ": {} } } },
      "CONFIG_INVALID",
      'tools.byProvider[" OpenAI "] (policy.yaml:9) repeats "openai", which tools.byProvider already has.',
    ],
    [{ agents: [] }, "CONFIG_INVALID", "agents must be an object, but it is a list."],
    [{ agents: { " ": {} } }, "CONFIG_INVALID", 'agents[" "] (line 7) has no name.'],
    [{ groups: { "": [] } }, "CONFIG_INVALID", 'groups[""] (line 7) has no name.'],
    [{ groups: { "group: ": [] } }, "CONFIG_INVALID", 'groups["group: "] (line 7) has no name.'],
    [{ agents: { Ada: {}, ada: {} } }, "CONFIG_INVALID", 'agents.ada (line 7) repeats "ada", which agents already has.'],
    [
      { agents: { ada: { tool: {} } } },
      "CONFIG_INVALID",
      'agents.ada.tool (policy.yaml:9): there is no setting "tool". Did you mean "tools"?',
    ],
    [
      { agents: { "my bot": { tools: { deny: 1 } } } },
      "POLICY_INVALID",
      'agents["my bot"].tools.deny must be a list of names, but it is the number 1.',
    ],
    [{ tools: { paths: {} } }, "CONFIG_INVALID", "tools.paths (line 7) must be a list, but it is an object."],
    [{ tools: { paths: [{}] } }, "CONFIG_INVALID", "tools.paths[0] (policy.yaml:9) must say which tool it is about."],
    [{ tools: { paths: [{ tool: "read" }] } }, "CONFIG_INVALID", "tools.paths[0] (policy.yaml:9) must deny or allow some paths."],
    [{ tools: { paths: [{ tool: "read", deny: "x" }] } }, "CONFIG_INVALID", 'tools.paths[0].deny must be a list, but it is "x".'],
    [
      { tools: { paths: [{ tool: "read", deny: ["x"], parameter: ["x"] }] } },
      "CONFIG_INVALID",
      'tools.paths[0].parameter: there is no setting "parameter". Did you mean "parameters"?',
    ],
    [
      { tools: { conditions: [{ tool: "read" }] } },
      "CONFIG_INVALID",
      "tools.conditions[0] (policy.yaml:9) must have a condition: allow, deny or ask.",
    ],
    [
      { tools: { conditions: [{ deny: "true" }] } },
      "CONFIG_INVALID",
      "tools.conditions[0] (policy.yaml:9) must say which tool it is about.",
    ],
    [
      { tools: { conditions: [{ tool: "read", deny: 5 }] } },
      "CONFIG_INVALID",
      "tools.conditions[0].deny must be a text, but it is the number 5.",
    ],
    [{ unknownAgents: "no" }, "CONFIG_INVALID", 'unknownAgents must be "deny" or "allow", but it is "no".'],
    [{ groups: { fs: ["read"] } }, "CONFIG_INVALID", "groups.fs (line 7) is a group of the catalog; choose another name."],
    [{ groups: { a: "read" } }, "POLICY_INVALID", 'groups.a (line 7) must be a list of names, but it is "read".'],
    [{ groups: { a: ["group:b"] } }, "CONFIG_INVALID", 'groups.a[0] (policy.yaml:9): there is no group "group:b". Did you mean "group:a"?'],
    [{ profiles: { coding: {} } }, "CONFIG_INVALID", "profiles.coding (line 7) is a built-in profile; choose another name."],
    [{ channels: { a: { toolsBySender: { "": {} } } } }, "CONFIG_INVALID", 'channels.a.toolsBySender[""] has no name.'],
    [
      { channels: { a: { group: {} } } },
      "CONFIG_INVALID",
      'channels.a.group (policy.yaml:9): there is no setting "group". Did you mean "groups"?',
    ],
    [
      { phases: { a: 5 } },
      "POLICY_INVALID",
      "phases.a (line 7) must be an object with allow, alsoAllow, deny, ask, but it is the number 5.",
    ],
    [
      { phases: { a: [5] } },
      "POLICY_INVALID",
      "phases.a[0] (policy.yaml:9) must be the name of a tool, a group or a plugin, but it is the number 5.",
    ],
    [
      { subagents: { maxSpawnDepth: -1 } },
      "CONFIG_INVALID",
      "subagents.maxSpawnDepth (line 7) must be a number of at least 0, but it is the number -1.",
    ],
    [
      { subagents: { maxSpawnDepth: "2" } },
      "CONFIG_INVALID",
      'subagents.maxSpawnDepth (line 7) must be a number of at least 0, but it is "2".',
    ],
  ])("says where, what came and what is expected: %j", (config, code, message) => {
    expect(() => readPolicyConfig(config as never, { locate })).toThrow(expect.objectContaining({ code, message }));
  });

  it("lists what there is where nothing is near", () => {
    expect(() => readPolicyConfig({ zzzzzzzz: {} } as never)).toThrow(
      'zzzzzzzz: there is no setting "zzzzzzzz". Known: unknownAgents, tools, agents, channels, sandbox, subagents, phases, groups, profiles.',
    );
  });
});

describe("the sender of a message", () => {
  it.each([
    ["42", "id:42"],
    [" 42 ", "id:42"],
    ["ID: 42", "id:42"],
    ["e164:+49 1", "e164:+49 1"],
    ["username:@Ada", "username:ada"],
    ["Username: Ada ", "username:ada"],
    ["name: Ada L ", "name:ada l"],
    ["other:Ada", "id:other:Ada"],
    ["*", "*"],
    ["", ""],
  ])("is known by one form for each way to name it: %j", (key, expected) => {
    expect(toSenderKey(key)).toBe(expected);
  });
});

describe("a path rule that cannot be enforced", () => {
  it("hides each of the tools that it is about, in one warning", () => {
    const { steps, groups, rules } = readPolicyConfig({ tools: { paths: [{ tool: "group:runtime", deny: ["x"] }] } }).for({});
    const { warnings, tools } = decideTools({ tools: catalogTools, steps, groups, rules });
    expect(tools.map(({ name }) => name)).not.toContain("exec");
    expect(warnings).toEqual([
      {
        step: "global",
        kind: "path-rule",
        entries: ["exec", "process"],
        label: "tools.paths[0]",
        message:
          'tools.paths[0] cannot be enforced for tools that run programs, so it hides "exec", "process". Name other tools in the rule, or name the parameters that it is about.',
      },
    ]);
  });
});
