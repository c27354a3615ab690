import { getEventListeners } from "node:events";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { AfterCallHook } from "../../../src/call/hooks.ts";
import { createAfterHooks } from "../../../src/call/wrappers/after-hooks.ts";
import { type FakeCall, fakeCall } from "../../../src/testing/fake-call.ts";
import { wrapperContract } from "../../../src/testing/wrapper-contract.ts";
import type { ToolResult } from "../../../src/tool/result.ts";

const append =
  (letter: string, wait: boolean): AfterCallHook =>
  (result) => {
    const changed: ToolResult = result.ok ? { ...result, content: result.content + letter } : result;
    return wait ? Promise.resolve(changed) : changed;
  };

const finish = (hooks: readonly AfterCallHook[], call: FakeCall, result: ToolResult): ToolResult | Promise<ToolResult> =>
  createAfterHooks(hooks).finish!(result, call);

describe("createAfterHooks", () => {
  for (const check of wrapperContract("after-hooks", () => createAfterHooks([() => undefined, async () => {}]))) it(check.name, check.run);

  it("shows a hook the result, the tool, the input, the caller and the call's id", () => {
    const hook = vi.fn<AfterCallHook>();
    const call = fakeCall({ callId: "call-7", caller: { agent: "ada" }, input: { text: "hi" } });
    const result = call.succeed("hi");
    expect(finish([hook], call, result)).toBe(result);
    expect(hook.mock.calls).toEqual([[result, { tool: "echo", input: { text: "hi" }, caller: { agent: "ada" }, callId: "call-7" }]]);
  });

  it("costs nothing for a registry without hooks", () => {
    expect(createAfterHooks([]).appliesTo!(fakeCall().tool)).toBe(false);
  });

  it("runs the hooks in their order, each on what the one before it left", async () => {
    const call = fakeCall();
    const hooks = [append("a", false), append("b", true), () => undefined, append("c", false)];
    expect(await finish(hooks, call, call.succeed(""))).toMatchObject({ ok: true, content: "abc" });
  });

  it("stays synchronous for as long as its hooks do", () => {
    const call = fakeCall();
    expect(finish([append("a", false)], call, call.succeed(""))).toMatchObject({ content: "a" });
  });

  it("shows hooks failures, too, and lets them put a success in their place", async () => {
    const call = fakeCall();
    const rescue: AfterCallHook = (result) => (result.ok ? undefined : { ok: true, content: "a cached answer", meta: result.meta });
    expect(await finish([rescue], call, call.fail("TOOL_FAILED", "Down."))).toMatchObject({ ok: true, content: "a cached answer" });
  });

  it("leaves the result as it was, with a warning, when a hook throws or rejects", async () => {
    const throws: AfterCallHook = () => {
      throw new Error("no disk");
    };
    const rejects: AfterCallHook = () => Promise.reject(new Error("no disk"));
    for (const hook of [throws, rejects]) {
      const call = fakeCall();
      const result = await finish([append("a", false), hook, append("b", false)], call, call.succeed(""));
      expect(result).toMatchObject({ content: "ab" });
      expect(call.warnings).toEqual(["An after-call hook failed and was left out: no disk"]);
    }
  });

  it("leaves the result as it was, with a warning, when a hook answers what is no result", async () => {
    const call = fakeCall();
    const { meta } = call.succeed("");
    const almost = fc.oneof(
      fc.constantFrom<unknown>(
        { ok: true, content: "no meta" },
        { ok: true, content: 5, meta },
        { ok: false, error: "no code", meta },
        { ok: false, code: "NO_SUCH_CODE", error: "unknown code", meta },
        { ok: "yes", content: "not a boolean", meta },
        { content: "no ok", meta },
      ),
      fc.anything().filter((value) => value !== undefined && value !== null),
    );
    await fc.assert(
      fc.asyncProperty(almost, fc.boolean(), async (garbage, later) => {
        const hook = (() => (later ? Promise.resolve(garbage) : garbage)) as unknown as AfterCallHook;
        const own = fakeCall();
        const result = own.succeed("kept");
        expect(await finish([hook], own, result)).toBe(result);
        expect(own.warnings).toEqual(["An after-call hook failed and was left out: it returned something that is no result"]);
      }),
    );
  });

  it("waits for a hook no longer than the caller does", async () => {
    const controller = new AbortController();
    const call = fakeCall({ callerSignal: controller.signal });
    const answer = finish([() => new Promise(() => {}), append("b", false)], call, call.succeed("a"));
    controller.abort();
    expect(await answer).toMatchObject({ code: "ABORTED" });
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });
});
