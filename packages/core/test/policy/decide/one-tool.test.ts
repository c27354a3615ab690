import fc from "fast-check";
import { sized } from "@toolrack/testkit/sized";
import { describe, expect, it } from "vitest";
import { decideTools, policyParts } from "../../../src/policy/decide/decide.ts";
import { decideOne } from "../../../src/policy/decide/decide-with.ts";
import { joinLists, readStep } from "../../../src/policy/decide/evaluate-step.ts";
import { prepareStep } from "../../../src/policy/decide/prepared-step.ts";
import { type IndexedTools, indexTools } from "../../../src/policy/entries/indexed-tools.ts";
import type { PolicyTool, StepId, ToolPolicyStep } from "../../../src/policy/policy.ts";
import { pluginTool, toolsNamed } from "../tools.ts";

const everyTool: readonly PolicyTool[] = [
  ...toolsNamed("read", "exec", "web_search", "notes_list", "cron"),
  { name: "deploy", metadata: { groups: ["ops", "web"] } },
  { name: "roll_back", metadata: { groups: ["ops"], profiles: ["mine", "coding"] } },
  { name: "audit", metadata: { profiles: ["mine"] } },
  pluginTool("linear_search", "Linear"),
  pluginTool("linear_create", "linear"),
  pluginTool("voice", "voice"),
  pluginTool("steal", "read"),
  pluginTool("hidden", "audit"),
  { name: "extra", metadata: { pluginId: "voice", optionality: "optional" } },
];
const entry = fc.constantFrom(
  ...everyTool.map(({ name }) => name),
  ..."linear voice audit * web_* *_search linear_* v*e n*t group:fs group:web group:ops group:plugins nothing".split(" "),
);
/** More globs than are tried one by one. */
const manyGlobs = Array.from({ length: 40 }, (_, index) => [`a${index}_*`, `*_z${index}`, `b*${index}*c`][index % 3]!);
const list = fc.option(
  fc.tuple(fc.array(entry, { maxLength: 4 }), fc.boolean()).map(([own, isLong]) => (isLong ? [...manyGlobs, ...own] : own)),
  { nil: undefined },
);
const anyStep: fc.Arbitrary<ToolPolicyStep> = fc
  .record({
    id: fc.constantFrom<StepId>("profile", "global", "agent", "group"),
    allow: list,
    alsoAllow: list,
    deny: list,
    ask: list,
    profile: fc.option(fc.constantFrom("mine", "coding", "none"), { nil: undefined }),
    strict: fc.boolean(),
  })
  .map((step) => ({ label: step.id, ...step }));

describe("one tool that is decided alone", () => {
  it("is decided as it is among all tools, whatever the lists of the steps are", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...everyTool]), fc.array(anyStep, { maxLength: 3 }), (tools, steps) => {
        const { decisions } = decideTools({ tools, steps });
        const among = [indexTools(tools)];
        for (const tool of tools)
          expect(decideOne(indexTools([tool]), among, { steps }, policyParts), tool.name).toEqual(decisions.get(tool.name));
      }),
      { numRuns: sized(80, 200) },
    );
  });

  it("is decided among tools of several lists as among one list of them all", () => {
    const halves = fc.shuffledSubarray([...everyTool], { minLength: 2 }).map((tools) => [tools.slice(1), tools.slice(0, 1)] as const);
    fc.assert(
      fc.property(halves, anyStep, ([shared, own], step) => {
        const { decisions } = decideTools({ tools: [...shared, ...own], steps: [step] });
        const among = [indexTools(shared), indexTools(own)];
        for (const tool of [...shared, ...own])
          expect(decideOne(indexTools([tool]), among, { steps: [step] }, policyParts), tool.name).toEqual(decisions.get(tool.name));
      }),
      { numRuns: sized(80, 200) },
    );
  });

  it("does not make the step look at all tools again, unless there are others", () => {
    const { evaluate } = prepareStep(readStep({ id: "global", label: "tools", allow: ["linear"] }, undefined));
    const one = indexTools([everyTool[0]!]);
    let looks = 0;
    const counting = (): IndexedTools => {
      const index = indexTools(everyTool);
      const look = (): IndexedTools["known"] => (looks++, index.known);
      return Object.defineProperty({ ...index, known: index.known }, "known", { get: look });
    };
    const all = counting();
    expect(evaluate(one, [all])).toMatchObject({ allow: undefined, setAside: {} });
    const first = looks;
    expect(evaluate(one, [all])).toMatchObject({ allow: undefined, setAside: {} });
    expect(looks).toBe(first);
    evaluate(one, [counting()]);
    expect(looks).toBe(2 * first);
  });

  it("names the profile that it joined as the entry that allows it, unless a list names it first", () => {
    const steps: ToolPolicyStep[] = [{ id: "profile", label: "tools.profile (mine)", allow: ["audit"], profile: "mine" }];
    const decided = (name: string) => decideTools({ tools: everyTool, steps }).decisions.get(name);
    expect([decided("roll_back"), decided("audit"), decided("exec")]).toMatchObject([
      { allowed: true },
      { allowed: true },
      { allowed: false },
    ]);
    const joined = joinLists([], [], "mine");
    expect(joined).toEqual([{ text: "mine", name: "profile:mine", list: "allow", atoms: [{ kind: "joined-profile", profile: "mine" }] }]);
    expect(joinLists([{ name: "a" } as never], [{ name: "a" } as never, { name: "b" } as never], undefined)).toEqual([
      { name: "a" },
      { name: "b" },
    ]);
  });

  it("is offered although only a plugin's list names other tools: a list that names nothing but plugins is set aside, one with a core tool is not", () => {
    const tools = everyTool.filter(({ name }) => ["read", "exec", "voice", "audit", "roll_back"].includes(name));
    const decide = (name: string, step: Partial<ToolPolicyStep>): boolean =>
      decideOne(
        indexTools(tools.filter((tool) => tool.name === name)),
        [indexTools(tools)],
        { steps: [{ id: "global", label: "tools", ...step }] },
        policyParts,
      ).allowed;
    expect(decide("exec", { allow: ["voice"] })).toBe(true);
    expect(decide("exec", { allow: ["v*"] })).toBe(true);
    expect(decide("exec", { allow: ["group:plugins"] })).toBe(true);
    expect(decide("exec", { allow: ["voice", "read"] })).toBe(false);
    expect(decide("exec", { allow: ["voice", "r*"] })).toBe(false);
    expect(decide("exec", { allow: ["voice", "group:ops"] })).toBe(false);
    expect(decide("exec", { allow: ["voice"], profile: "mine" })).toBe(false);
    expect(decide("audit", { allow: ["voice"], profile: "mine" })).toBe(true);
    expect(decide("exec", { allow: ["voice"], profile: "none" })).toBe(true);
    expect(decide("exec", { allow: ["nothing"] })).toBe(false);
  });
});
