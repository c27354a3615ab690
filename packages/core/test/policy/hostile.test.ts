import { beforeEach, describe, expect, it, vi } from "vitest";
import { explainTool } from "../../src/policy/explain/explain.ts";
import { applyToolPolicyPipeline } from "../../src/policy/decide/pipeline.ts";
import type { PolicyTool, ToolPolicy, ToolPolicyStep } from "../../src/policy/policy.ts";
import { buildDefaultToolPolicyPipelineSteps } from "../../src/policy/steps/steps.ts";
import { catalogTools, namesOf, pluginTool, step, toolsNamed } from "./tools.ts";

/** How often a glob was held against a name: the same number on any machine. */
const spent = vi.hoisted(() => ({ trials: 0 }));

vi.mock("../../src/util/glob.ts", async (load) => {
  const real = await load<typeof import("../../src/util/glob.ts")>();
  const matchesGlob: typeof real.matchesGlob = (glob, text) => {
    spent.trials++;
    return real.matchesGlob(glob, text);
  };
  return { ...real, matchesGlob };
});

const hostileNames = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "group:__proto__",
  "group:constructor",
];

describe("a policy that is none", () => {
  it.each([null, 5, "read", ["read"], true, () => ["read"]])("%s is refused, and named", (policy) => {
    const build = (): unknown => buildDefaultToolPolicyPipelineSteps({ agentPolicy: policy as ToolPolicy, agentId: "a" });
    expect(build).toThrow(expect.objectContaining({ code: "POLICY_INVALID", message: expect.stringContaining("agents.a.tools") }));
  });

  it("an unknown key is refused with the nearest one", () => {
    const build = (): unknown => buildDefaultToolPolicyPipelineSteps({ globalPolicy: { alow: ["read"] } as ToolPolicy });
    expect(build).toThrow(/tools has no setting "alow"\. Did you mean "allow"\?/);
  });

  it.each([[5], [null], [["read"]], [{}], [undefined], [Symbol("read")]])("the entry %s is refused with its place", (entry) => {
    const build = (): unknown => buildDefaultToolPolicyPipelineSteps({ globalPolicy: { deny: ["read", entry as string] } });
    expect(build).toThrow(expect.objectContaining({ code: "POLICY_INVALID", message: expect.stringContaining("tools.deny[1]") }));
    const apply = (): unknown => applyToolPolicyPipeline({ tools: catalogTools, steps: [step({ deny: ["read", entry as string] })] });
    expect(apply).toThrow(expect.objectContaining({ code: "POLICY_INVALID", message: expect.stringContaining("tools.deny[1]") }));
  });

  it.each(["read", 5, {}, null])("a list that is %s is refused", (list) => {
    const apply = (): unknown => applyToolPolicyPipeline({ tools: catalogTools, steps: [step({ allow: list as unknown as string[] })] });
    expect(apply).toThrow(expect.objectContaining({ code: "POLICY_INVALID", message: expect.stringContaining("tools.allow") }));
  });

  it("steps or tools that are no list, and a tool without a name, are refused", () => {
    expect(() => applyToolPolicyPipeline({ tools: catalogTools, steps: undefined as unknown as ToolPolicyStep[] })).toThrow(
      "must be a list",
    );
    expect(() => applyToolPolicyPipeline({ tools: {} as unknown as PolicyTool[], steps: [] })).toThrow("must be a list");
    expect(() => applyToolPolicyPipeline({ tools: [null as unknown as PolicyTool], steps: [] })).toThrow("tools[0] has no name");
  });

  it("a step that is none, or has a field that none has, is refused", () => {
    const apply = (odd: unknown) => (): unknown => applyToolPolicyPipeline({ tools: catalogTools, steps: [odd as ToolPolicyStep] });
    expect(apply(null)).toThrow("must be an object, but it is null");
    expect(apply({ ...step({}), dney: ["exec"] })).toThrow('has no field "dney". Did you mean "deny"?');
    expect(apply({ label: "tools", policy: { deny: ["exec"] } })).toThrow('has no field "policy"');
  });

  it("a profile that is no text is refused", () => {
    expect(() => buildDefaultToolPolicyPipelineSteps({ profile: ["coding"] as unknown as string })).toThrow(
      "tools.profile must be the name",
    );
  });
});

