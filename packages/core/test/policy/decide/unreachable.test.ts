import { describe, expect, it } from "vitest";
import { readPolicyConfig } from "../../../src/policy/config/config.ts";
import type { PolicyConfig } from "../../../src/policy/config/shape.ts";
import { decideTools } from "../../../src/policy/decide/decide.ts";
import type { PolicyTool, PolicyWarning } from "../../../src/policy/policy.ts";
import { catalogTools, toolsNamed } from "../tools.ts";

function warningsOf(config: PolicyConfig, tools: readonly PolicyTool[] = catalogTools, agent = "support"): readonly PolicyWarning[] {
  const caller = { agent };
  return decideTools({ tools, caller, ...readPolicyConfig(config).for(caller) }).warnings;
}

describe("a rule that can never take effect", () => {
  it("is reported with what hides its tool, if a deny for everybody stands before an agent's allow", () => {
    const [warning, ...more] = warningsOf({
      tools: { deny: ["exec"] },
      agents: { support: { tools: { allow: ["exec", "read"] } } },
    });
    expect(more).toEqual([]);
    expect(warning).toMatchObject({ kind: "unreachable", step: "agent", entries: ["exec"], label: "agents.support.tools.allow" });
    expect(warning!.message).toBe(
      '"exec" in agents.support.tools.allow has no effect, because tools.deny hides what it matches. Remove the entry, or change tools.deny.',
    );
  });

  it.each<[string, PolicyConfig, string, string]>([
    ["an allow that the same part denies", { tools: { allow: ["read", "exec"], deny: ["exec"] } }, "exec", "tools.deny"],
    ["an ask that the same part denies", { tools: { ask: ["exec"], deny: ["group:runtime"] } }, "exec", "tools.deny"],
    [
      "an agent's allow outside of the allow for everybody",
      { tools: { allow: ["read"] }, agents: { support: { tools: { allow: ["read", "write"] } } } },
      "write",
      "tools.allow",
    ],
    [
      "an agent's ask outside of its own allow",
      { agents: { support: { tools: { allow: ["read"], ask: ["write"] } } } },
      "write",
      "agents.support.tools.allow",
    ],
    [
      "an agent's allow outside of its profile",
      { agents: { support: { tools: { profile: "coding", allow: ["read", "message"] } } } },
      "message",
      "agents.support.tools.profile (coding)",
    ],
    [
      "an addition to a profile that is denied for everybody",
      { tools: { deny: ["message"] }, agents: { support: { tools: { profile: "coding", alsoAllow: ["message"] } } } },
      "message",
      "tools.deny",
    ],
    ["a group whose tools are all denied", { tools: { deny: ["exec", "process"], ask: ["group:runtime"] } }, "group:runtime", "tools.deny"],
    ["a pattern whose tools are all denied", { tools: { deny: ["web_*"], ask: ["web_s*"] } }, "web_s*", "tools.deny"],
  ])("is %s", (_what, config, entry, hider) => {
    const found = warningsOf(config);
    expect(found).toMatchObject([{ kind: "unreachable", entries: [entry] }]);
    expect(found[0]!.message).toContain(`because ${hider} hides`);
  });

  it.each<[string, PolicyConfig]>([
    [
      "an ask for everybody that one agent's profile leaves out",
      { tools: { ask: ["message"] }, agents: { support: { tools: { profile: "coding" } } } },
    ],
    ["an ask for everybody that one agent denies", { tools: { ask: ["exec"] }, agents: { support: { tools: { deny: ["exec"] } } } }],
    ["a group of which a part is denied", { tools: { allow: ["group:fs"], deny: ["write"] } }],
    ["a second deny", { tools: { deny: ["exec"] }, agents: { support: { tools: { deny: ["exec"] } } } }],
    [
      "a built-in profile of which a part is denied",
      { tools: { deny: ["group:runtime"] }, agents: { support: { tools: { profile: "coding" } } } },
    ],
    ["everything", { tools: { allow: ["*"], deny: ["*"] } }],
  ])("is not %s", (_what, config) => {
    expect(warningsOf(config)).toEqual([]);
  });

  it("does not count tools that are not available, which have a warning of their own", () => {
    const steps = [{ id: "global", label: "tools", allow: ["git", "ls"], deny: ["git"] }] as const;
    const availabilityOf = ({ name }: PolicyTool) =>
      name === "git" ? ({ rule: "capability", reason: "it needs git" } as const) : undefined;
    const { warnings } = decideTools({ tools: toolsNamed("git", "ls"), steps, availabilityOf });
    expect(warnings.map(({ kind }) => kind)).toEqual(["unavailable"]);
  });
});

describe("a rule over arguments", () => {
  it.each(["paths", "conditions"] as const)("that names no tool is reported, with the nearest name: %s", (list) => {
    const rule = list === "paths" ? { tool: "raed", deny: ["secret/"] } : { tool: "raed", deny: "true" };
    expect(warningsOf({ tools: { [list]: [rule] } })).toMatchObject([
      {
        kind: "unknown-rule",
        entries: ["raed"],
        suggestion: "read",
        label: `tools.${list}[0]`,
        message: `No tool matches "raed" (did you mean "read"?) in tools.${list}[0], so the rule has no effect.`,
      },
    ]);
  });

  it("that names a tool, or all of them, is not reported", () => {
    expect(
      warningsOf({
        tools: {
          conditions: [
            { tool: "read", deny: "false" },
            { tool: "group:fs", deny: "false" },
            { tool: "*", deny: "false" },
          ],
        },
      }),
    ).toEqual([]);
  });
});

describe("a required tool", () => {
  const tools: readonly PolicyTool[] = [{ name: "git", metadata: { optionality: "required" } }, { name: "ls" }];

  it("is reported where it is hidden from everybody", () => {
    expect(warningsOf({ tools: { deny: ["git"] } }, tools)).toMatchObject([{ kind: "required-hidden", entries: ["git"] }]);
  });

  it("is not reported where one agent has lists of its own: they choose among the tools", () => {
    expect(warningsOf({ agents: { support: { tools: { allow: ["ls"] } } } }, tools)).toEqual([]);
    expect(warningsOf({ agents: { support: { tools: { deny: ["git"] } } } }, tools)).toEqual([]);
  });
});
