import { describe, expect, it } from "vitest";
import { decideTools } from "../../../src/policy/decide/decide.ts";
import type { GateFinding } from "../../../src/policy/gates/gate.ts";
import type { PolicyTool } from "../../../src/policy/policy.ts";
import { buildDefaultToolPolicyPipelineSteps } from "../../../src/policy/steps/steps.ts";
import type { Caller } from "../../../src/tool/context.ts";
import type { ToolMetadata } from "../../../src/tool/metadata.ts";
import { namesOf, step, toolsNamed } from "../tools.ts";

function decideOne(metadata: ToolMetadata, caller: Caller = {}, steps = [step({})]) {
  return decideTools({ tools: [{ name: "tool", metadata }], steps, caller }).decisions.get("tool")!;
}

describe("owner-only tools", () => {
  it.each([
    [{ owner: true }, true],
    [{ owner: false }, false],
    [{}, false],
    [{ owner: "true" as unknown as boolean }, false],
  ])("are there for %j: %s", (caller, allowed) => {
    expect(decideOne({ ownerOnly: true }, caller).allowed).toBe(allowed);
  });

  it("say so", () => {
    expect(decideOne({ ownerOnly: true })).toMatchObject({ rule: "owner-only", reason: expect.stringContaining("owner") });
  });
});

describe("conditional tools", () => {
  const metadata: ToolMetadata = { optionality: "conditional", when: ({ channel }) => channel === "telegram" };

  // row: A9
  it("are offered while their condition holds for the caller", () => {
    expect(decideOne(metadata, { channel: "telegram" }).allowed).toBe(true);
    expect(decideOne(metadata, { channel: "irc" })).toMatchObject({ allowed: false, rule: "when" });
  });

  it("are required while it holds, so hiding them is reported", () => {
    const tools = [{ name: "tool", metadata }];
    const steps = [step({ deny: ["tool"] })];
    expect(decideTools({ tools, steps, caller: { channel: "telegram" } }).warnings).toMatchObject([
      { kind: "required-hidden", entries: ["tool"] },
    ]);
    expect(decideTools({ tools, steps, caller: { channel: "irc" } }).warnings).toEqual([]);
  });

  it.each([
    ["throws", () => { throw new Error("no network"); }], // prettier-ignore
    ["answers something truthy", () => "yes" as unknown as boolean],
    ["answers later", (() => Promise.resolve(true)) as unknown as () => boolean],
  ])("a condition that %s is not met", (_how, when) => {
    expect(decideOne({ when })).toMatchObject({ allowed: false, rule: "when" });
  });

  it("a conditional tool that lost its condition is not offered", () => {
    expect(decideOne({ optionality: "conditional" })).toMatchObject({ allowed: false, rule: "when" });
  });
});

describe("model-gated tools", () => {
  it.each([
    [["gpt-*"], { model: "GPT-5" }, true],
    [["openai/gpt-*"], { provider: "OpenAI", model: "gpt-5" }, true],
    [["gpt-5"], { model: "gpt-5" }, true],
    [["gpt-*"], { model: "claude" }, false],
    [["gpt-*"], {}, false],
    [["*"], {}, false],
    [[], {}, true],
  ])("%j for %j: %s", (models, caller, allowed) => {
    expect(decideOne({ models }, caller)).toMatchObject({ allowed, rule: allowed ? "none" : "model" });
  });
});

describe("the availability of a tool", () => {
  const tools = toolsNamed("git", "ls");

  it("hides a tool whose capability is missing, and reports a list that names only such tools", () => {
    const missing: GateFinding = { rule: "capability", reason: "it needs git, which is missing here", remedy: "Install git" };
    const availabilityOf = ({ name }: PolicyTool) => (name === "git" ? missing : undefined);
    const { tools: kept, decisions, warnings } = decideTools({ tools, steps: [step({ allow: ["git", "ls"] })], availabilityOf });
    expect(namesOf(kept)).toEqual(["ls"]);
    expect(decisions.get("git")).toMatchObject({ allowed: false, rule: "capability", reason: "it needs git, which is missing here" });
    expect(warnings).toMatchObject([{ step: "global", kind: "unavailable", entries: ["git"] }]);
  });
});

describe("optional tools of a plugin", () => {
  const tools: PolicyTool[] = [{ name: "read" }, { name: "voice_call", metadata: { pluginId: "Voice", optionality: "optional" } }];
  const isOffered = (allow: string[], alsoAllow?: string[]): boolean =>
    namesOf(decideTools({ tools, steps: [step({ allow, alsoAllow })] }).tools).includes("voice_call");

  // row: I10
  it("need an allow list that names the tool, its plugin or group:plugins", () => {
    expect(isOffered([])).toBe(false);
    expect(isOffered(["read", "voice_call"])).toBe(true);
    expect(isOffered(["read", "voice"])).toBe(true);
    expect(isOffered(["read", "group:plugins"])).toBe(true);
    expect(isOffered([], ["voice_call"])).toBe(true);
    expect(isOffered(["voice_call"])).toBe(true);
  });

  it("are not named by a glob", () => {
    expect(isOffered(["*"])).toBe(false);
    expect(isOffered(["voice_*"])).toBe(false);
  });

  it("say so, and tools of the core that are optional need nothing", () => {
    expect(decideTools({ tools, steps: [] }).decisions.get("voice_call")).toMatchObject({ rule: "optional-plugin" });
    expect(decideOne({ optionality: "optional" }).allowed).toBe(true);
  });

  it("a plugin whose id is the name of a core tool is not named by that name", () => {
    const sly: PolicyTool[] = [{ name: "steal", metadata: { pluginId: "read", optionality: "optional" } }];
    expect(decideTools({ tools: sly, steps: [step({ alsoAllow: ["read"] })] }).tools).toEqual([]);
  });
});

describe("gates and steps together", () => {
  it("a closed gate is told before any step", () => {
    const steps = buildDefaultToolPolicyPipelineSteps({ profile: "minimal" });
    expect(decideOne({ ownerOnly: true }, {}, steps)).toMatchObject({ rule: "owner-only" });
    expect(decideOne({ ownerOnly: true }, { owner: true }, steps)).toMatchObject({ rule: "not-in-allow", step: "profile" });
  });

  it("without steps everything without a condition of its own is available", () => {
    expect(namesOf(decideTools({ tools: toolsNamed("a", "b"), steps: [] }).tools)).toEqual(["a", "b"]);
  });
});
