import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Call } from "../../../../src/call/wrapper.ts";
import { createRetry } from "../../../../src/call/wrappers/limits/retry.ts";
import { type FakeCall, fakeCall, fakeTool } from "../../../../src/testing/fake-call.ts";
import { settle } from "../../../../src/testing/fake-clock.ts";
import { wrapperContract } from "../../../../src/testing/wrapper-contract.ts";
import type { ToolResult } from "../../../../src/tool/result.ts";

const temporary = (call: Call): ToolResult => call.fail("TOOL_FAILED", "Busy.", { retryable: true });

/** Fails so often, then succeeds. */
function failing(times: number, fail: (call: Call) => ToolResult = temporary) {
  let starts = 0;
  const run = (call: Call): ToolResult => (++starts <= times ? fail(call) : (call as FakeCall).succeed("done"));
  return { run, starts: () => starts };
}

describe("createRetry", () => {
  for (const check of wrapperContract("retry", () => createRetry({ attempts: 3, backoffMs: 10 }))) it(check.name, check.run);

  it("tries what failed twice a third time: one result, attempts 3", async () => {
    const handler = failing(2);
    const call = fakeCall();
    const result = createRetry({ attempts: 3, backoffMs: 100, jitter: 0 }).run!(handler.run)(call);
    await call.clock.advance(99);
    expect(handler.starts()).toBe(1);
    await call.clock.advance(1);
    expect(handler.starts()).toBe(2);
    await call.clock.advance(199);
    expect(handler.starts()).toBe(2);
    await call.clock.advance(1);
    expect(await result).toMatchObject({ ok: true, content: "done" });
    expect(call.attempts).toBe(3);
    expect(call.clock.pending + call.listeners).toBe(0);
  });

  it("gives the last failure when all attempts are used", async () => {
    const handler = failing(9);
    const call = fakeCall();
    const result = createRetry({ attempts: 3, backoffMs: 1 }).run!(handler.run)(call);
    await call.clock.advance(10);
    expect(await result).toMatchObject({ code: "TOOL_FAILED" });
    expect(handler.starts()).toBe(3);
  });

  it("never tries again what is not retryable, an input error or an abort", async () => {
    for (const [code, retryable] of [
      ["TOOL_FAILED", false],
      ["INPUT_INVALID", true],
      ["ABORTED", true],
    ] as const) {
      const handler = failing(9, (call) => call.fail(code, "No.", { retryable }));
      const call = fakeCall();
      expect(await createRetry({ attempts: 3, backoffMs: 0 }).run!(handler.run)(call)).toMatchObject({ code });
      expect(handler.starts()).toBe(1);
      expect(call.attempts).toBe(1);
    }
  });

  it("waits as long as the failure asks for", async () => {
    const handler = failing(1, (call) => call.fail("TOOL_FAILED", "Later.", { retryable: true, retryAfterMs: 5_000 }));
    const call = fakeCall();
    const result = createRetry({ attempts: 2, backoffMs: 10 }).run!(handler.run)(call);
    await call.clock.advance(4_999);
    expect(handler.starts()).toBe(1);
    await call.clock.advance(1);
    expect(await result).toMatchObject({ ok: true });
  });

  it("does not wait for a tool that asks for too long, and hands the failure on", async () => {
    for (const retryAfterMs of [30_001, Number.MAX_SAFE_INTEGER, Infinity]) {
      const handler = failing(1, (call) => call.fail("TOOL_FAILED", "Later.", { retryable: true, retryAfterMs }));
      const call = fakeCall();
      expect(await createRetry({ attempts: 2, backoffMs: 10 }).run!(handler.run)(call)).toMatchObject({ retryAfterMs });
      expect(call.clock.pending).toBe(0);
    }
  });

  it("stops at once when the call is aborted while it waits", async () => {
    for (const [reason, code] of [
      [undefined, "ABORTED"],
      [new DOMException("Timed out", "TimeoutError"), "TIMEOUT"],
    ] as const) {
      const handler = failing(1);
      const call = fakeCall();
      const result = createRetry({ attempts: 2, backoffMs: 1_000 }).run!(handler.run)(call);
      await settle();
      call.abort(reason);
      expect(await result).toMatchObject({ code });
      expect(handler.starts()).toBe(1);
      expect(call.clock.pending + call.listeners).toBe(0);
    }
  });

  it("does not start a handler again after the call was aborted during its attempt", async () => {
    let starts = 0;
    const call = fakeCall();
    const result = await createRetry({ attempts: 3, backoffMs: 0 }).run!((made) => {
      starts += 1;
      call.abort();
      return temporary(made);
    })(call);
    expect(result).toMatchObject({ code: "TOOL_FAILED" });
    expect(starts).toBe(1);
  });

  it("answers without waiting for a handler that answers at once", () => {
    expect(createRetry({ attempts: 3, backoffMs: 10 }).run!(failing(0).run)(fakeCall())).toMatchObject({ content: "done" });
  });

  it("applies only with more than one attempt", () => {
    expect(createRetry({ attempts: 1, backoffMs: 0 }).appliesTo!(fakeTool())).toBe(false);
    expect(createRetry({ attempts: 2, backoffMs: 0 }).appliesTo!(fakeTool())).toBe(true);
  });

  it("waits between the set part of the doubling backoff and the whole of it", async () => {
    const parts = {
      attempts: fc.integer({ min: 2, max: 6 }),
      backoffMs: fc.integer({ min: 1, max: 500 }),
      jitter: fc.double({ min: 0, max: 1, noNaN: true }),
    };
    await fc.assert(
      fc.asyncProperty(fc.record(parts), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), async (options, chance) => {
        const starts: number[] = [];
        const call = fakeCall();
        const result = createRetry({ ...options, random: () => chance }).run!((made) => {
          starts.push(made.clock.now());
          return temporary(made);
        })(call);
        await call.clock.advance(options.backoffMs * 2 ** options.attempts);
        await result;
        expect(starts).toHaveLength(options.attempts);
        for (let index = 1; index < starts.length; index++) {
          const whole = options.backoffMs * 2 ** (index - 1);
          const waited = starts[index]! - starts[index - 1]!;
          expect(waited).toBeLessThanOrEqual(whole + 1e-6);
          expect(waited).toBeGreaterThanOrEqual(whole * (1 - options.jitter) - 1e-6);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("does not take attempts or times that make no sense", () => {
    for (const options of [
      { attempts: 0, backoffMs: 1 },
      { attempts: 2, backoffMs: -1 },
      { attempts: 2, backoffMs: Number.NaN },
    ]) {
      expect(() => createRetry(options)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
    }
  });
});