describe("names that objects inherit", () => {
  it.each(hostileNames)("%s as an entry matches nothing, allows nothing and harms nothing", (name) => {
    const allowed = applyToolPolicyPipeline({ tools: catalogTools, steps: [step({ allow: ["read", name] })] });
    expect(namesOf(allowed.tools)).toEqual(["read"]);
    expect(allowed.warnings).toMatchObject([{ kind: "unknown-allow", entries: [name.toLowerCase()] }]);
    const denied = applyToolPolicyPipeline({ tools: catalogTools, steps: [step({ deny: [name] })] });
    expect(denied.tools).toHaveLength(25);
    expect(explainTool(name, { tools: catalogTools, steps: [] })).toMatchObject({ known: false, allowed: false });
  });

  it("a tool, a plugin, a group or a profile of such a name is one like any other", () => {
    const tools: PolicyTool[] = [
      ...toolsNamed("__proto__", "constructor", "read"),
      pluginTool("x", "__proto__"),
      { name: "y", metadata: { groups: ["constructor"], profiles: ["__proto__"] } },
    ];
    expect(namesOf(applyToolPolicyPipeline({ tools, steps: [step({ allow: ["constructor"] })] }).tools)).toEqual(["constructor"]);
    expect(namesOf(applyToolPolicyPipeline({ tools, steps: [step({ deny: ["__proto__"] })] }).tools)).toEqual(["constructor", "read", "y"]);
    expect(namesOf(applyToolPolicyPipeline({ tools, steps: [step({ allow: ["group:constructor"] })] }).tools)).toEqual(["y"]);
  });

  it("metadata of the wrong type is not trusted", () => {
    const metadata = { pluginId: 5, groups: "fs", profiles: { coding: true } };
    const tools: PolicyTool[] = [{ name: "odd", metadata: metadata as unknown as NonNullable<PolicyTool["metadata"]> }, { name: "read" }];
    expect(namesOf(applyToolPolicyPipeline({ tools, steps: [step({ allow: ["group:fs"] })] }).tools)).toEqual(["read"]);
  });
});

describe("large and awkward lists", () => {
  const tools = toolsNamed(...Array.from({ length: 10_000 }, (_, index) => `core_tool_${index}`));

  beforeEach(() => {
    spent.trials = 0;
  });

  it.each([
    ["name_*", (index: number) => `core_tool_${index}_*`, 10_000],
    ["*_name", (index: number) => `*_tool_${index}`, 0],
    ["*part*", (index: number) => `*x${index}y*`, 10_000],
    ["a*part*b", (index: number) => `core*_${index}*z`, 10_000],
  ])("ten thousand globs such as %s are answered in linear time", (_form, toGlob, left) => {
    const deny = Array.from({ length: 10_000 }, (_, index) => toGlob(index));
    const { tools: kept, warnings } = applyToolPolicyPipeline({ tools, steps: [step({ deny })] });
    expect(kept).toHaveLength(left);
    expect(warnings.length).toBe(left === 0 ? 0 : 1);
    // All pairs would be a hundred million.
    expect(spent.trials).toBeLessThan(100_000);
  });

  it("globs made to be confused with each other are answered or refused, and never stall", () => {
    const alike = toolsNamed(...Array.from({ length: 10_000 }, (_, index) => `${"ab".repeat(30)}${index}`));
    const bits = (index: number): string => [...index.toString(2).padStart(14, "0")].map((bit) => (bit === "1" ? "a*" : "b*")).join("");
    const deny = Array.from({ length: 10_000 }, (_, index) => `*${bits(index)}`);
    expect(() => applyToolPolicyPipeline({ tools: alike, steps: [step({ deny })] })).toThrow(
      expect.objectContaining({ code: "POLICY_INVALID" }),
    );
    expect(spent.trials).toBeLessThan(3_100_000);
  });

  it("a*a*a*a*b is harmless on a long name", () => {
    const long = toolsNamed("a".repeat(100_000));
    const searches = vi.spyOn(String.prototype, "indexOf");
    for (const end of ["b", "b*"]) {
      searches.mockClear();
      expect(applyToolPolicyPipeline({ tools: long, steps: [step({ deny: [`${"a*".repeat(50)}${end}`] })] }).tools).toHaveLength(1);
      // One for each part of the pattern: nothing is tried twice.
      expect(searches.mock.contexts.filter((text) => String(text).length === 100_000).length).toBeLessThanOrEqual(50);
    }
    searches.mockRestore();
  });

  it("a hundred thousand unknown names cost one pass and one warning", () => {
    const deny = Array.from({ length: 100_000 }, (_, index) => `missing_${index}`);
    const { tools: kept, warnings } = applyToolPolicyPipeline({ tools, steps: [step({ deny })] });
    expect(kept).toHaveLength(10_000);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]!.message.length).toBeLessThan(1_000);
  });
});
