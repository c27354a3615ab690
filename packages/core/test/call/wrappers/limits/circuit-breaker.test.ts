import { describe, expect, it } from "vitest";
import { type CircuitBreaker, createCircuitBreaker } from "../../../../src/call/wrappers/limits/circuit-breaker.ts";
import type { ErrorCode } from "../../../../src/errors.ts";
import { fakeCall, fakeTool } from "../../../../src/testing/fake-call.ts";
import { createFakeClock } from "../../../../src/testing/fake-clock.ts";
import { wrapperContract } from "../../../../src/testing/wrapper-contract.ts";

/** One tool behind a breaker that opens at the third failure and rests for a second. */
function setUp() {
  const clock = createFakeClock();
  const breaker = createCircuitBreaker({ failures: 3, coolDownMs: 1_000 });
  const begin = (name = "echo") => {
    const call = fakeCall({ clock, tool: fakeTool({ name }) });
    const refused = breaker.beforeRun!(call);
    const end = (code?: ErrorCode) => breaker.finish!(code === undefined ? call.succeed("fine") : call.fail(code, "It failed."), call);
    return { refused, end };
  };
  const fail = (times: number, code: ErrorCode = "TOOL_FAILED") => {
    for (let call = 0; call < times; call++) begin().end(code);
  };
  return { clock, breaker, begin, fail };
}

describe("createCircuitBreaker", () => {
  for (const check of wrapperContract("circuit-breaker", (): CircuitBreaker => createCircuitBreaker())) it(check.name, check.run);

  it("opens at the third failure in a row, says when to come back, and closes after a trial that works", async () => {
    const { clock, breaker, begin, fail } = setUp();
    fail(2);
    expect(breaker.state("echo")).toBe("closed");
    fail(1);
    expect(breaker.state("echo")).toBe("open");
    await clock.advance(400);
    expect(begin().refused).toMatchObject({ code: "CIRCUIT_OPEN", status: 503, retryable: true, retryAfterMs: 600 });
    await clock.advance(600);
    expect(breaker.state("echo")).toBe("half-open");
    const trial = begin();
    expect(trial.refused).toBeUndefined();
    trial.end();
    expect(breaker.state("echo")).toBe("closed");
    expect(begin().refused).toBeUndefined();
  });

  it("lets one trial through at a time, and rests again if it fails", async () => {
    const { clock, breaker, begin, fail } = setUp();
    fail(3);
    await clock.advance(1_000);
    const trial = begin();
    expect(begin().refused).toMatchObject({ code: "CIRCUIT_OPEN" });
    expect(breaker.state("echo")).toBe("half-open");
    await clock.advance(300);
    trial.end("TIMEOUT");
    expect(breaker.state("echo")).toBe("open");
    expect(begin().refused).toMatchObject({ retryAfterMs: 1_000 });
  });

  it("counts only failures that are the tool's fault", () => {
    const faults: ErrorCode[] = ["TOOL_FAILED", "TIMEOUT", "OUTPUT_INVALID", "RESULT_INVALID", "RESULT_TOO_LARGE"];
    const others: ErrorCode[] = [
      "INPUT_INVALID",
      "ABORTED",
      "TOOL_NOT_ALLOWED",
      "BLOCKED",
      "RATE_LIMITED",
      "QUEUE_FULL",
      "APPROVAL_REQUIRED",
    ];
    for (const code of faults) {
      const { breaker, fail } = setUp();
      fail(3, code);
      expect(breaker.state("echo")).toBe("open");
    }
    for (const code of others) {
      const { breaker, fail } = setUp();
      fail(10, code);
      expect(breaker.state("echo")).toBe("closed");
    }
  });

  it("starts the count anew after a success, and not after a failure of the caller", () => {
    const { breaker, begin, fail } = setUp();
    fail(2);
    begin().end();
    fail(2);
    expect(breaker.state("echo")).toBe("closed");
    fail(5, "INPUT_INVALID");
    fail(1);
    expect(breaker.state("echo")).toBe("open");
  });

  it("gives the trial to the next call when the first did not reach the tool", async () => {
    const { clock, breaker, begin, fail } = setUp();
    fail(3);
    await clock.advance(1_000);
    begin().end("BLOCKED");
    const second = begin();
    expect(second.refused).toBeUndefined();
    second.end();
    expect(breaker.state("echo")).toBe("closed");
  });

  it("tries again after another rest when a trial never ends", async () => {
    const { clock, begin, fail } = setUp();
    fail(3);
    await clock.advance(1_000);
    begin();
    await clock.advance(1_000);
    expect(begin().refused).toBeUndefined();
  });

  it("is not closed by a call that began before it opened", () => {
    const { breaker, begin, fail } = setUp();
    const early = begin();
    fail(3);
    early.end();
    expect(breaker.state("echo")).toBe("open");
  });

  it("watches each tool for itself and knows nothing of others", () => {
    const { breaker, begin, fail } = setUp();
    fail(3);
    expect(begin("other").refused).toBeUndefined();
    for (const name of ["other", "__proto__", "constructor"]) expect(breaker.state(name)).toBe("closed");
  });

  it("keeps a bounded number of tools", () => {
    const breaker = createCircuitBreaker({ failures: 1, maxTools: 4 });
    for (let index = 0; index < 100; index++) {
      const call = fakeCall({ tool: fakeTool({ name: `tool-${index}` }) });
      void breaker.finish!(call.fail("TOOL_FAILED", "It failed."), call);
    }
    const open = Array.from({ length: 100 }, (_, index) => breaker.state(`tool-${index}`)).filter((state) => state === "open");
    expect(open.length).toBeGreaterThan(0);
    expect(open.length).toBeLessThanOrEqual(4);
  });
});
