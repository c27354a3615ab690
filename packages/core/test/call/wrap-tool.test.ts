import { getEventListeners } from "node:events";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  applyOwnerOnlyToolPolicy,
  sanitizeToolResultImages,
  withWrapper,
  wrapToolParamNormalization,
  wrapToolWithAbortSignal,
  wrapToolWithBeforeToolCallHook,
  wrapToolWorkspaceRootGuard,
} from "../../src/call/wrap-tool.ts";
import type { Wrapper } from "../../src/call/wrapper.ts";
import { createConcurrency } from "../../src/call/wrappers/limits/concurrency.ts";
import { createResultSize } from "../../src/call/wrappers/result-size.ts";
import { createRetry } from "../../src/call/wrappers/limits/retry.ts";
import { ToolError } from "../../src/errors.ts";
import { fakeCall } from "../../src/testing/fake-call.ts";
import { settle } from "../../src/testing/fake-clock.ts";
import type { AgentTool } from "../../src/tool/agent-tool.ts";
import { executeTool, exportForApi } from "../../src/tool/array.ts";
import type { CallContext } from "../../src/tool/context.ts";
import { defineTool, type ToolDefinition } from "../../src/tool/tool.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "wrap-tool-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const write: ToolDefinition = defineTool({
  name: "write",
  description: "Writes a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" }, maxLines: { type: "integer" } } },
  handler: (input) => ({ got: input }),
});

/** A tool whose handler does what a test says. */
const tool = (handler: (input: { text?: string }, context: CallContext) => unknown): ToolDefinition =>
  defineTool({
    name: "echo",
    description: "Gives its text back.",
    inputSchema: { type: "object", properties: { text: { type: "string" } } },
    handler,
  });

