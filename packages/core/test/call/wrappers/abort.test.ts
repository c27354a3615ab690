import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { abortWrapper } from "../../../src/call/wrappers/abort.ts";
import { fakeCall } from "../../../src/testing/fake-call.ts";
import { settle } from "../../../src/testing/fake-clock.ts";
import { wrapperContract } from "../../../src/testing/wrapper-contract.ts";
import type { ToolResult } from "../../../src/tool/result.ts";

const never = new Promise<ToolResult>(() => {});
const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

describe("abortWrapper", () => {
  for (const check of wrapperContract("abort", () => abortWrapper)) it(check.name, check.run);

  it("answers ABORTED at once, also for a handler that does not listen", async () => {
    const controller = new AbortController();
    const call = fakeCall({ callerSignal: controller.signal });
    const answer = abortWrapper.run!(() => never)(call);
    controller.abort();
    expect(await answer).toMatchObject({ ok: false, code: "ABORTED", status: 499, retryable: false });
    expect(listenersOf(controller.signal)).toBe(0);
  });

  it("hands the caller's reason on to the handler", async () => {
    const controller = new AbortController();
    const call = fakeCall({ callerSignal: controller.signal });
    void abortWrapper.run!(() => never)(call);
    const reason = new Error("the user pressed stop");
    controller.abort(reason);
    expect(call.signal.aborted).toBe(true);
    expect(call.signal.reason).toBe(reason);
  });

  it("does not start a handler when the caller has cancelled already", async () => {
    const call = fakeCall({ callerSignal: AbortSignal.abort() });
    let started = false;
    const result = await abortWrapper.run!(() => {
      started = true;
      return never;
    })(call);
    expect(result).toMatchObject({ code: "ABORTED" });
    expect(started).toBe(false);
  });

  it("listens no longer once the handler is done, and takes its result as it is", async () => {
    const { signal } = new AbortController();
    const call = fakeCall({ callerSignal: signal });
    const done = call.succeed("done");
    expect(await abortWrapper.run!(async () => (await settle(), done))(call)).toBe(done);
    expect(listenersOf(signal)).toBe(0);
  });

  it("does not listen at all for a handler that does not wait", () => {
    const { signal } = new AbortController();
    const call = fakeCall({ callerSignal: signal });
    const done = call.succeed("done");
    expect(
      abortWrapper.run!(() => {
        expect(listenersOf(signal)).toBe(0);
        return done;
      })(call),
    ).toBe(done);
    expect(listenersOf(signal)).toBe(0);
  });

  it("ignores what an aborted handler answers later", async () => {
    const controller = new AbortController();
    const call = fakeCall({ callerSignal: controller.signal });
    let finish!: (late: ToolResult) => void;
    const answer = abortWrapper.run!(() => new Promise((resolve) => (finish = resolve)))(call);
    controller.abort();
    finish(call.succeed("too late"));
    expect(await answer).toMatchObject({ code: "ABORTED" });
  });
});
