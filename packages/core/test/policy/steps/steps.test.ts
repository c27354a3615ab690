import { describe, expect, it } from "vitest";
import { decideTools } from "../../../src/policy/decide/decide.ts";
import type { ToolPolicyStep } from "../../../src/policy/policy.ts";
import { buildDefaultToolPolicyPipelineSteps as buildSteps } from "../../../src/policy/steps/steps.ts";
import { isUnknownAgent, unknownAgentStep } from "../../../src/policy/steps/unknown-agents.ts";
import { namesOf, toolsNamed } from "../tools.ts";

const deny = { deny: ["exec"] };
const labels = (steps: readonly ToolPolicyStep[]): string[] => steps.map(({ id, label }) => `${id}: ${label}`);

describe("the default steps", () => {
  it("stand in their order, each with its place in a configuration", () => {
    const steps = buildSteps({
      subagentPolicy: deny,
      sandboxPolicy: deny,
      groupPolicy: deny,
      agentProviderPolicy: deny,
      agentPolicy: deny,
      globalProviderPolicy: deny,
      globalPolicy: deny,
      providerProfile: "minimal",
      profile: "coding",
      agentId: " ops ",
    });
    expect(labels(steps)).toEqual([
      "profile: tools.profile (coding)",
      "providerProfile: tools.byProvider.profile (minimal)",
      "global: tools",
      "globalProvider: tools.byProvider",
      "agent: agents.ops.tools",
      "agentProvider: agents.ops.tools.byProvider",
      "group: group.tools",
      "sandbox: sandbox.tools",
      "subagent: subagents.tools",
    ]);
  });

  it("name an agent without an id as one", () => {
    for (const agentId of [undefined, "", "  "])
      expect(labels(buildSteps({ agentPolicy: deny, agentProviderPolicy: deny, ...(agentId !== undefined && { agentId }) }))).toEqual([
        "agent: agent.tools",
        "agentProvider: agent.tools.byProvider",
      ]);
  });

  it("are left out where a policy has no list, or a profile is unknown", () => {
    expect(buildSteps({ globalPolicy: {}, agentPolicy: { allow: undefined as never }, profile: "nothing" })).toEqual([]);
    expect(buildSteps({ globalPolicy: { ask: ["exec"] }, agentPolicy: { alsoAllow: ["exec"] } })).toHaveLength(2);
  });

  it("add to a profile with a list what is allowed beside it, and nothing to one without", () => {
    const [added] = buildSteps({ profile: "minimal", profileAlsoAllow: ["exec"] });
    expect([added!.alsoAllow, added!.locationOf!("alsoAllow"), added!.locationOf!("allow")]).toEqual([
      ["exec"],
      { label: "tools.alsoAllow" },
      { label: "tools.profile (minimal)" },
    ]);
    const own = { profilePolicy: { allow: ["read"], alsoAllow: ["write"] }, profileAlsoAllow: ["exec"] };
    expect(buildSteps(own)).toMatchObject([{ label: "tools.profile", alsoAllow: ["write", "exec"] }]);
    expect(buildSteps({ profilePolicy: { deny: ["read"] }, profileAlsoAllow: ["exec"] })[0]).not.toHaveProperty("alsoAllow");
  });

  it.each<[input: object, message: string]>([
    [{ profile: 5 }, "tools.profile must be the name of a profile, but it is the number 5."],
    [{ providerProfile: true }, "tools.byProvider.profile must be the name of a profile, but it is the boolean true."],
    [{ profile: "minimal", profileAlsoAllow: "exec" }, 'tools.profile.alsoAllow must be a list of names, but it is "exec".'],
    [{ globalPolicy: [] }, "tools must be an object with allow, alsoAllow, deny or ask, but it is a list."],
    [{ globalPolicy: null }, "tools must be an object with allow, alsoAllow, deny or ask, but it is null."],
    [{ globalPolicy: { dney: [] } }, 'tools has no setting "dney". Did you mean "deny"?'],
    [{ globalPolicy: { colour: [] } }, 'tools has no setting "colour". It may have allow, alsoAllow, deny, ask.'],
    [{ groupPolicy: { deny: {} } }, "group.tools.deny must be a list of names, but it is an object."],
    [{ groupPolicy: { ask: () => [] } }, "group.tools.ask must be a list of names, but it is a function."],
    [
      { groupPolicy: { allow: ["a", undefined] } },
      "group.tools.allow[1] must be the name of a tool, a group or a plugin, but it is undefined.",
    ],
    [{ groupPolicy: { alsoAllow: "x".repeat(61) } }, `but it is "${"x".repeat(60)}…".`],
    [{ groupPolicy: { alsoAllow: "x".repeat(60) } }, `but it is "${"x".repeat(60)}".`],
  ])("refuse what is no policy: %j", (input, message) => {
    expect(() => buildSteps(input)).toThrow(expect.objectContaining({ code: "POLICY_INVALID" }));
    expect(() => buildSteps(input)).toThrow(message);
  });

  it("of sandboxes and subagents are not searched for mistakes: they are shared by agents with different tools", () => {
    const warned = (input: object) => decideTools({ tools: toolsNamed("read"), steps: buildSteps(input) }).warnings.map(({ step }) => step);
    const unknown = { deny: ["nothing"] };
    expect(warned({ sandboxPolicy: unknown, subagentPolicy: unknown })).toEqual([]);
    expect(warned({ groupPolicy: unknown, globalPolicy: unknown })).toEqual(["global", "group"]);
  });
});

describe("the step for agents that are not listed", () => {
  const step = unknownAgentStep(new Set(["support"]), "rack.yaml:3");

  it("hides every tool, and is no mistake where there is none", () => {
    const decided = decideTools({ tools: toolsNamed("read", "exec"), steps: [step] });
    expect(namesOf(decided.tools)).toEqual([]);
    for (const tools of [[], toolsNamed("read")]) expect(decideTools({ tools, steps: [step] }).warnings).toEqual([]);
  });

  it("tells where it comes from, if that is known", () => {
    expect(step.locationOf!("deny")).toEqual({ label: "unknownAgents", source: "rack.yaml:3" });
    expect(unknownAgentStep(new Set(), undefined).locationOf!("deny")).toEqual({ label: "unknownAgents" });
  });

  it("takes what is no text for no agent", () => {
    const caller = { agent: 5 as never };
    expect(isUnknownAgent(caller, new Set(["5"]))).toBe(true);
    expect((step.reason as (caller: object) => string)(caller)).toContain("the caller names no agent");
  });
});
