import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { applyToolPolicyPipeline } from "../../../src/policy/decide/pipeline.ts";
import type { PolicyTool, StepId, ToolPolicy, ToolPolicyStep } from "../../../src/policy/policy.ts";
import { buildDefaultToolPolicyPipelineSteps, type DefaultStepsInput } from "../../../src/policy/steps/steps.ts";
import { catalogTools, namesOf, pluginTool, step, toolsNamed } from "../tools.ts";

interface PolicyCase {
  readonly id: string;
  readonly note: string;
  readonly input: {
    readonly tools: readonly { readonly name: string; readonly pluginId?: string }[];
    readonly profile?: string;
    readonly profileAlsoAllow?: readonly string[];
    readonly providerProfile?: string;
    readonly providerProfileAlsoAllow?: readonly string[];
    readonly agentId?: string;
    readonly policies?: Readonly<Record<string, ToolPolicy>>;
  };
  readonly expected: {
    readonly tools: readonly string[];
    readonly warnings: readonly { readonly step: string; readonly kind: string; readonly entries: readonly string[] }[];
  };
}

const { cases } = JSON.parse(readFileSync(new URL("../../fixtures/policy.json", import.meta.url), "utf8")) as {
  cases: readonly PolicyCase[];
};

function stepsOf({ policies = {}, tools: _tools, ...rest }: PolicyCase["input"]): ToolPolicyStep[] {
  return buildDefaultToolPolicyPipelineSteps({
    ...rest,
    ...Object.fromEntries(Object.entries(policies).map(([id, policy]) => [`${id}Policy`, policy])),
  });
}

function toolsOf({ tools }: PolicyCase["input"]): PolicyTool[] {
  return tools.map(({ name, pluginId }) => (pluginId === undefined ? { name } : pluginTool(name, pluginId)));
}

describe("the worked cases", () => {
  it("are all there", () => {
    expect(cases).toHaveLength(145);
  });

  it.each(cases.map((item) => [`${item.id}: ${item.note}`, item] as const))("%s", (_title, { input, expected }) => {
    const { tools, warnings } = applyToolPolicyPipeline({ tools: toolsOf(input), steps: stepsOf(input) });
    expect(namesOf(tools)).toEqual(expected.tools);
    expect(warnings.map(({ step: id, kind, entries }) => ({ step: id, kind, entries }))).toEqual(expected.warnings);
  });
});

