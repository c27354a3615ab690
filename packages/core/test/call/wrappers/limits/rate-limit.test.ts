import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRateLimit } from "../../../../src/call/wrappers/limits/rate-limit.ts";
import { fakeCall, fakeTool } from "../../../../src/testing/fake-call.ts";
import { createFakeClock } from "../../../../src/testing/fake-clock.ts";
import { wrapperContract } from "../../../../src/testing/wrapper-contract.ts";
import type { Caller } from "../../../../src/tool/context.ts";

describe("createRateLimit", () => {
  for (const check of wrapperContract("rate-limit", () => createRateLimit([{ calls: 5, perMs: 1_000 }]))) it(check.name, check.run);

  it("answers the fourth call of three a minute with the time to wait", async () => {
    const clock = createFakeClock();
    const limit = createRateLimit([{ calls: 3, perMs: 60_000 }]);
    const check = () => limit.beforeRun!(fakeCall({ clock }));
    for (let call = 0; call < 3; call++) {
      expect(check()).toBeUndefined();
      await clock.advance(1_000);
    }
    expect(check()).toMatchObject({ code: "RATE_LIMITED", status: 429, retryable: true, retryAfterMs: 57_000 });
    await clock.advance(56_999);
    expect(check()).toMatchObject({ retryAfterMs: 1 });
    await clock.advance(1);
    expect(check()).toBeUndefined();
    expect(check()).toMatchObject({ code: "RATE_LIMITED", retryAfterMs: 1_000 });
  });

  it("counts each caller for each tool, all calls of a caller, or all calls of a tool", () => {
    const made = (by: "caller" | "tool" | undefined) => {
      const limit = createRateLimit([{ calls: 1, perMs: 1_000, ...(by && { by }) }]);
      const allows = (sender: string, name: string) =>
        limit.beforeRun!(fakeCall({ caller: { sender }, tool: fakeTool({ name }) })) === undefined;
      return [allows("ann", "a"), allows("ann", "b"), allows("bob", "a"), allows("bob", "a")];
    };
    expect(made(undefined)).toEqual([true, true, true, false]);
    expect(made("caller")).toEqual([true, false, true, false]);
    expect(made("tool")).toEqual([true, true, false, false]);
  });

  it("tells callers apart by tenant, agent and sender, and takes unknown ones for one", () => {
    const limit = createRateLimit([{ calls: 1, perMs: 1_000, by: "caller" }]);
    const allows = (caller: Caller) => limit.beforeRun!(fakeCall({ caller })) === undefined;
    expect([{ sender: "a" }, { agent: "a" }, { tenant: "a" }, { tenant: "a", sender: "a" }, {}].map(allows)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(allows({ session: "another", run: "another" })).toBe(false);
  });

  it("is about the tools its pattern names, aliases included", () => {
    const limit = createRateLimit([
      { calls: 1, perMs: 1_000, tool: "web_*" },
      { calls: 1, perMs: 1_000, tool: "Bash" },
    ]);
    const applies = (name: string) => limit.appliesTo!(fakeTool({ name }));
    expect(["web_search", "WEB_fetch", "exec", "bash"].map(applies)).toEqual([true, true, true, true]);
    expect(["web", "my_web_search", "read"].map(applies)).toEqual([false, false, false]);
  });

  it("counts a refused call nowhere, also not for another rule", async () => {
    const clock = createFakeClock();
    const limit = createRateLimit([
      { calls: 2, perMs: 10_000, by: "tool" },
      { calls: 1, perMs: 1_000, by: "tool" },
    ]);
    const check = () => limit.beforeRun!(fakeCall({ clock }));
    expect(check()).toBeUndefined();
    for (let call = 0; call < 10; call++) expect(check()).toMatchObject({ retryAfterMs: 1_000 });
    await clock.advance(1_000);
    expect(check()).toBeUndefined();
    expect(check()).toMatchObject({ retryAfterMs: 9_000 });
  });

  it("forgets callers not heard of for longest when there are too many, not the busy one", () => {
    const clock = createFakeClock();
    const limit = createRateLimit([{ calls: 1, perMs: 1_000, by: "caller" }], { maxKeys: 10 });
    const check = (sender: string) => limit.beforeRun!(fakeCall({ clock, caller: { sender } }));
    check("busy");
    for (let sender = 0; sender < 500; sender++) {
      check(`sender-${sender}`);
      expect(check("busy")).toMatchObject({ code: "RATE_LIMITED" });
    }
    expect(check("sender-0")).toBeUndefined();
  });

  it("never lets more than the limit through in any window, and lets a call through that waited as told", async () => {
    const rule = fc.record({ calls: fc.integer({ min: 1, max: 5 }), perMs: fc.integer({ min: 1, max: 100 }) });
    await fc.assert(
      fc.asyncProperty(rule, fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 30 }), async (given, waits) => {
        const clock = createFakeClock();
        const limit = createRateLimit([given]);
        const admitted: number[] = [];
        for (const wait of waits) {
          await clock.advance(wait);
          const refused = await limit.beforeRun!(fakeCall({ clock }));
          if (refused?.retryAfterMs !== undefined) {
            await clock.advance(refused.retryAfterMs);
            expect(limit.beforeRun!(fakeCall({ clock }))).toBeUndefined();
          }
          admitted.push(clock.now());
        }
        for (const end of admitted) {
          expect(admitted.filter((time) => time <= end && time > end - given.perMs).length).toBeLessThanOrEqual(given.calls);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("does not take a rule that makes no sense", () => {
    for (const rule of [
      { calls: 0, perMs: 1 },
      { calls: 1, perMs: -1 },
    ]) {
      expect(() => createRateLimit([rule])).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
    }
  });
});
