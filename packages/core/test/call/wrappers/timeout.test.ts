import { describe, expect, it } from "vitest";
import { createTimeout } from "../../../src/call/wrappers/timeout.ts";
import type { Wrapper } from "../../../src/call/wrapper.ts";
import { type FakeCall, fakeCall } from "../../../src/testing/fake-call.ts";
import { createFakeClock, type FakeClock, settle } from "../../../src/testing/fake-clock.ts";
import { wrapperContract } from "../../../src/testing/wrapper-contract.ts";
import type { ToolResult } from "../../../src/tool/result.ts";
import { createDeadlines } from "../../../src/util/deadlines.ts";

const never = new Promise<ToolResult>(() => {});

function limited(timeoutMs: number): { clock: FakeClock; call: FakeCall; timeout: Wrapper } {
  const clock = createFakeClock();
  return { clock, call: fakeCall({ clock, timeoutMs }), timeout: createTimeout({ deadlines: createDeadlines(clock) }) };
}

describe("createTimeout", () => {
  for (const check of wrapperContract("timeout", () => createTimeout({ deadlines: createDeadlines(createFakeClock()) }))) {
    it(check.name, check.run);
  }

  it("answers TIMEOUT when the time is over, also for a handler that never settles, and leaves no timer", async () => {
    const { clock, call, timeout } = limited(100);
    const answer = timeout.run!(() => never)(call);
    await clock.advance(99);
    expect(call.signal.aborted).toBe(false);
    await clock.advance(1);
    const result = (await answer) as Extract<ToolResult, { ok: false }>;
    expect(result).toMatchObject({ code: "TIMEOUT", status: 504, retryable: true });
    expect(result.error).toContain('"echo" did not finish within 100 ms');
    expect(clock.pending).toBe(0);
  });

  it("aborts the call's signal with a TimeoutError when the time is over", async () => {
    const { clock, call, timeout } = limited(100);
    void timeout.run!(() => never)(call);
    await clock.advance(100);
    expect(call.signal.reason).toMatchObject({ name: "TimeoutError" });
  });

  it("leaves no timer when the handler is done in time", async () => {
    const { clock, call, timeout } = limited(100);
    const done = call.succeed("done");
    const answer = timeout.run!(async () => (await settle(), done))(call);
    expect(clock.pending).toBe(1);
    expect(await answer).toBe(done);
    expect(clock.pending).toBe(0);
    expect(call.signal.aborted).toBe(false);
  });

  it("sets no timer for a handler that does not wait, nor for a call without a limit", () => {
    const { clock, call, timeout } = limited(100);
    const done = call.succeed("done");
    expect(timeout.run!(() => done)(call)).toBe(done);
    const unlimited = fakeCall({ clock });
    expect(timeout.run!(() => never)(unlimited)).toBe(never);
    expect(clock.pending).toBe(0);
  });

  it("ignores what the handler answers after its time", async () => {
    const { clock, call, timeout } = limited(10);
    let finish!: (late: ToolResult) => void;
    const answer = timeout.run!(() => new Promise((resolve) => (finish = resolve)))(call);
    await clock.advance(10);
    finish(call.succeed("too late"));
    expect(await answer).toMatchObject({ code: "TIMEOUT" });
  });

  it("takes a limit without end as no limit", async () => {
    const { clock, call, timeout } = limited(Number.POSITIVE_INFINITY);
    const done = call.succeed("done");
    const answer = timeout.run!(async () => (await settle(), done))(call);
    expect(clock.pending).toBe(0);
    expect(await answer).toBe(done);
  });

  it.each([Number.NaN, "100" as unknown as number, null as unknown as number, -1])(
    "refuses %s as a limit, and starts nothing",
    async (wrong) => {
      const { clock, call, timeout } = limited(wrong);
      let started = false;
      const result = await timeout.run!(() => {
        started = true;
        return never;
      })(call);
      expect(result).toMatchObject({ code: "CONFIG_INVALID" });
      expect(started).toBe(false);
      expect(clock.pending).toBe(0);
    },
  );
});
