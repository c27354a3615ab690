import { describe, expect, it } from "vitest";
import { createPlan } from "../../src/call/plan.ts";
import type { Run, Wrapper } from "../../src/call/wrapper.ts";
import { type FakeCall, fakeCall, fakeTool } from "../../src/testing/fake-call.ts";

const innermost: Run = (call) => (call as FakeCall).succeed("");
const options = { innermost, timeoutMs: undefined, hasConfig: false, hasServices: false, announces: false, examines: false, isOpen: false };
const finishing = (name: string, skips?: boolean): Wrapper => ({
  name,
  finish: (result) => result,
  ...(skips !== undefined && { skipsShortText: () => skips }),
});

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
      wrappers: [noting("outer"), { ...noting("other"), appliesTo: () => false }, noting("inner")],
    });
    const call = fakeCall();
    for (const prepare of plan.prepare) prepare({}, call);
    for (const beforeRun of plan.beforeRun) await beforeRun(call);
    const result = await plan.run(call);
    for (const finish of plan.finish) await finish(result, call);
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

  it("knows which steps have nothing to do", () => {
    const bare = createPlan(fakeTool(), { ...options, wrappers: [] });
    expect([bare.prepares, bare.checksBeforeRun, bare.equips, bare.isBare, bare.output]).toEqual([false, false, false, true, undefined]);
    const full = createPlan(fakeTool({ outputSchema: {} }), {
      ...options,
      hasConfig: true,
      hasServices: true,
      announces: true,
      examines: true,
      wrappers: [],
    });
    expect([full.prepares, full.checksBeforeRun, full.equips, full.output === undefined]).toEqual([true, true, true, false]);
  });

  it("leaves out for a short text those who skip it, but only until someone may have made it longer", () => {
    const [skips, looks] = [finishing("skips", true), finishing("looks")];
    const count = (...wrappers: Wrapper[]): number => createPlan(fakeTool(), { ...options, wrappers }).finishShortText.length;
    expect(count(skips)).toBe(0);
    expect(count(looks, skips)).toBe(1); // the inner one skips, the outer one looks
    expect(count(skips, looks)).toBe(2); // the inner one looks first, and may leave a long text to the outer one
    expect(count(skips, looks, skips)).toBe(2);
  });

  it("takes the tool's own time limit before the registry's", () => {
    const limited = fakeTool({ metadata: { limits: { timeoutMs: 5 } } });
    expect(createPlan(limited, { ...options, timeoutMs: 10, wrappers: [] }).timeoutMs).toBe(5);
    expect(createPlan(fakeTool(), { ...options, timeoutMs: 10, wrappers: [] }).timeoutMs).toBe(10);
  });
});
