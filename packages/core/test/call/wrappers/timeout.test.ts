import { describe, expect, it } from "vitest";
import { createTimeout } from "../../../src/call/wrappers/timeout.ts";
import { wrapRun } from "../../../src/call/wrap-run.ts";
import type { Call, Run, Wrapper } from "../../../src/call/wrapper.ts";
import { type FakeCall, fakeCall } from "../../../src/testing/fake-call.ts";
import { createFakeClock, type FakeClock, settle } from "../../../src/testing/fake-clock.ts";
import { wrapperContract } from "../../../src/testing/wrapper-contract.ts";
import type { ToolResult } from "../../../src/tool/result.ts";
import { createDeadlines } from "../../../src/util/on-node/deadlines.ts";

const never = new Promise<ToolResult>(() => {});
const through = (wrapper: Wrapper, run: Run, call: Call): Promise<ToolResult> => Promise.resolve(wrapRun(wrapper, run)(call));

/** A handler that waits for a few turns. */
async function later(result: ToolResult): Promise<ToolResult> {
  for (let turn = 0; turn < 3; turn++) await settle();
  return result;
}

function limited(timeoutMs: number): { clock: FakeClock; call: FakeCall; timeout: Wrapper } {
  const clock = createFakeClock();
  return { clock, call: fakeCall({ clock, timeoutMs }), timeout: createTimeout({ deadlines: createDeadlines(clock) }) };
}

describe("createTimeout", () => {
  for (const check of wrapperContract("timeout", () => createTimeout({ deadlines: createDeadlines(createFakeClock()) }))) {
    it(check.name, check.run);
  }

  // row: F11
  it("answers TIMEOUT when the time is over, also for a handler that never settles, and leaves no timer", async () => {
    const { clock, call, timeout } = limited(100);
    const answer = through(timeout, () => never, call);
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
    void through(timeout, () => never, call);
    await clock.advance(100);
    expect(call.signal.reason).toMatchObject({ name: "TimeoutError" });
  });

  it("leaves no timer when the handler is done in time", async () => {
    const { clock, call, timeout } = limited(100);
    const done = call.succeed("done");
    const answer = through(timeout, () => later(done), call);
    await settle();
    expect(clock.pending).toBe(1);
    expect(await answer).toBe(done);
    expect(clock.pending).toBe(0);
    expect(call.signal.aborted).toBe(false);
  });

  it("sets no timer for a handler that does not wait, nor for a call without a limit", async () => {
    const { clock, call, timeout } = limited(100);
    const done = call.succeed("done");
    expect(await through(timeout, () => done, call)).toBe(done);
    void through(timeout, () => never, fakeCall({ clock }));
    await settle();
    expect(clock.pending).toBe(0);
  });

  it("ignores what the handler answers after its time", async () => {
    const { clock, call, timeout } = limited(10);
    let finish!: (late: ToolResult) => void;
    const answer = through(timeout, () => new Promise((resolve) => (finish = resolve)), call);
    await clock.advance(10);
    finish(call.succeed("too late"));
    expect(await answer).toMatchObject({ code: "TIMEOUT" });
  });

  it("takes a limit without end as no limit", async () => {
    const { clock, call, timeout } = limited(Number.POSITIVE_INFINITY);
    const done = call.succeed("done");
    const answer = through(timeout, () => later(done), call);
    expect(clock.pending).toBe(0);
    expect(await answer).toBe(done);
  });
});
