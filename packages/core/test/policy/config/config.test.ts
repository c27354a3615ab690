import { describe, expect, it } from "vitest";
import { policyFromConfig, readPolicyConfig } from "../../../src/policy/config/config.ts";
import type { PolicyConfig } from "../../../src/policy/config/shape.ts";
import { decideTools } from "../../../src/policy/decide/decide.ts";
import type { PolicyTool } from "../../../src/policy/policy.ts";
import type { Caller } from "../../../src/tool/context.ts";
import { catalogTools, namesOf, pluginTool } from "../tools.ts";

function decide(config: PolicyConfig, caller: Caller = {}, tools: readonly PolicyTool[] = catalogTools) {
  return decideTools({ ...policyFromConfig(config, caller), tools, caller });
}

function names(config: PolicyConfig, caller?: Caller, tools?: readonly PolicyTool[]): string[] {
  return namesOf(decide(config, caller, tools).tools);
}

function failure(config: unknown, options?: Parameters<typeof policyFromConfig>[2]): { code: string; message: string } {
  try {
    policyFromConfig(config as PolicyConfig, {}, options);
  } catch (error) {
    return error as { code: string; message: string };
  }
  throw new Error("The configuration was accepted.");
}

describe("an empty configuration", () => {
  // row: E1
  it("leaves everything available", () => {
    expect(names({})).toEqual(namesOf(catalogTools));
    expect(policyFromConfig({ tools: {}, agents: {} }, { agent: "a" }).steps).toEqual([]);
  });
});

describe("scopes", () => {
  // row: E11
  it("two agents have two lists", () => {
    const config: PolicyConfig = {
      agents: { Reader: { tools: { allow: ["group:fs"], deny: ["write"] } }, talker: { tools: { profile: "messaging" } } },
    };
    expect(names(config, { agent: "reader" })).toEqual(["read", "edit", "apply_patch"]);
    expect(names(config, { agent: "talker" })).toHaveLength(5);
    expect(names(config, { agent: "other" })).toHaveLength(25);
    expect(names(config, { agent: "__proto__" })).toHaveLength(25);
  });

  // row: E10
  it("provider/model goes before provider, and only the first match counts", () => {
    const config: PolicyConfig = { tools: { byProvider: { OpenAI: { deny: ["exec"] }, "openai/GPT-X": { deny: ["write"] } } } };
    expect(decide(config, { provider: "openai", model: "gpt-x" }).decisions.get("write")).toMatchObject({
      step: "globalProvider",
      label: "tools.byProvider.openai/GPT-X.deny",
    });
    expect(names(config, { provider: "openai", model: "gpt-x" })).toContain("exec");
    expect(names(config, { provider: "openai", model: "gpt-y" })).not.toContain("exec");
    expect(names(config, { provider: "anthropic" })).toHaveLength(25);
  });

  it("an agent's provider rules are a step of their own", () => {
    const config: PolicyConfig = { agents: { a: { tools: { byProvider: { google: { profile: "minimal", deny: ["session_status"] } } } } } };
    const { decisions } = decide(config, { agent: "a", provider: "google" });
    expect(decisions.get("session_status")).toMatchObject({ step: "agentProvider", label: "agents.a.tools.byProvider.google.deny" });
    expect(decisions.get("read")).toMatchObject({ step: "providerProfile", label: "agents.a.tools.byProvider.google.profile (minimal)" });
  });

  it("a path key that is no plain word is quoted in labels", () => {
    const config: PolicyConfig = { agents: { "my bot": { tools: { deny: ["exec"] } } } };
    expect(decide(config, { agent: "my bot" }).decisions.get("exec")?.label).toBe('agents["my bot"].tools.deny');
  });
});

