import { describe, expect, it } from "vitest";
import { createCallBudget } from "../../../../src/call/wrappers/limits/call-budget.ts";
import { fakeCall, fakeTool } from "../../../../src/testing/fake-call.ts";
import { wrapperContract } from "../../../../src/testing/wrapper-contract.ts";
import type { Caller } from "../../../../src/tool/context.ts";

describe("createCallBudget", () => {
  for (const check of wrapperContract("call-budget", () => createCallBudget({ callsPerRun: 25 }), { caller: { run: "r" } }))
    it(check.name, check.run);

  it("refuses the 26th call of a run bounded at 25, in a sentence a model can act on", () => {
    const budget = createCallBudget({ callsPerRun: 25 });
    const check = () => budget.beforeRun!(fakeCall({ caller: { run: "r1" } }));
    for (let call = 1; call <= 25; call++) expect(check()).toBeUndefined();
    expect(check()).toMatchObject({
      code: "BUDGET_EXCEEDED",
      status: 429,
      retryable: false,
      error: 'This run has made its 25 calls, so "echo" was not called. Answer with what is known so far.',
    });
  });

  it("counts all tools of a run together, and each run, session and tenant apart", () => {
    const budget = createCallBudget({ callsPerRun: 1 });
    const allows = (caller: Caller, name = "echo") => budget.beforeRun!(fakeCall({ caller, tool: fakeTool({ name }) })) === undefined;
    expect(allows({ run: "a" })).toBe(true);
    expect(allows({ run: "a" }, "other")).toBe(false);
    expect(allows({ run: "b" })).toBe(true);
    expect(allows({ session: "a" })).toBe(true);
    expect(allows({ run: "a", tenant: "t" })).toBe(true);
    expect(allows({ run: "a", session: "new" })).toBe(false);
  });

  it("says in the result that a caller without run and session is not counted", () => {
    const budget = createCallBudget({ callsPerRun: 1 });
    for (let call = 0; call < 3; call++) {
      const made = fakeCall();
      expect(budget.beforeRun!(made)).toBeUndefined();
      expect(made.warnings).toEqual([expect.stringContaining("neither a run nor a session")]);
    }
  });

  it("forgets the runs not heard of for longest, not the busy one", () => {
    const budget = createCallBudget({ callsPerRun: 1, maxRuns: 10 });
    const check = (run: string) => budget.beforeRun!(fakeCall({ caller: { run } }));
    check("busy");
    for (let run = 0; run < 1_000; run++) {
      check(`run-${run}`);
      expect(check("busy")).toMatchObject({ code: "BUDGET_EXCEEDED" });
    }
    expect(check("run-0")).toBeUndefined();
  });

  it("does not take a budget that is no whole number", () => {
    for (const callsPerRun of [0, -1, 1.5, Number.NaN]) {
      expect(() => createCallBudget({ callsPerRun })).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
    }
  });
});