describe("withWrapper", () => {
  it("refuses what is no tool, and says what is wrong with it", () => {
    const whole = { name: "echo", description: "x", inputSchema: { type: "object" }, handler: () => "" };
    const wrapper: Wrapper = { name: "none" };
    for (const wrong of [{ name: "echo", description: "x" }, { ...whole, name: 1 }, undefined])
      expect(() => withWrapper(wrong as never, wrapper)).toThrow(
        expect.objectContaining({ code: "DEFINITION_INVALID", message: expect.stringContaining("withWrapper: the tool") }),
      );
  });

  it("refuses a wrapper whose check has its old name, which would never run", () => {
    const old = { name: "gate", admit: () => undefined };
    expect(() => withWrapper(write, old)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });

  it("goes prepare, beforeRun, run, finish, the last wrapper put on first", async () => {
    const steps: string[] = [];
    const tracing = (name: string): Wrapper => ({
      name,
      prepare: (input) => (steps.push(`${name} prepare`), input),
      beforeRun: () => void steps.push(`${name} beforeRun`),
      run: (next) => (call) => (steps.push(`${name} run`), next(call)),
      finish: (result) => (steps.push(`${name} finish`), result),
    });
    const wrapped = withWrapper(
      withWrapper(
        tool(() => steps.push("handler")),
        tracing("inner"),
      ),
      tracing("outer"),
    );
    await executeTool(wrapped, {});
    expect(steps).toEqual([
      "outer prepare",
      "outer beforeRun",
      "outer run",
      "inner prepare",
      "inner beforeRun",
      "inner run",
      "handler",
      "inner finish",
      "outer finish",
    ]);
  });

  it("gives a tool that exports like the first, and leaves that one as it was", async () => {
    const wrapped = withWrapper(write, createResultSize());
    expect(exportForApi([wrapped])).toEqual(exportForApi([write]));
    expect(wrapped).not.toBe(write);
    expect(Object.isFrozen(wrapped)).toBe(true);
    expect(await executeTool(write, { path: "a" })).toMatchObject({ ok: true, data: { got: { path: "a" } } });
  });

  it("gives the tool itself back where the wrapper does not apply", () => {
    expect(withWrapper(write, createConcurrency())).toBe(write);
  });

  it("passes text, data, blocks, effects and thrown errors on", async () => {
    const blocks = [{ type: "text", text: "b" }] as const;
    const effects = [{ kind: "file", action: "write", target: "a" }];
    const through = (handler: () => unknown) => executeTool(withWrapper(tool(handler), { name: "nothing" }), {});
    expect(await through(() => "text")).toMatchObject({ ok: true, content: "text" });
    expect(await through(() => ({ a: 1 }))).toMatchObject({ ok: true, content: '{"a":1}', data: { a: 1 } });
    expect(await through(() => blocks)).toMatchObject({ ok: true, blocks });
    expect(await through(() => ({ ok: true, content: "done", effects }))).toMatchObject({ ok: true, effects });
    const thrown = await through(() => {
      throw new ToolError("SECRET_MISSING", "No key.", { retryable: true });
    });
    expect(thrown).toMatchObject({ ok: false, code: "SECRET_MISSING", error: "No key.", retryable: true });
    expect(
      await through(() => {
        throw new Error("broken");
      }),
    ).toMatchObject({ code: "TOOL_FAILED", error: "broken" });
  });

  it("lets a retry try the handler again", async () => {
    let starts = 0;
    const flaky = tool(() => (++starts < 3 ? { ok: false, error: "Busy.", retryable: true } : "done"));
    expect(await executeTool(withWrapper(flaky, createRetry({ attempts: 3, backoffMs: 1 })), {})).toMatchObject({
      ok: true,
      content: "done",
    });
    expect(starts).toBe(3);
  });

  it("hands the wrapper's warnings to the log", async () => {
    const logged: string[] = [];
    const wrapped = withWrapper(
      tool(() => "x".repeat(100)),
      createResultSize({ maxBytes: 10 }),
    );
    const base = contextOf(new AbortController().signal);
    await wrapped.handler({}, { ...base, log: { ...base.log, warn: (text) => void logged.push(text) } });
    expect(logged).toEqual([expect.stringContaining("was cut")]);
  });

  it("lets the handler use every part of its context", async () => {
    const context: CallContext = {
      ...contextOf(new AbortController().signal),
      secret: (name) => Promise.resolve(`secret ${name}`),
      call: (name) => Promise.resolve(fakeCall().succeed(`called ${name}`)),
      ask: () => Promise.resolve({ action: "accept", value: "yes" }),
    };
    const wrapped = withWrapper(
      tool(async (_, inner) => [
        await inner.secret("a"),
        (await inner.call("b", {})).ok,
        await inner.ask({ message: "c" }),
        inner.services,
        inner.config,
        inner.callId,
      ]),
      { name: "nothing" },
    );
    expect(await wrapped.handler({}, context)).toMatchObject({
      data: ["secret a", true, { action: "accept", value: "yes" }, { db: 1 }, { color: "red" }, "call-9"],
    });
  });
});

describe("wrapToolWorkspaceRootGuard", () => {
  it("refuses a path that leads out, before the handler", async () => {
    const guarded = wrapToolWorkspaceRootGuard(write, root);
    expect(await executeTool(guarded, { path: "../x" })).toMatchObject({ ok: false, code: "PATH_OUTSIDE_WORKSPACE", status: 403 });
    expect(await executeTool(guarded, { path: "x" })).toMatchObject({ ok: true });
  });
});

describe("wrapToolParamNormalization", () => {
  it("brings names to the declared ones, and checks the values under them", async () => {
    const normal = wrapToolParamNormalization(write);
    expect(await executeTool(normal, { max_lines: 3 })).toMatchObject({ ok: true, data: { got: { maxLines: 3 } } });
    expect(await executeTool(normal, { max_lines: "three" })).toMatchObject({
      ok: false,
      code: "INPUT_INVALID",
      error: expect.stringContaining("maxLines"),
    });
  });
});

describe("wrapToolWithBeforeToolCallHook", () => {
  it("lets pass, changes, checks the change, and blocks", async () => {
    const hooked = (hook: Parameters<typeof wrapToolWithBeforeToolCallHook>[1]) =>
      executeTool(wrapToolWithBeforeToolCallHook(write, hook), { path: "a" });
    expect(await hooked(() => undefined)).toMatchObject({ data: { got: { path: "a" } } });
    expect(await hooked(() => Promise.resolve({ input: { path: "b" } }))).toMatchObject({ data: { got: { path: "b" } } });
    expect(await hooked(() => ({ input: { path: 5 } }))).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    expect(await hooked(({ tool: name, input }) => ({ block: `${name} ${JSON.stringify(input)}` }))).toMatchObject({
      ok: false,
      code: "BLOCKED",
      error: expect.stringContaining('write {"path":"a"}'),
    });
    expect(
      await hooked(() => {
        throw new Error("hook is broken");
      }),
    ).toMatchObject({ ok: false, code: "BLOCKED" });
  });
});

describe("wrapToolWithAbortSignal", () => {
  const endless = (): { tool: ToolDefinition; signals: AbortSignal[] } => {
    const signals: AbortSignal[] = [];
    return { tool: tool((_, context) => (signals.push(context.signal), new Promise(() => {}))), signals };
  };

  it("answers ABORTED at once when either signal is aborted, and tells the handler why", async () => {
    for (const which of [0, 1]) {
      const controllers = [new AbortController(), new AbortController()] as const;
      const { tool: slow, signals } = endless();
      const result = wrapToolWithAbortSignal(slow, controllers[0].signal).handler({}, contextOf(controllers[1].signal));
      await settle();
      controllers[which]!.abort("enough");
      expect(await result).toMatchObject({ ok: false, code: "ABORTED" });
      expect(signals[0]).toMatchObject({ aborted: true, reason: "enough" });
      for (const { signal } of controllers) expect(getEventListeners(signal, "abort")).toHaveLength(0);
    }
  });

  it("does not start a handler whose signal is aborted already", async () => {
    const { tool: slow, signals } = endless();
    expect(await executeTool(wrapToolWithAbortSignal(slow, AbortSignal.abort()), {})).toMatchObject({ code: "ABORTED" });
    expect(signals).toHaveLength(0);
  });

  it("leaves nothing on a signal that lives long", async () => {
    const { signal } = new AbortController();
    const wrapped = wrapToolWithAbortSignal(
      tool(async ({ text }) => (await settle(), text)),
      signal,
    );
    expect(await Promise.all(Array.from({ length: 50 }, () => executeTool(wrapped, { text: "a" })))).toHaveLength(50);
    expect(
      await executeTool(
        wrapToolWithAbortSignal(
          tool(() => Promise.reject(new Error("no"))),
          signal,
        ),
        {},
      ),
    ).toMatchObject({ error: "no" });
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});

describe("applyOwnerOnlyToolPolicy", () => {
  // row: A15
  it("leaves the owner's tools out for everyone else, in order", () => {
    const tools = [{ name: "a" }, { name: "b", metadata: { ownerOnly: true } }, { name: "c", metadata: {} }];
    expect(applyOwnerOnlyToolPolicy(tools, true)).toEqual(tools);
    expect(applyOwnerOnlyToolPolicy(tools, false).map(({ name }) => name)).toEqual(["a", "c"]);
    expect(applyOwnerOnlyToolPolicy(tools, "yes" as unknown as boolean).map(({ name }) => name)).toEqual(["a", "c"]);
  });
});

describe("sanitizeToolResultImages", () => {
  it("is there beside the others", () => {
    expect(sanitizeToolResultImages(fakeCall().succeed("text"))).toMatchObject({ content: "text" });
  });
});

function contextOf(signal: AbortSignal): CallContext {
  const none = (): void => {};
  return {
    callId: "call-9",
    caller: {},
    signal,
    services: { db: 1 },
    config: { color: "red" },
    secret: () => Promise.reject(new Error("none")),
    call: () => Promise.reject(new Error("none")),
    ask: () => Promise.reject(new Error("none")),
    progress: none,
    log: { debug: none, info: none, warn: none, error: none },
  };
}

it("a wrapper sees the tool's time limit, and none where the tool has lifted it", async () => {
  const seen: unknown[] = [];
  const looking: Wrapper = { name: "looking", beforeRun: ({ timeoutMs }) => void seen.push(timeoutMs) };
  for (const timeoutMs of [50, false] as const) {
    await executeTool(withWrapper(defineTool({ ...write, metadata: { limits: { timeoutMs } } }), looking), {});
  }
  expect(seen).toEqual([50, undefined]);
});

describe("a tool with `parameters` and `execute`", () => {
  const told: AgentTool = {
    name: "tell",
    description: "Tells what it was given.",
    parameters: { type: "object", properties: { path: { type: "string" }, sessionKey: { type: "string" } } },
    ownerOnly: true,
    execute: async (input) => ({ content: [{ type: "text", text: JSON.stringify(input) }], details: { given: input } }),
  };

  it("is wrapped as a definition is", async () => {
    const block = wrapToolWithBeforeToolCallHook(told, () => ({ block: "Not now." }));
    expect(await executeTool(block, {})).toMatchObject({ ok: false, error: expect.stringContaining("Not now.") });
    const guarded = wrapToolWorkspaceRootGuard(told, root);
    expect(await executeTool(guarded, { path: "../x" })).toMatchObject({ ok: false, code: "PATH_OUTSIDE_WORKSPACE" });
    expect(await executeTool(wrapToolParamNormalization(told), { session_key: "a" })).toMatchObject({
      data: { given: { sessionKey: "a" } },
    });
    expect(await executeTool(wrapToolWithAbortSignal(told, AbortSignal.abort()), {})).toMatchObject({ ok: false, code: "ABORTED" });
    expect(await executeTool(wrapToolWithAbortSignal(told, new AbortController().signal), {})).toMatchObject({ ok: true, content: "{}" });
  });

  it.each([undefined, null, 5, { inputSchema: { type: "object" }, execute: () => "" }])("is what is wrapped, and not %j", (wrong) => {
    expect(() => wrapToolParamNormalization(wrong as never)).toThrow(
      expect.objectContaining({ code: "DEFINITION_INVALID", message: expect.stringContaining("withWrapper: the tool") as string }),
    );
  });

  it("stays its owner's", () => {
    const open: AgentTool = { ...told, name: "open", ownerOnly: false };
    expect(applyOwnerOnlyToolPolicy([told, open], false)).toEqual([open]);
    expect(applyOwnerOnlyToolPolicy([told, open], true)).toEqual([told, open]);
    expect(wrapToolParamNormalization(told).metadata?.ownerOnly).toBe(true);
    const spelt = { ...open, name: "spelt", metadata: { owner_only: true } } as AgentTool;
    expect(applyOwnerOnlyToolPolicy([spelt, open], false)).toEqual([open]);
    expect(wrapToolParamNormalization(spelt).metadata?.ownerOnly).toBe(true);
  });
});