describe("profiles", () => {
  it("an agent's profile takes the place of the global one", () => {
    const config: PolicyConfig = { tools: { profile: "minimal" }, agents: { a: { tools: { profile: "messaging" } } } };
    expect(names(config)).toEqual(["session_status"]);
    expect(names(config, { agent: "a" })).toHaveLength(5);
  });

  it("alsoAllow adds to the profile of its scope and of wider ones", () => {
    const config: PolicyConfig = { tools: { profile: "minimal", alsoAllow: ["cron"] }, agents: { a: { tools: { alsoAllow: ["tts"] } } } };
    expect(names(config)).toEqual(["session_status", "cron"]);
    expect(names(config, { agent: "a" })).toEqual(["session_status", "cron", "tts"]);
    expect(decide(config, { agent: "a" }).decisions.get("tts")).toMatchObject({
      step: "profile",
      label: "agents.a.tools.alsoAllow",
      entry: "tts",
    });
  });

  it("what everybody may use beyond their profile is not added to the one an agent chose", () => {
    const config: PolicyConfig = { tools: { profile: "coding", alsoAllow: ["cron"] }, agents: { a: { tools: { profile: "minimal" } } } };
    expect(names(config, { agent: "a" })).toEqual(["session_status"]);
  });

  it("an unknown name in alsoAllow is reported once", () => {
    const { warnings } = decide({ tools: { profile: "minimal", alsoAllow: ["crn"] } });
    expect(warnings).toMatchObject([{ step: "profile", kind: "unknown-allow", entries: ["crn"], suggestion: "cron" }]);
  });

  it("alsoAllow beside allow adds to that list too", () => {
    expect(names({ tools: { profile: "coding", allow: ["read"], alsoAllow: ["cron"] } })).toEqual(["read", "cron"]);
  });

  it("profiles of your own have allow and deny, and tools may join them", () => {
    const config: PolicyConfig = { profiles: { support: { allow: ["message", "read"], deny: ["write"] } }, tools: { profile: "support" } };
    const grep: PolicyTool = { name: "grep", metadata: { profiles: ["support"] } };
    expect(names(config, {}, [...catalogTools, grep])).toEqual(["read", "message", "grep"]);
    expect(decide(config).decisions.get("exec")).toMatchObject({ step: "profile", label: "tools.profile (support)" });
    expect(names({ profiles: { quiet: { deny: ["tts"] } }, tools: { profile: "quiet" } })).toHaveLength(24);
  });

  it("full restricts nothing", () => {
    expect(names({ tools: { profile: "full", alsoAllow: ["cron"] } })).toHaveLength(25);
  });
});

describe("channels", () => {
  const config: PolicyConfig = {
    channels: {
      Telegram: {
        tools: { deny: ["gateway"] },
        groups: {
          "-100": {
            tools: { allow: ["message"] },
            toolsBySender: { "id:7": { allow: ["message", "exec"] }, "username:@Ada": { allow: ["read"] }, "42": { allow: ["cron"] } },
          },
          "*": { tools: { deny: ["group:runtime"] } },
        },
      },
    },
  };

  it.each<[Caller, string[]]>([
    [{ channel: "telegram", group: "-100" }, ["message"]],
    [{ channel: "telegram", group: "-100", sender: "id:7" }, ["exec", "message"]],
    [{ channel: "telegram", group: "-100", sender: "7" }, ["exec", "message"]],
    [{ channel: "telegram", group: "-100", sender: "username:ADA" }, ["read"]],
    [{ channel: "TELEGRAM", group: "-100", sender: "id:42" }, ["cron"]],
    [{ channel: "telegram", group: "-100", sender: "name:42" }, ["message"]],
    [{ channel: "telegram", group: "-100", sender: "constructor" }, ["message"]],
  ])("%j may use %j", (caller, expected) => {
    expect(names(config, caller)).toEqual(expected);
  });

  it("a group that is not listed is treated as *, and the channel's own policy holds in every group", () => {
    const kept = names(config, { channel: "telegram", group: "other" });
    expect(kept).toHaveLength(22);
    expect(kept).not.toContain("exec");
    expect(kept).not.toContain("gateway");
    expect(decide(config, { channel: "telegram", group: "other" }).decisions.get("exec")).toMatchObject({
      step: "group",
      label: "channels.Telegram.groups.*.tools.deny",
    });
  });

  it("outside of groups only the channel's policy holds, and elsewhere none", () => {
    expect(names(config, { channel: "telegram" })).toHaveLength(24);
    expect(names(config, { channel: "irc", group: "-100" })).toHaveLength(25);
  });

  it("a sender's policy of a channel holds in direct talks", () => {
    const direct: PolicyConfig = {
      channels: { sms: { tools: { allow: ["message"] }, toolsBySender: { "*": { allow: ["tts"] }, "e164:+4912": { deny: ["exec"] } } } },
    };
    expect(names(direct, { channel: "sms", sender: "e164:+4912" })).toHaveLength(24);
    expect(names(direct, { channel: "sms", sender: "e164:+4913" })).toEqual(["tts"]);
  });
});

describe("sandboxes", () => {
  it("have the default lists", () => {
    const kept = names({}, { sandboxed: true });
    expect(kept).toHaveLength(13);
    expect(decide({}, { sandboxed: true }).decisions.get("browser")).toMatchObject({
      step: "sandbox",
      rule: "deny",
      label: "sandbox.tools.deny (default)",
    });
    expect(names({})).toHaveLength(25);
  });

  it("take each list from the agent, else from the global configuration", () => {
    const config: PolicyConfig = {
      sandbox: { tools: { allow: ["read", "exec"], deny: ["exec"] } },
      agents: { a: { sandbox: { tools: { allow: ["write", "exec"] } } } },
    };
    expect(names(config, { sandboxed: true })).toEqual(["read"]);
    expect(names(config, { sandboxed: true, agent: "a" })).toEqual(["write"]);
    expect(decide(config, { sandboxed: true, agent: "a" }).decisions.get("exec")?.label).toBe("sandbox.tools.deny");
    expect(decide(config, { sandboxed: true, agent: "a" }).decisions.get("read")?.label).toBe("agents.a.sandbox.tools.allow");
  });

  it("an exact name lifts a default denial, a glob does not", () => {
    expect(names({ sandbox: { tools: { alsoAllow: ["browser"] } } }, { sandboxed: true })).toContain("browser");
    expect(names({ sandbox: { tools: { alsoAllow: ["brow*"] } } }, { sandboxed: true })).not.toContain("browser");
  });
});

