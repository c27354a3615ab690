import fc from "fast-check";
import { sized } from "@toolrack/testkit/sized";
import { describe, expect, it } from "vitest";
import { coreToolGroups } from "../../src/policy/catalog/groups.ts";
import { explainTool } from "../../src/policy/explain/explain.ts";
import { applyToolPolicyPipeline } from "../../src/policy/decide/pipeline.ts";
import type { PolicyTool, StepId, ToolPolicyStep } from "../../src/policy/policy.ts";
import { namesOf, pluginTool, toolsNamed } from "./tools.ts";

const coreNames = ["read", "write", "Exec", "bash", "apply_patch", "web_search", "web_fetch", "cron", "grep"];
const plugins = [
  pluginTool("linear_search", "Linear"),
  pluginTool("linear_create", "linear"),
  pluginTool("voice", "voice"),
  pluginTool("steal", "read"),
];
const everyTool: readonly PolicyTool[] = [...toolsNamed(...coreNames), ...plugins];

const entry = fc.constantFrom(
  ...coreNames,
  ...namesOf(plugins),
  ..."linear voice * web_* *_search l*r* group:fs group:runtime group:web group:plugins group:nope".split(" "),
  "nothing",
  "constructor",
  "__proto__",
  "",
  " READ ",
);
const list = fc.option(fc.array(entry, { maxLength: 4 }), { nil: undefined });
const stepId = fc.constantFrom<StepId>("profile", "global", "agent", "group", "sandbox", "phase");
const anyStep: fc.Arbitrary<ToolPolicyStep> = fc
  .record({ id: stepId, allow: list, alsoAllow: list, deny: list, ask: list, analyse: fc.boolean(), strict: fc.boolean() })
  .map((step) => ({ label: step.id, ...step }));
const anyTools = fc.shuffledSubarray([...everyTool]);
const anySteps = fc.array(anyStep, { maxLength: 4 });

/** The semantics, spelled out one entry, one tool and one step at a time. */
function applyByDefinition(tools: readonly PolicyTool[], steps: readonly ToolPolicyStep[]): string[] {
  const normal = (name: string): string => {
    const folded = name.trim().toLowerCase();
    return folded === "bash" ? "exec" : folded === "apply-patch" ? "apply_patch" : folded;
  };
  const idOf = (tool: PolicyTool): string | undefined => tool.metadata?.pluginId?.toLowerCase();
  const isCoreName = (name: string): boolean =>
    [...coreToolGroups.values()].some((members) => members.includes(name)) ||
    tools.some((tool) => !idOf(tool) && normal(tool.name) === name);
  const matches = (raw: string, tool: PolicyTool, grants: boolean): boolean => {
    const wanted = normal(raw);
    const name = normal(tool.name);
    if (wanted.includes("*"))
      return new RegExp(
        `^${wanted
          .split("*")
          .map((part) => part.replace(/[^\w]/g, "\\$&"))
          .join(".*")}$`,
      ).test(name);
    if (wanted === "group:plugins") return idOf(tool) !== undefined;
    if (wanted.startsWith("group:")) return coreToolGroups.get(wanted)?.includes(name) ?? false;
    return wanted === name || (wanted === idOf(tool) && !(grants && isCoreName(wanted)));
  };
  const written = (entries: readonly string[] | undefined): string[] => (entries ?? []).filter((text) => text.trim() !== "");
  let left = [...tools];
  for (const step of steps) {
    const own = written(step.allow);
    let allow = own.length === 0 ? [] : [...own, ...written(step.alsoAllow)];
    const namesOnlyPlugins = allow.every((text) => {
      const found = tools.filter((tool) => matches(text, tool, true));
      return !/^\*+$/.test(text) && found.length > 0 && found.every((tool) => idOf(tool) !== undefined);
    });
    if (namesOnlyPlugins && step.analyse !== false && step.strict !== true) allow = [];
    left = left.filter(
      (tool) =>
        !written(step.deny).some((text) => matches(text, tool, false)) &&
        (allow.length === 0 || allow.some((text) => matches(text, tool, true))),
    );
  }
  return namesOf(left);
}