describe("a step", () => {
  it("no steps keep every tool", () => {
    const { tools, decisions, warnings } = applyToolPolicyPipeline({ tools: catalogTools, steps: [] });
    expect(tools).toEqual(catalogTools);
    expect([...decisions.values()].every(({ allowed, rule }) => allowed && rule === "none")).toBe(true);
    expect(warnings).toEqual([]);
  });

  it.each([
    [undefined, undefined, true],
    [[], [], true],
    [undefined, ["read"], false],
    [undefined, ["write"], true],
    [["read"], undefined, true],
    [["write"], undefined, false],
    [["read"], ["read"], false],
    [["*"], ["read"], false],
    [["read"], ["*"], false],
    [["read"], ["write"], true],
    [["write"], ["read"], false],
    [["*"], ["write"], true],
    [["group:fs"], ["re*"], false],
    [["re*"], [], true],
  ])("allow %j and deny %j keep read: %s", (allow, deny, kept) => {
    const { tools, decisions } = applyToolPolicyPipeline({ tools: toolsNamed("read", "write"), steps: [step({ allow, deny })] });
    expect(namesOf(tools).includes("read")).toBe(kept);
    expect(decisions.get("read")?.allowed).toBe(kept);
  });

  // row: E6
  it("deny sessions_* removes exactly the four tools of that name", () => {
    const { tools } = applyToolPolicyPipeline({ tools: catalogTools, steps: [step({ deny: ["sessions_*"] })] });
    const removed = namesOf(catalogTools).filter((name) => !namesOf(tools).includes(name));
    expect(removed).toEqual(["sessions_list", "sessions_history", "sessions_send", "sessions_spawn"]);
  });

  // row: E7
  it("profile coding with alsoAllow cron is the coding set and cron", () => {
    const coding = applyToolPolicyPipeline({ tools: catalogTools, steps: buildDefaultToolPolicyPipelineSteps({ profile: "coding" }) });
    const widened = buildDefaultToolPolicyPipelineSteps({ profile: "coding", profileAlsoAllow: ["cron"] });
    const { tools, decisions } = applyToolPolicyPipeline({ tools: catalogTools, steps: widened });
    expect(new Set(namesOf(tools))).toEqual(new Set([...namesOf(coding.tools), "cron"]));
    expect(decisions.get("cron")).toMatchObject({ rule: "allow", step: "profile", entry: "cron", label: "tools.alsoAllow" });
  });

  it("what a custom profile adds itself is kept beside what the configuration adds", () => {
    const steps = buildDefaultToolPolicyPipelineSteps({
      profile: "own",
      profilePolicy: { allow: ["read"], alsoAllow: ["write"] },
      profileAlsoAllow: ["cron"],
    });
    expect(namesOf(applyToolPolicyPipeline({ tools: catalogTools, steps }).tools).toSorted()).toEqual(["cron", "read", "write"]);
  });

  // row: E8
  it("an allow list of plugin tools only is set aside with a warning that names the step and the entries", () => {
    const tools = [...toolsNamed("read"), pluginTool("voice_call", "voice")];
    const { tools: kept, warnings } = applyToolPolicyPipeline({ tools, steps: [step({ allow: ["voice_call"] })] });
    expect(namesOf(kept)).toEqual(["read", "voice_call"]);
    expect(warnings).toMatchObject([{ step: "global", kind: "plugin-only-allow", entries: ["voice_call"], label: "tools.allow" }]);
    expect(warnings[0]!.message).toContain("alsoAllow");
  });

  it("a strict step keeps such a list in force", () => {
    const tools = [...toolsNamed("read"), pluginTool("voice_call", "voice")];
    const { tools: kept, warnings } = applyToolPolicyPipeline({ tools, steps: [{ ...step({ allow: ["voice_call"] }), strict: true }] });
    expect(namesOf(kept)).toEqual(["voice_call"]);
    expect(warnings).toEqual([]);
  });

  // row: E9
  it("an unknown name in a deny list is reported with the nearest name", () => {
    const { warnings } = applyToolPolicyPipeline({ tools: catalogTools, steps: [step({ deny: ["exce"] })] });
    expect(warnings).toMatchObject([{ step: "global", kind: "unknown-deny", entries: ["exce"], suggestion: "exec" }]);
  });

  it("an unknown group is reported with the nearest group", () => {
    const { warnings } = applyToolPolicyPipeline({ tools: catalogTools, steps: [step({ allow: ["read", "group:runtme"] })] });
    expect(warnings[0]).toMatchObject({ kind: "unknown-allow", suggestion: "group:runtime" });
  });

  it("a name of the catalog that is absent is unknown, and nothing else is suggested for it", () => {
    const { warnings } = applyToolPolicyPipeline({ tools: toolsNamed("memory_search"), steps: [step({ allow: ["memory_get"] })] });
    expect(warnings).toMatchObject([{ kind: "unknown-allow", entries: ["memory_get"] }]);
    expect(warnings[0]!.suggestion).toBeUndefined();
  });

  it("a step that hides a required tool is reported", () => {
    const tools: PolicyTool[] = [{ name: "git", metadata: { optionality: "required" } }, { name: "ls" }];
    const { warnings } = applyToolPolicyPipeline({ tools, steps: [step({ deny: ["git"] })] });
    expect(warnings).toMatchObject([
      {
        step: "global",
        kind: "required-hidden",
        entries: ["git"],
        message: expect.stringContaining('hides "git" from every agent, although marked as required.') as string,
      },
    ]);
  });

  it("an ask entry keeps the tool, marks its decision, and is reported where it matches nothing", () => {
    const { tools, decisions, warnings } = applyToolPolicyPipeline({
      tools: toolsNamed("read", "exec"),
      steps: [step({ ask: ["group:runtime", "exce"] })],
    });
    expect(namesOf(tools)).toEqual(["read", "exec"]);
    expect(decisions.get("exec")).toMatchObject({ allowed: true, ask: { step: "global", label: "tools.ask", entry: "group:runtime" } });
    expect(decisions.get("read")?.ask).toBeUndefined();
    expect(warnings).toMatchObject([{ kind: "unknown-ask", entries: ["exce"], suggestion: "exec" }]);
  });

  it("a later step cannot take a question back, and a hidden tool asks nothing", () => {
    const steps = [step({ ask: ["exec"] }), { ...step({ allow: ["exec"] }), id: "agent" as const }];
    expect(applyToolPolicyPipeline({ tools: toolsNamed("exec"), steps }).decisions.get("exec")?.ask).toBeDefined();
    const denied = [step({ ask: ["exec"] }), { ...step({ deny: ["exec"] }), id: "agent" as const }];
    expect(applyToolPolicyPipeline({ tools: toolsNamed("exec"), steps: denied }).decisions.get("exec")).toMatchObject({ allowed: false });
    expect(applyToolPolicyPipeline({ tools: toolsNamed("exec"), steps: denied }).decisions.get("exec")?.ask).toBeUndefined();
  });
});