describe("spawned agents", () => {
  // row: E12
  it("lack session and gateway tools, and leaves lack more", () => {
    const config: PolicyConfig = { subagents: { maxSpawnDepth: 2 } };
    const inner = names(config, { subagentDepth: 1 });
    const leaf = names(config, { subagentDepth: 2 });
    expect(inner).not.toContain("gateway");
    expect(inner).not.toContain("sessions_send");
    expect(inner).toContain("sessions_spawn");
    expect(inner.filter((name) => !leaf.includes(name))).toEqual(["sessions_list", "sessions_history", "sessions_spawn"]);
    expect(names({}, { subagentDepth: 1 })).toEqual(leaf);
    expect(names({}, { subagentDepth: 0 })).toHaveLength(25);
    expect(() => names({}, { subagentDepth: Number.NaN })).toThrow('The caller: "subagentDepth" must be a number of 0 or more');
  });

  it("a tool that is named outright is given back, a glob gives nothing back, and a configured deny stays", () => {
    const spawned: Caller = { subagentDepth: 1 };
    expect(names({ subagents: { tools: { alsoAllow: ["Cron"] } } }, spawned)).toContain("cron");
    expect(names({ subagents: { tools: { alsoAllow: ["cro*"] } } }, spawned)).not.toContain("cron");
    expect(names({ subagents: { tools: { allow: ["cron", "read"] } } }, spawned)).toEqual(["read", "cron"]);
    expect(names({ subagents: { tools: { alsoAllow: ["cron"], deny: ["cron", "exec"] } } }, spawned)).not.toContain("cron");
  });

  it("say whether a default or a configured entry hides a tool", () => {
    const { decisions } = decide({ subagents: { tools: { deny: ["exec"] } } }, { subagentDepth: 1 });
    expect(decisions.get("cron")).toMatchObject({ step: "subagent", label: "subagents.tools.deny (default)", entry: "cron" });
    expect(decisions.get("exec")).toMatchObject({ step: "subagent", label: "subagents.tools.deny", entry: "exec" });
  });
});

describe("phases", () => {
  const tools = [...catalogTools, pluginTool("git", "vcs"), pluginTool("github", "vcs")];
  const config: PolicyConfig = {
    phases: {
      deliver: ["git", "github"],
      review: { allow: ["read", "git"], deny: ["git"] },
      plan: [{ allow: ["group:fs"] }, { deny: ["write"] }],
    },
  };

  // row: E15
  it("a phase has its own tools, also where they are plugin tools only", () => {
    expect(names(config, { phase: "deliver" }, tools)).toEqual(["git", "github"]);
    expect(decide(config, { phase: "deliver" }, tools).decisions.get("read")).toMatchObject({ step: "phase", label: "phases.deliver" });
  });

  it("a phase may be a policy, or several", () => {
    expect(names(config, { phase: "review" }, tools)).toEqual(["read"]);
    expect(names(config, { phase: "plan" }, tools)).toEqual(["read", "edit", "apply_patch"]);
  });

  it("a run without a phase is not restricted, one in a phase that nobody listed has nothing", () => {
    expect(names(config, {}, tools)).toHaveLength(27);
    expect(names(config, { phase: "delivr" }, tools)).toEqual([]);
    expect(decide(config, { phase: "delivr" }, tools).decisions.get("git")).toMatchObject({ rule: "not-in-allow", label: "phases.delivr" });
    expect(names({ phases: { ...config.phases, "*": ["read"] } }, { phase: "delivr" }, tools)).toEqual(["read"]);
    expect(names({}, { phase: "any" }, tools)).toHaveLength(27);
  });
});

describe("groups of your own", () => {
  // row: E3
  it("are used like the catalog's", () => {
    const config: PolicyConfig = { groups: { Payments: ["refund", "invoice_*", "group:web"] }, tools: { deny: ["group:payments"] } };
    const tools: PolicyTool[] = [{ name: "refund" }, { name: "invoice_send" }, { name: "web_search" }, { name: "read" }];
    expect(names(config, {}, tools)).toEqual(["read"]);
  });
});

