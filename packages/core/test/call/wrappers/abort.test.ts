import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { wrapRun } from "../../../src/call/wrap-run.ts";
import type { Call, Run } from "../../../src/call/wrapper.ts";
import { abortWrapper } from "../../../src/call/wrappers/abort.ts";
import { fakeCall } from "../../../src/testing/fake-call.ts";
import { settle } from "../../../src/testing/fake-clock.ts";
import { wrapperContract } from "../../../src/testing/wrapper-contract.ts";
import type { ToolResult } from "../../../src/tool/result.ts";

const never = new Promise<ToolResult>(() => {});
const through = (run: Run, call: Call): Promise<ToolResult> => Promise.resolve(wrapRun(abortWrapper, run)(call));

/** Once the turn is over: the one listener of a signal goes when nobody waits any more. */
async function listenersOf(signal: AbortSignal): Promise<number> {
  await new Promise(setImmediate);
  return getEventListeners(signal, "abort").length;
}

describe("abortWrapper", () => {
  for (const check of wrapperContract("abort", () => abortWrapper)) it(check.name, check.run);

  it("answers ABORTED at once, also for a handler that does not listen", async () => {
    const controller = new AbortController();
    const call = fakeCall({ callerSignal: controller.signal });
    const answer = through(() => never, call);
    await settle();
    controller.abort();
    expect(await answer).toMatchObject({ ok: false, code: "ABORTED", status: 499, retryable: false });
    expect(await listenersOf(controller.signal)).toBe(0);
  });

  it("hands the caller's reason on to the handler", async () => {
    const controller = new AbortController();
    const call = fakeCall({ callerSignal: controller.signal });
    void through(() => never, call);
    await settle();
    const reason = new Error("the user pressed stop");
    controller.abort(reason);
    expect(call.signal.aborted).toBe(true);
    expect(call.signal.reason).toBe(reason);
  });

  it("does not start a handler when the caller has cancelled already", async () => {
    const call = fakeCall({ callerSignal: AbortSignal.abort() });
    let started = false;
    const result = await through(() => {
      started = true;
      return never;
    }, call);
    expect(result).toMatchObject({ code: "ABORTED" });
    expect(started).toBe(false);
  });

  it("listens no longer once the handler is done, and takes its result as it is", async () => {
    const { signal } = new AbortController();
    const call = fakeCall({ callerSignal: signal });
    const done = call.succeed("done");
    expect(await through(async () => (await settle(), done), call)).toBe(done);
    expect(await listenersOf(signal)).toBe(0);
  });

  it("puts one listener on a signal, however many calls wait for it", async () => {
    const controller = new AbortController();
    const calls = Array.from({ length: 50 }, () => fakeCall({ callerSignal: controller.signal }));
    const answers = calls.map((call) => through(() => never, call));
    expect(await listenersOf(controller.signal)).toBe(1);
    controller.abort();
    for (const answer of answers) expect(await answer).toMatchObject({ code: "ABORTED" });
    expect(await listenersOf(controller.signal)).toBe(0);
  });

  it("ignores what an aborted handler answers later", async () => {
    const controller = new AbortController();
    const call = fakeCall({ callerSignal: controller.signal });
    let finish!: (late: ToolResult) => void;
    const answer = through(() => new Promise((resolve) => (finish = resolve)), call);
    await settle();
    controller.abort();
    finish(call.succeed("too late"));
    expect(await answer).toMatchObject({ code: "ABORTED" });
  });
});