describe("the seven steps", () => {
  const inputs: readonly [StepId, string, DefaultStepsInput][] = [
    ["profile", "tools.profile (own)", { profile: "own", profilePolicy: { deny: ["exec"] } }],
    ["providerProfile", "tools.byProvider.profile (own)", { providerProfile: "own", providerProfilePolicy: { deny: ["exec"] } }],
    ["global", "tools.deny", { globalPolicy: { deny: ["exec"] } }],
    ["globalProvider", "tools.byProvider.deny", { globalProviderPolicy: { deny: ["exec"] } }],
    ["agent", "agents.support.tools.deny", { agentPolicy: { deny: ["exec"] }, agentId: " support " }],
    ["agentProvider", "agents.support.tools.byProvider.deny", { agentProviderPolicy: { deny: ["exec"] }, agentId: "support" }],
    ["group", "group.tools.deny", { groupPolicy: { deny: ["exec"] } }],
    ["sandbox", "sandbox.tools.deny", { sandboxPolicy: { deny: ["exec"] } }],
    ["subagent", "subagents.tools.deny", { subagentPolicy: { deny: ["exec"] } }],
  ];

  // row: E4
  it.each(inputs)("%s removes a tool at its own place, %s", (id, label, input) => {
    const { decisions } = applyToolPolicyPipeline({ tools: catalogTools, steps: buildDefaultToolPolicyPipelineSteps(input) });
    expect(decisions.get("exec")).toEqual({ name: "exec", allowed: false, rule: "deny", step: id, label, entry: "exec" });
    expect(decisions.get("read")?.allowed).toBe(true);
  });

  it("come in their order, and those without a policy are left out", () => {
    const all = Object.assign({}, ...inputs.map(([, , input]) => input)) as DefaultStepsInput;
    expect(buildDefaultToolPolicyPipelineSteps(all).map(({ id }) => id)).toEqual(inputs.map(([id]) => id));
    expect(buildDefaultToolPolicyPipelineSteps({ groupPolicy: { deny: [] }, agentPolicy: {} }).map(({ id }) => id)).toEqual(["group"]);
  });

  it("the first step that hides a tool decides", () => {
    const steps = buildDefaultToolPolicyPipelineSteps({ profile: "minimal", agentPolicy: { deny: ["exec"] } });
    expect(applyToolPolicyPipeline({ tools: catalogTools, steps }).decisions.get("exec")).toMatchObject({
      step: "profile",
      rule: "not-in-allow",
    });
  });
});

