import { describe, expect, it } from "vitest";
import { type Interrupt, untilInterrupted } from "../../src/call/interrupts.ts";
import { type FakeCall, fakeCall } from "../../src/testing/fake-call.ts";
import type { ToolFailure, ToolResult } from "../../src/tool/result.ts";

interface Lever {
  interrupt: Interrupt;
  pull(failure: ToolFailure): void;
  armed: boolean;
}

/** An interrupt that a test pulls, and whether it is armed. */
function lever(): Lever {
  const made: Lever = {
    armed: false,
    pull: () => expect.unreachable(),
    interrupt: (_, waiting) => {
      made.armed = true;
      made.pull = (failure) => waiting.end(failure);
      return { next: undefined, disarm: () => void (made.armed = false) };
    },
  };
  return made;
}

const outcomes = {
  settled: (call: FakeCall, value: string): ToolResult => call.succeed(value),
  thrown: (call: FakeCall, error: unknown): ToolResult => call.fail("TOOL_FAILED", String(error)),
  interrupted: (_: FakeCall, failure: ToolFailure): ToolResult => failure,
};

describe("untilInterrupted", () => {
  it("gives what was waited for, as a result, and lets go of every interrupt", async () => {
    const call = fakeCall();
    const [one, other] = [lever(), lever()];
    const waiting = untilInterrupted(Promise.resolve("done"), call, [one.interrupt, other.interrupt], outcomes);
    expect([one.armed, other.armed]).toEqual([true, true]);
    expect(await waiting).toMatchObject({ ok: true, content: "done" });
    expect([one.armed, other.armed]).toEqual([false, false]);
    expect(await untilInterrupted(Promise.reject("no"), call, [one.interrupt], outcomes)).toMatchObject({ code: "TOOL_FAILED" });
    expect(one.armed).toBe(false);
  });

  it("ends with the first interrupt, lets go of the others, and ignores all that comes later", async () => {
    const call = fakeCall();
    const [one, other] = [lever(), lever()];
    let finish!: (value: string) => void;
    const waiting = untilInterrupted(
      new Promise<string>((resolve) => (finish = resolve)),
      call,
      [one.interrupt, other.interrupt],
      outcomes,
    );
    other.pull(call.fail("TIMEOUT", "Too late."));
    one.pull(call.fail("ABORTED", "Cancelled."));
    finish("done");
    expect(await waiting).toMatchObject({ code: "TIMEOUT" });
    expect([one.armed, other.armed]).toEqual([false, false]);
  });

  it("takes an interrupt that comes at once, and arms nothing that it would have to let go of", async () => {
    const call = fakeCall();
    const [before, after] = [lever(), lever()];
    const atOnce: Interrupt = (_, waiting) => void waiting.end(call.fail("ABORTED", "Cancelled."));
    const waiting = untilInterrupted(new Promise<string>(() => {}), call, [before.interrupt, atOnce, after.interrupt], outcomes);
    expect(await waiting).toMatchObject({ code: "ABORTED" });
    expect([before.armed, after.armed]).toEqual([false, false]);
  });

  it("takes an interrupt that has nothing to arm", async () => {
    const call = fakeCall();
    expect(await untilInterrupted(Promise.resolve("done"), call, [() => undefined], outcomes)).toMatchObject({ ok: true });
  });
});