describe("a wrong configuration", () => {
  it.each<[string, unknown, string, string]>([
    ["an unknown key", { tool: {} }, "CONFIG_INVALID", 'tool: there is no setting "tool". Did you mean "tools"?'],
    [
      "an unknown key further down",
      { agents: { a: { tools: { alow: [] } } } },
      "CONFIG_INVALID",
      'agents.a.tools.alow: there is no setting "alow". Did you mean "allow"?',
    ],
    [
      "an unknown profile",
      { tools: { profile: "codng" } },
      "CONFIG_INVALID",
      'tools.profile: there is no profile "codng". Did you mean "coding"?',
    ],
    ["a profile in other letters", { tools: { profile: "Coding" } }, "CONFIG_INVALID", 'Did you mean "coding"?'],
    [
      "an unknown group",
      { tools: { deny: ["group:runtme"] } },
      "CONFIG_INVALID",
      'tools.deny[0]: there is no group "group:runtme". Did you mean "group:runtime"?',
    ],
    ["an inherited group", { tools: { deny: ["group:constructor"] } }, "CONFIG_INVALID", "tools.deny[0]"],
    ["a policy that is no object", { sandbox: { tools: ["read"] } }, "POLICY_INVALID", "sandbox.tools must be an object"],
    ["a list that is no list", { tools: { deny: "exec" } }, "POLICY_INVALID", 'tools.deny must be a list of names, but it is "exec"'],
    [
      "an entry that is no text",
      { tools: { deny: ["exec", 5] } },
      "POLICY_INVALID",
      "tools.deny[1] must be the name of a tool, a group or a plugin, but it is the number 5",
    ],
    ["a blank entry", { tools: { allow: [" "] } }, "POLICY_INVALID", "tools.allow[0] is blank"],
    ["a configuration that is no object", [], "CONFIG_INVALID", "The configuration must be an object"],
    ["null", { tools: null }, "CONFIG_INVALID", "tools must be an object, but it is null"],
    ["a depth that is no number", { subagents: { maxSpawnDepth: "2" } }, "CONFIG_INVALID", "subagents.maxSpawnDepth must be a number"],
    ["two spellings of one provider", { tools: { byProvider: { OpenAI: {}, openai: {} } } }, "CONFIG_INVALID", "already has"],
    ["a group of the catalog", { groups: { fs: ["x"] } }, "CONFIG_INVALID", "groups.fs is a group of the catalog"],
    ["a group in a group", { groups: { a: ["x"], b: ["group:a"] } }, "CONFIG_INVALID", "groups.b[0] names group:a"],
    ["a built-in profile", { profiles: { coding: {} } }, "CONFIG_INVALID", "profiles.coding is a built-in profile"],
    ["a path rule without a tool", { tools: { paths: [{ deny: ["*.key"] }] } }, "CONFIG_INVALID", "tools.paths[0] must say which tool"],
    ["a path rule without patterns", { tools: { paths: [{ tool: "read" }] } }, "CONFIG_INVALID", "tools.paths[0] must deny or allow"],
    [
      "a condition without one",
      { tools: { conditions: [{ tool: "exec" }] } },
      "CONFIG_INVALID",
      "tools.conditions[0] must have a condition",
    ],
    [
      "a condition that cannot be read",
      { tools: { conditions: [{ tool: "exec", allow: "argv[" }] } },
      "CONFIG_INVALID",
      "tools.conditions[0]",
    ],
  ])("%s is refused, with its place", (_what, config, code, message) => {
    expect(failure(config)).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it("__proto__ as a key of a file is a key like any other, and unknown", () => {
    expect(failure(JSON.parse('{"__proto__": {"tools": {}}}')).message).toContain('there is no setting "__proto__"');
    expect(names(JSON.parse('{"agents": {"__proto__": {"tools": {"allow": ["read"]}}}}') as PolicyConfig, { agent: "__proto__" })).toEqual([
      "read",
    ]);
  });

  it("the message has the line where one can be told", () => {
    expect(failure({ tools: { alow: [] } }, { locate: () => 12 }).message).toBe(
      'tools.alow (line 12): there is no setting "alow". Did you mean "allow"?',
    );
    expect(failure({ tools: { deny: [5] } }, { locate: (path) => `policy.yaml:${path.length}` }).message).toContain(
      "tools.deny[0] (policy.yaml:3) must be",
    );
  });

  it("is found whoever the caller is", () => {
    expect(() => readPolicyConfig({ agents: { a: { tools: { profile: "codng" } } } })).toThrow("agents.a.tools.profile");
  });

  it("groups that tools bring along can be made known", () => {
    const policy = policyFromConfig({ tools: { deny: ["group:payments"] } }, {}, { knownGroups: ["payments"] });
    const tools: PolicyTool[] = [{ name: "refund", metadata: { groups: ["payments"] } }, { name: "read" }];
    expect(namesOf(decideTools({ ...policy, tools }).tools)).toEqual(["read"]);
  });
});