describe("groups, profiles and plugins", () => {
  it("tools join groups and profiles by their metadata", () => {
    const grep: PolicyTool = { name: "grep", metadata: { groups: ["fs"], profiles: ["coding"] } };
    const inGroup = applyToolPolicyPipeline({ tools: [grep, ...catalogTools], steps: [step({ allow: ["group:fs"] })] });
    expect(namesOf(inGroup.tools)).toEqual(["grep", "read", "write", "edit", "apply_patch"]);
    const coding = applyToolPolicyPipeline({
      tools: [grep, ...catalogTools],
      steps: buildDefaultToolPolicyPipelineSteps({ profile: "coding" }),
    });
    expect(coding.decisions.get("grep")).toMatchObject({ allowed: true, rule: "allow", entry: "coding" });
    const minimal = applyToolPolicyPipeline({
      tools: [grep, ...catalogTools],
      steps: buildDefaultToolPolicyPipelineSteps({ profile: "minimal" }),
    });
    expect(minimal.decisions.get("grep")?.allowed).toBe(false);
  });

  it("a plugin tool cannot let itself into a group or a profile", () => {
    const sly: PolicyTool = { name: "sly", metadata: { pluginId: "sly-plugin", groups: ["fs"], profiles: ["coding"] } };
    const inGroup = applyToolPolicyPipeline({ tools: [sly, ...catalogTools], steps: [step({ allow: ["group:fs"] })] });
    expect(inGroup.decisions.get("sly")?.allowed).toBe(false);
    const coding = applyToolPolicyPipeline({
      tools: [sly, ...catalogTools],
      steps: buildDefaultToolPolicyPipelineSteps({ profile: "coding" }),
    });
    expect(coding.decisions.get("sly")?.allowed).toBe(false);
  });

  it("a tool may found a group of its own", () => {
    const tools: PolicyTool[] = [{ name: "refund", metadata: { groups: ["payments"] } }, { name: "read" }];
    expect(namesOf(applyToolPolicyPipeline({ tools, steps: [step({ deny: ["group:payments"] })] }).tools)).toEqual(["read"]);
  });

  it("user groups hold names, globs, plugin ids and groups of the catalog", () => {
    const groups = new Map([["group:mine", ["read", "web_*", "linear", "group:runtime"]]]);
    const tools = [...catalogTools, pluginTool("linear_search", "Linear")];
    const { tools: kept } = applyToolPolicyPipeline({ tools, steps: [step({ allow: ["Group:Mine"] })], groups });
    expect(namesOf(kept)).toEqual(["read", "exec", "process", "web_search", "web_fetch", "linear_search"]);
  });

  it("deny by plugin id removes all its tools, and only them", () => {
    const tools = [pluginTool("a", "Acme"), pluginTool("b", "acme"), pluginTool("c", "other"), ...toolsNamed("d")];
    expect(namesOf(applyToolPolicyPipeline({ tools, steps: [step({ deny: ["acme"] })] }).tools)).toEqual(["c", "d"]);
  });

  it("a plugin whose id is the name of a core tool gains nothing by it", () => {
    const tools = [...toolsNamed("read", "write"), pluginTool("steal", "read"), pluginTool("burn", "exec")];
    const { decisions } = applyToolPolicyPipeline({ tools, steps: [step({ allow: ["read", "exec"] })] });
    expect(decisions.get("read")?.allowed).toBe(true);
    expect(decisions.get("steal")?.allowed).toBe(false);
    expect(decisions.get("burn")?.allowed).toBe(false);
  });

  it("a deny of a name that is both a core tool and a plugin hides both", () => {
    const tools = [...toolsNamed("read"), pluginTool("steal", "read"), ...toolsNamed("write")];
    expect(namesOf(applyToolPolicyPipeline({ tools, steps: [step({ deny: ["read"] })] }).tools)).toEqual(["write"]);
  });
});

describe("decisions", () => {
  it("read like a map, in the order of the tools", () => {
    const { decisions } = applyToolPolicyPipeline({ tools: toolsNamed("b", "a", "b"), steps: [step({ deny: ["a"] })] });
    expect(decisions.size).toBe(2);
    expect([...decisions.keys()]).toEqual(["b", "a"]);
    expect([...decisions].map(([name, { allowed }]) => [name, allowed])).toEqual([
      ["b", true],
      ["a", false],
    ]);
    const seen: string[] = [];
    decisions.forEach((decision, name) => seen.push(`${name} ${decision.allowed}`));
    expect(seen).toEqual(["b true", "a false"]);
    expect(decisions.has("a")).toBe(true);
    expect(decisions.has("constructor")).toBe(false);
    expect(decisions.get("c")).toBeUndefined();
    expect(Object.isFrozen(decisions.get("a"))).toBe(true);
  });

  it("keep what was decided when the list of tools changes afterwards", () => {
    const tools = toolsNamed("a", "b");
    const { decisions } = applyToolPolicyPipeline({ tools, steps: [step({ deny: ["a"] })] });
    tools.reverse();
    expect(decisions.get("a")?.allowed).toBe(false);
    expect(decisions.get("b")?.allowed).toBe(true);
  });

  it("are the same for a frozen list that is decided twice", () => {
    const tools = Object.freeze(toolsNamed("a", "b"));
    const steps = [step({ deny: ["a"] })];
    expect(namesOf(applyToolPolicyPipeline({ tools, steps }).tools)).toEqual(["b"]);
    expect(namesOf(applyToolPolicyPipeline({ tools, steps: [step({ deny: ["b"] })] }).tools)).toEqual(["a"]);
    expect(namesOf(applyToolPolicyPipeline({ tools, steps }).tools)).toEqual(["b"]);
  });
});
