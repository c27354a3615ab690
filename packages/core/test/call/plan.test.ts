import { describe, expect, it } from "vitest";
import type { CallPlan } from "../../src/call/call-plan.ts";
import { createPlan } from "../../src/call/plan.ts";
import type { ToolResult } from "../../src/tool/result.ts";
import type { Run, Wrapper } from "../../src/call/wrapper.ts";
import { type FakeCall, fakeCall, fakeTool } from "../../src/testing/fake-call.ts";

const innermost: Run = (call) => (call as FakeCall).succeed("");
const added = new Map();
const options = {
  added,
  innermost,
  timeoutMs: undefined,
  hasConfig: false,
  hasServices: false,
  announces: false,
  examines: false,
  isOpen: false,
};
const finishing = (name: string, skips?: boolean): Wrapper => ({
  name,
  finish: (result) => result,
  ...(skips !== undefined && { skipsShortText: () => skips }),
});

const namesOf = ({ before }: CallPlan): string[] => before.map(({ name }) => name);

describe("createPlan", () => {
  it("composes what applies, the first outermost on the way in and last on the way out", async () => {
    const steps: string[] = [];
    const noting = (name: string): Wrapper => ({
      name,
      prepare: (input) => (steps.push(`${name} prepare`), input),
      beforeRun: () => void steps.push(`${name} beforeRun`),
      run: (next) => (call) => (steps.push(`${name} run`), next(call)),
      finish: (result) => (steps.push(`${name} finish`), result),
    });
    const plan = createPlan(fakeTool(), {
      ...options,
      isOpen: true,
      wrappers: [noting("outer"), { ...noting("other"), appliesTo: () => false }, noting("inner")],
    });
    const result = undefined as ToolResult | undefined;
    const call = { ...fakeCall(), plan, result, options: {}, extras: undefined, host: { outputValidation: "off" } };
    for (const step of plan.before) await step(call);
    call.result = await plan.run(call);
    for (const step of plan.after) call.result = (await step(call)) ?? call.result;
    expect(steps).toEqual([
      "outer prepare",
      "inner prepare",
      "outer beforeRun",
      "inner beforeRun",
      "outer run",
      "inner run",
      "inner finish",
      "outer finish",
    ]);
    expect(plan.wrappers).toEqual(["outer", "inner"]);
    expect(plan.isBare).toBe(false);
  });

  it("leaves out the steps that have nothing to do", () => {
    const bare = createPlan(fakeTool(), { ...options, wrappers: [] });
    expect(namesOf(bare)).toEqual(["checkPermission", "boundInput", "validateInput"]);
    expect([bare.isBare, bare.output]).toEqual([true, undefined]);
    const open = createPlan(fakeTool(), { ...options, isOpen: true, wrappers: [] });
    expect(namesOf(open)).toEqual(["checkInherited", "boundInput", "validateInput"]);
    const full = createPlan(fakeTool({ outputSchema: {} }), {
      ...options,
      hasConfig: true,
      hasServices: true,
      announces: true,
      examines: true,
      wrappers: [],
    });
    expect(namesOf(full)).toEqual([
      "checkPermission",
      "boundInput",
      "copyInput",
      "applySavedConfig",
      "validateInput",
      "checkArguments",
      "resolveConfigSecrets",
      "recordStart",
      "openServices",
    ]);
    expect(full.output).toBeDefined();
  });

  it("leaves out for a short text those who skip it, but only until someone may have made it longer", () => {
    const [skips, looks] = [finishing("skips", true), finishing("looks")];
    const count = (...wrappers: Wrapper[]): number => createPlan(fakeTool(), { ...options, wrappers }).afterShortText.length;
    expect(count(skips)).toBe(0);
    expect(count(looks, skips)).toBe(1); // the inner one skips, the outer one looks
    expect(count(skips, looks)).toBe(2); // the inner one looks first, and may leave a long text to the outer one
    expect(count(skips, looks, skips)).toBe(2);
  });

  it("leaves out nothing for a tool with an output schema", () => {
    const plan = createPlan(fakeTool({ outputSchema: {} }), { ...options, wrappers: [finishing("skips", true)] });
    expect(plan.afterShortText).toEqual(plan.after);
  });

  it("refuses a wrapper whose check has its old name, which would never run", () => {
    const old = { name: "gate", admit: () => undefined };
    expect(() => createPlan(fakeTool(), { ...options, wrappers: [old] })).toThrow(
      'The wrapper "gate" has a method admit, which is not called any more. Rename it to beforeRun.',
    );
  });

  it("takes the tool's own time limit before the registry's", () => {
    const limited = fakeTool({ metadata: { limits: { timeoutMs: 5 } } });
    expect(createPlan(limited, { ...options, timeoutMs: 10, wrappers: [] }).timeoutMs).toBe(5);
    expect(createPlan(fakeTool(), { ...options, timeoutMs: 10, wrappers: [] }).timeoutMs).toBe(10);
  });
});
