import { describe, expect, it } from "vitest";
import { createCallBudget } from "../../../src/call/wrappers/call-budget.ts";
import { fakeCall, fakeTool } from "../../../src/testing/fake-call.ts";
import { wrapperContract } from "../../../src/testing/wrapper-contract.ts";
import type { Caller } from "../../../src/tool/context.ts";

describe("createCallBudget", () => {
  for (const check of wrapperContract("call-budget", () => createCallBudget({ callsPerRun: 25 }), { caller: { run: "r" } }))
    it(check.name, check.run);

  it("refuses the 26th call of a run bounded at 25, in a sentence a model can act on", () => {
    const budget = createCallBudget({ callsPerRun: 25 });
    const admit = () => budget.admit!(fakeCall({ caller: { run: "r1" } }));
    for (let call = 1; call <= 25; call++) expect(admit()).toBeUndefined();
    expect(admit()).toMatchObject({
      code: "BUDGET_EXCEEDED",
      status: 429,
      retryable: false,
      error: 'This run has made its 25 calls, so "echo" was not called. Answer with what is known so far.',
    });
  });

  it("counts all tools of a run together, and each run, session and tenant apart", () => {
    const budget = createCallBudget({ callsPerRun: 1 });
    const admits = (caller: Caller, name = "echo") => budget.admit!(fakeCall({ caller, tool: fakeTool({ name }) })) === undefined;
    expect(admits({ run: "a" })).toBe(true);
    expect(admits({ run: "a" }, "other")).toBe(false);
    expect(admits({ run: "b" })).toBe(true);
    expect(admits({ session: "a" })).toBe(true);
    expect(admits({ run: "a", tenant: "t" })).toBe(true);
    expect(admits({ run: "a", session: "new" })).toBe(false);
  });

  it("says in the result that a caller without run and session is not counted", () => {
    const budget = createCallBudget({ callsPerRun: 1 });
    for (let call = 0; call < 3; call++) {
      const made = fakeCall();
      expect(budget.admit!(made)).toBeUndefined();
      expect(made.warnings).toEqual([expect.stringContaining("neither a run nor a session")]);
    }
  });

  it("forgets the runs not heard of for longest, not the busy one", () => {
    const budget = createCallBudget({ callsPerRun: 1, maxRuns: 10 });
    const admit = (run: string) => budget.admit!(fakeCall({ caller: { run } }));
    admit("busy");
    for (let run = 0; run < 1_000; run++) {
      admit(`run-${run}`);
      expect(admit("busy")).toMatchObject({ code: "BUDGET_EXCEEDED" });
    }
    expect(admit("run-0")).toBeUndefined();
  });

  it("does not take a budget that is no whole number", () => {
    for (const callsPerRun of [0, -1, 1.5, Number.NaN]) {
      expect(() => createCallBudget({ callsPerRun })).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
    }
  });
});
