import { getEventListeners } from "node:events";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { BeforeCallHook, HookDecision } from "../../../src/call/hooks.ts";
import { createBeforeHooks } from "../../../src/call/wrappers/before-hooks.ts";
import { fakeCall } from "../../../src/testing/fake-call.ts";
import { wrapperContract } from "../../../src/testing/wrapper-contract.ts";

describe("createBeforeHooks", () => {
  for (const check of wrapperContract("before-hooks", () => createBeforeHooks([() => undefined, async () => {}])))
    it(check.name, check.run);

  it("shows a hook the tool, the input, the caller and the call's id", () => {
    const hook = vi.fn<BeforeCallHook>();
    createBeforeHooks([hook]).beforeRun!(fakeCall({ callId: "call-7", caller: { agent: "ada" }, input: { text: "hi" } }));
    expect(hook.mock.calls).toEqual([[{ tool: "echo", input: { text: "hi" }, caller: { agent: "ada" }, callId: "call-7" }]]);
  });

  it("costs nothing for a registry without hooks", () => {
    expect(createBeforeHooks([]).appliesTo!(fakeCall().tool)).toBe(false);
  });

  it("stays synchronous for as long as its hooks do", () => {
    expect(createBeforeHooks([() => undefined, () => ({ input: {} })]).beforeRun!(fakeCall())).toBeUndefined();
  });

  it("runs the hooks in their order, each on what the one before it left", async () => {
    const seen: unknown[] = [];
    const append =
      (letter: string, wait: boolean): BeforeCallHook =>
      ({ input }) => {
        seen.push(input["text"]);
        const decision = { input: { text: `${String(input["text"])}${letter}` } };
        return wait ? Promise.resolve(decision) : decision;
      };
    const call = fakeCall({ input: { text: "" } });
    expect(await createBeforeHooks([append("a", false), append("b", true), append("c", false)]).beforeRun!(call)).toBeUndefined();
    expect(seen).toEqual(["", "a", "ab"]);
    expect(call.input).toEqual({ text: "abc" });
  });

  it.each([
    ["at once", (): HookDecision => ({ block: "rm -rf is not allowed here." })],
    ["later", (): Promise<HookDecision> => Promise.resolve({ block: "rm -rf is not allowed here." })],
  ])("blocks %s, for the reason that the hook gives, and asks no further hook", async (_, hook) => {
    const next = vi.fn<BeforeCallHook>();
    const refused = await createBeforeHooks([hook, next]).beforeRun!(fakeCall());
    expect(refused).toMatchObject({ ok: false, code: "BLOCKED", status: 403 });
    expect(refused!.error).toContain('"echo" was blocked: rm -rf is not allowed here.');
    expect(next).not.toHaveBeenCalled();
  });

  it("blocks where a decision both blocks and changes the input", async () => {
    const call = fakeCall({ input: { text: "before" } });
    const both = { block: "No.", input: { text: "after" } } as HookDecision;
    expect(await createBeforeHooks([() => both]).beforeRun!(call)).toMatchObject({ code: "BLOCKED" });
    expect(call.input).toEqual({ text: "before" });
  });

  it("blocks when a hook throws or rejects", async () => {
    const throws: BeforeCallHook = () => {
      throw new Error("the scanner is down");
    };
    const rejects: BeforeCallHook = () => Promise.reject(new Error("the scanner is down"));
    for (const hook of [throws, rejects]) {
      const refused = await createBeforeHooks([hook]).beforeRun!(fakeCall());
      expect(refused).toMatchObject({ code: "BLOCKED" });
      expect(refused!.error).toContain("the scanner is down");
    }
  });

  it("blocks when a hook answers anything but a decision", async () => {
    const nothing = fc.constant(undefined);
    const decisions = fc.oneof(fc.record({ block: fc.string() }), fc.record({ input: fc.dictionary(fc.string(), fc.anything()) }));
    const isDecision = (value: unknown): boolean => nothing.canShrinkWithoutContext(value) || decisions.canShrinkWithoutContext(value);
    await fc.assert(
      fc.asyncProperty(
        fc.anything().filter((value) => !isDecision(value)),
        fc.boolean(),
        async (garbage, later) => {
          const hook = (() => (later ? Promise.resolve(garbage) : garbage)) as unknown as BeforeCallHook;
          expect(await createBeforeHooks([hook]).beforeRun!(fakeCall())).toMatchObject({ code: "BLOCKED" });
        },
      ),
    );
  });

  it("blocks when a decision cannot even be looked at", async () => {
    const hostile = new Proxy({} as HookDecision, {
      has() {
        throw new Error("no looking");
      },
    });
    const { signal } = new AbortController();
    for (const hook of [(): HookDecision => hostile, async (): Promise<HookDecision> => hostile]) {
      const refused = await createBeforeHooks([hook]).beforeRun!(fakeCall({ callerSignal: signal }));
      expect(refused).toMatchObject({ code: "BLOCKED" });
      expect(refused!.error).toContain("no looking");
    }
    await new Promise(setImmediate);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("answers the failure when a changed input is not valid, and asks no further hook", async () => {
    const next = vi.fn<BeforeCallHook>();
    const call = fakeCall();
    call.replaceInput = () => call.fail("INPUT_INVALID", "text must be a text.");
    expect(await createBeforeHooks([() => ({ input: { text: 5 } }), next]).beforeRun!(call)).toMatchObject({ code: "INPUT_INVALID" });
    expect(next).not.toHaveBeenCalled();
  });

  it("waits for a hook no longer than the caller does", async () => {
    const controller = new AbortController();
    const next = vi.fn<BeforeCallHook>();
    const call = fakeCall({ callerSignal: controller.signal });
    const refused = createBeforeHooks([() => new Promise(() => {}), next]).beforeRun!(call);
    controller.abort();
    expect(await refused).toMatchObject({ code: "ABORTED" });
    expect(next).not.toHaveBeenCalled();
    await new Promise(setImmediate);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  it("listens for the caller only while a hook is at work", async () => {
    const { signal } = new AbortController();
    const call = fakeCall({ callerSignal: signal });
    expect(await createBeforeHooks([async () => {}, async () => ({ input: {} })]).beforeRun!(call)).toBeUndefined();
    await new Promise(setImmediate);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("starts no slow hook for a caller who has left", async () => {
    const call = fakeCall({ callerSignal: AbortSignal.abort() });
    expect(await createBeforeHooks([() => new Promise(() => {})]).beforeRun!(call)).toMatchObject({ code: "ABORTED" });
  });
});
