import { describe, expect, it } from "vitest";
import { wrapRun } from "../../src/call/wrap-run.ts";
import type { Wrapper } from "../../src/call/wrapper.ts";
import { createRegistry } from "../../src/registry/create.ts";
import { fakeCall, fakeTool } from "../../src/testing/fake-call.ts";

describe("one wrapper around a handler", () => {
  it("is passed over where it does not apply, and takes its part in the usual order where it does", async () => {
    const steps: string[] = [];
    const wrapper = (applies: boolean): Wrapper => ({
      name: "noting",
      appliesTo: () => applies,
      prepare: (input) => (steps.push("prepare"), { ...input, prepared: true }),
      beforeRun: () => void steps.push("beforeRun"),
      run: (next) => (call) => (steps.push("run"), next(call)),
      finish: (result) => (steps.push("finish"), { ...result, content: "finished" }) as never,
    });
    const call = fakeCall({ input: { a: 1 } });
    const handler = () => (steps.push(`handler ${JSON.stringify(call.input)}`), call.succeed("plain"));
    expect(await wrapRun(wrapper(false), handler)(call)).toMatchObject({ content: "plain" });
    expect(steps.splice(0)).toEqual(['handler {"a":1}']);
    expect(await wrapRun(wrapper(true), handler)(call)).toMatchObject({ content: "finished" });
    expect(steps).toEqual(["prepare", "beforeRun", "run", 'handler {"a":1,"prepared":true}', "finish"]);
  });

  it("refuses before the handler, and turns what is thrown while it waits into a failure", async () => {
    const call = fakeCall();
    const refusal = call.fail("TOOL_NOT_ALLOWED", "no");
    const unreached = () => expect.unreachable();
    expect(await wrapRun({ name: "no", beforeRun: () => refusal, finish: unreached }, unreached)(call)).toBe(refusal);
    let disarmed = 0;
    const waiting: Wrapper = { name: "waiting", interrupt: () => ({ disarm: () => void disarmed++, next: undefined }) as never };
    const result = await wrapRun(waiting, () => Promise.reject(new Error("broken")))(call);
    expect(result).toMatchObject({ ok: false, code: "TOOL_FAILED", error: "broken" });
    expect(disarmed).toBe(1);
  });
});

describe("several calls at once", () => {
  it("are all refused for options that are wrong, and each alone for what is wrong with it", async () => {
    const registry = createRegistry();
    registry.register(fakeTool());
    const requests = [
      { name: "echo", input: { text: "a" } },
      { name: "echo", error: { code: "INPUT_INVALID" as const, message: "No JSON." } },
    ];
    const wrong = await registry.callAll(requests as never, { timeoutMs: "5" as never });
    expect(wrong).toMatchObject(requests.map(() => ({ ok: false, code: "CONFIG_INVALID", meta: { tool: "echo" } })));
    expect(await registry.callAll([...requests, { name: "echo", inputs: 1 }] as never)).toMatchObject([
      { ok: true, content: "a" },
      { ok: false, code: "INPUT_INVALID", error: "No JSON.", meta: { tool: "echo" } },
      { ok: false, code: "CONFIG_INVALID", error: expect.stringContaining('callAll, call 3, has the unknown option "inputs"') },
    ]);
  });

  it("take no services to close that nobody opens, and read no secret where there are none", async () => {
    expect(() => createRegistry({ services: {}, closeServices: () => undefined })).not.toThrow();
    expect(() => createRegistry({ closeServices: () => undefined })).toThrow(
      "closeServices closes what services opens: make services a function.",
    );
    const registry = createRegistry();
    registry.register(
      fakeTool({ metadata: { secrets: ["KEY"], optionalSecrets: ["KEY"] }, handler: async (_, { secret }) => String(await secret("KEY")) }),
    );
    expect(await registry.invoke("echo", {})).toMatchObject({ ok: false, code: "SECRET_MISSING" });
  });

  it("are answered for a tool that is missing as the registry was told", async () => {
    const registry = createRegistry({
      missingTool: (name) => (name === "later" ? { code: "TOOL_UNAVAILABLE", error: "It is being installed." } : undefined),
    });
    expect(await registry.invoke("later", {})).toMatchObject({ code: "TOOL_UNAVAILABLE", error: "It is being installed." });
    expect(await registry.invoke("never", {})).toMatchObject({ code: "TOOL_NOT_FOUND" });
  });
});