describe("for any tools and any steps", () => {
  // row: E5
  it("the result is what the definition says", () => {
    fc.assert(
      fc.property(anyTools, anySteps, (tools, steps) => {
        expect(namesOf(applyToolPolicyPipeline({ tools, steps }).tools)).toEqual(applyByDefinition(tools, steps));
      }),
      { numRuns: sized(300, 1_000) },
    );
  });

  it("the tools that are kept are the given objects, in the given order", () => {
    fc.assert(
      fc.property(anyTools, anySteps, (tools, steps) => {
        const kept = new Set(applyToolPolicyPipeline({ tools, steps }).tools);
        expect(applyToolPolicyPipeline({ tools, steps }).tools).toEqual(tools.filter((tool) => kept.has(tool)));
      }),
    );
  });

  it("decisions say allowed for exactly the tools that are kept", () => {
    fc.assert(
      fc.property(anyTools, anySteps, (tools, steps) => {
        const { tools: kept, decisions } = applyToolPolicyPipeline({ tools, steps });
        expect(tools.filter(({ name }) => decisions.get(name)!.allowed)).toEqual(kept);
        for (const decision of decisions.values()) expect(decision.rule === "none" || decision.label !== undefined).toBe(true);
      }),
    );
  });

  it("a deny is final: steps behind it bring nothing back", () => {
    fc.assert(
      fc.property(anyTools, anySteps, anySteps, entry, (tools, before, after, denied) => {
        const denial: ToolPolicyStep = { id: "agent", label: "agent", deny: [denied] };
        const gone = applyToolPolicyPipeline({ tools, steps: [denial] });
        const { decisions } = applyToolPolicyPipeline({ tools, steps: [...before, denial, ...after] });
        for (const [name, { allowed }] of gone.decisions) if (!allowed) expect(decisions.get(name)!.allowed).toBe(false);
      }),
    );
  });

  it("another deny never adds a tool", () => {
    fc.assert(
      fc.property(anyTools, fc.array(anyStep, { minLength: 1, maxLength: 4 }), fc.nat(3), entry, (tools, steps, at, denied) => {
        const number = at % steps.length;
        const stricter = steps.map((step, index) => (index === number ? { ...step, deny: [...(step.deny ?? []), denied] } : step));
        const kept = new Set(applyToolPolicyPipeline({ tools, steps }).tools);
        expect(applyToolPolicyPipeline({ tools, steps: stricter }).tools.every((tool) => kept.has(tool))).toBe(true);
      }),
    );
  });

  it("an unknown name opens no door: with it, a list allows no tool that it does not allow without it", () => {
    const unknown = fc.constantFrom("nothing", "group:nope", "constructor", "__proto__", "zz*", "read?", "hasOwnProperty");
    fc.assert(
      fc.property(anyTools, fc.array(entry, { maxLength: 4 }), unknown, (tools, allow, name) => {
        const withIt = applyToolPolicyPipeline({ tools, steps: [{ id: "global", label: "tools", allow: [...allow, name], strict: true }] });
        const without = applyToolPolicyPipeline({ tools, steps: [{ id: "global", label: "tools", allow, strict: true }] });
        const kept = new Set(without.tools);
        expect(withIt.tools.every((tool) => kept.has(tool))).toBe(true);
      }),
    );
  });

  it("a list of nothing but unknown names allows nothing", () => {
    const unknown = fc.constantFrom("nothing", "group:nope", "constructor", "__proto__", "zz*", "toString");
    fc.assert(
      fc.property(anyTools, fc.array(unknown, { minLength: 1 }), (tools, allow) => {
        expect(applyToolPolicyPipeline({ tools, steps: [{ id: "global", label: "tools", allow }] }).tools).toEqual([]);
      }),
    );
  });

  it("the explanation of a tool agrees with what is decided, and its trace contains the reason", () => {
    fc.assert(
      fc.property(anyTools, anySteps, (tools, steps) => {
        const { decisions } = applyToolPolicyPipeline({ tools, steps });
        for (const { name } of tools) {
          const { decision, allowed, trace, sentences } = explainTool(name, { tools, steps, gates: [] });
          expect(decision).toEqual(decisions.get(name));
          expect(allowed).toBe(!trace.some((line) => line.outcome === "hides"));
          expect(sentences.length).toBeGreaterThan(0);
          const reason = trace.find((line) => line.outcome === "hides");
          if (reason)
            expect(decision).toMatchObject({ rule: reason.rule, label: reason.label, ...(reason.entry && { entry: reason.entry }) });
        }
      }),
    );
  });
});
