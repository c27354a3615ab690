import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { readPolicyConfig } from "../../src/policy/config/config.ts";
import { createMemorySecrets } from "../../src/call/ports/secrets.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { RegistryOptions } from "../../src/registry/options.ts";
import type { Registry } from "../../src/registry/registry.ts";
import { createFakeClock, settle } from "../../src/testing/fake-clock.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import { createFakeSecrets } from "../../src/testing/fake-secrets.ts";
import type { CallContext, Progress } from "../../src/tool/context.ts";
import type { ToolResult } from "../../src/tool/result.ts";
import type { ToolDefinition } from "../../src/tool/tool.ts";

type Handler = (input: Record<string, unknown>, context: CallContext) => unknown;

/** A registry with one tool for each handler. */
function registryOf(handlers: Record<string, Handler>, options: RegistryOptions = {}, more: Partial<ToolDefinition> = {}): Registry {
  const registry = createRegistry(options);
  for (const [name, handler] of Object.entries(handlers)) {
    registry.register(fakeTool({ name, inputSchema: { type: "object" }, handler, ...more }));
  }
  return registry;
}

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

describe("context.secret", () => {
  const declared = { metadata: { secrets: ["API_KEY"] } };

  it("gives a secret that the tool declares, and the port is told who asked", async () => {
    const secrets = createFakeSecrets({ API_KEY: "s3cret-value" });
    const registry = registryOf(
      { fetch: (_, { secret }) => secret("API_KEY").then((value) => String(value.length)) },
      { secrets },
      declared,
    );
    expect(await registry.invoke("fetch", {}, { callId: "c-1", caller: { agent: "ada" } })).toMatchObject({ ok: true, content: "12" });
    expect(secrets.requests).toEqual([{ name: "API_KEY", tool: "fetch", callId: "c-1", caller: { agent: "ada" } }]);
  });

  it("refuses one that the tool does not declare, though it is set", async () => {
    const secrets = createFakeSecrets({ API_KEY: "s3cret-value", OTHER: "o7her-value" });
    const registry = registryOf({ fetch: (_, { secret }) => secret("OTHER") }, { secrets }, declared);
    const result = await registry.invoke("fetch", {});
    expect(result).toMatchObject({ code: "SECRET_MISSING", status: 409 });
    expect(!result.ok && result.error).toBe('Tool "fetch" asked for the secret "OTHER" without declaring it. Add it to metadata.secrets.');
    expect(secrets.requests).toEqual([]);
  });

  it("refuses one that is gone when it is asked for", async () => {
    const secrets = { has: () => true, get: () => Promise.resolve(undefined) };
    const result = await registryOf({ fetch: (_, { secret }) => secret("API_KEY") }, { secrets }, declared).invoke("fetch", {});
    expect(result).toMatchObject({ code: "SECRET_MISSING" });
    expect(!result.ok && result.error).toContain('"API_KEY" of tool "fetch" is not set');
  });

  it("does not let a secret out again: not in an error, a text, data, blocks, warnings or events", async () => {
    const value = 'hunter2-"quoted"';
    const outputs: Handler[] = [
      (_, { secret }) => secret("API_KEY").then((key) => Promise.reject(new Error(`401 for ${key}`))),
      (_, { secret }) => secret("API_KEY").then((key) => `the key is ${key}`),
      (_, { secret }) => secret("API_KEY").then((key) => ({ url: `https://x/?key=${encodeURIComponent(key)}`, nested: [{ key }] })),
      (_, { secret }) => secret("API_KEY").then((key) => [{ type: "text", text: key }]),
      (_, { secret }) => secret("API_KEY").then((key) => ({ ok: false, error: key })),
    ];
    for (const [index, handler] of outputs.entries()) {
      const registry = registryOf(
        { fetch: handler },
        { secrets: createMemorySecrets({ API_KEY: value }) },
        { ...declared, outputSchema: { type: "number" } },
      );
      const told: unknown[] = [];
      registry.subscribe((event) => void told.push(event));
      const text = JSON.stringify([await registry.invoke("fetch", {}), told]);
      for (const spelling of [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), "hunter2"]) {
        expect(text, `output ${index}`).not.toContain(spelling);
      }
    }
  });

  it("leaves a very short secret alone, which would be found in everything", async () => {
    const registry = registryOf(
      { fetch: (_, { secret }) => secret("API_KEY").then(() => "a banana") },
      { secrets: createMemorySecrets({ API_KEY: "a" }) },
      declared,
    );
    expect(await registry.invoke("fetch", {})).toMatchObject({ content: "a banana" });
  });

  it("leaves the results of calls that asked for none as they are", async () => {
    const registry = registryOf({ fetch: () => "s3cret-value" }, { secrets: createMemorySecrets({ API_KEY: "s3cret-value" }) }, declared);
    expect(await registry.invoke("fetch", {})).toMatchObject({ content: "s3cret-value" });
  });
});

describe("context.call", () => {
  const nested =
    (tool: string, input: unknown = {}): Handler =>
    async (_, { call }) =>
      call(tool, input);

  // row: F16
  it("calls another tool as the same caller, under the same trace, and says whose call it was", async () => {
    const registry = registryOf({ outer: nested("inner", { n: 1 }), inner: (input, { caller }) => ({ input, caller }) });
    const events: Record<string, unknown>[] = [];
    registry.subscribe((event) => void events.push({ ...event }));
    const recorded = await registry.invoke("outer", {}, { callId: "outer-1", caller: { agent: "ada" }, trace: "trace-1" });
    expect(recorded).toMatchObject({ ok: true, data: { input: { n: 1 }, caller: { agent: "ada" } }, meta: { tool: "outer" } });
    const [start, innerStart, innerEnd, end] = events;
    expect(start).toMatchObject({ type: "call-start", callId: "outer-1", trace: "trace-1" });
    expect(start).not.toHaveProperty("parentCallId");
    expect(innerStart).toMatchObject({ type: "call-start", tool: "inner", parentCallId: "outer-1", trace: "trace-1" });
    expect(innerEnd).toMatchObject({ type: "call-end", tool: "inner", trace: "trace-1", result: { meta: { parentCallId: "outer-1" } } });
    expect(end).toMatchObject({ type: "call-end", callId: "outer-1" });
    expect(innerStart!["callId"]).toBe(innerEnd!["callId"]);
  });

  // row: F16
  it("stands under the same policy as any call", async () => {
    const results: ToolResult[] = [];
    const outer: Handler = async (_, { call }) => {
      for (const name of ["denied", "owners", "nothing", "picky"]) results.push(await call(name, { n: "one" }));
      return "done";
    };
    const registry = registryOf(
      { outer, denied: () => expect.unreachable() },
      { policy: readPolicyConfig({ tools: { deny: ["denied"] } }) },
    );
    registry.register(fakeTool({ name: "owners", metadata: { ownerOnly: true } }));
    registry.register(fakeTool({ name: "picky", inputSchema: { type: "object", properties: { n: { type: "number" } } } }));
    expect(await registry.invoke("outer", {})).toMatchObject({ ok: true });
    expect(results.map((result) => !result.ok && result.code)).toEqual([
      "TOOL_NOT_ALLOWED",
      "TOOL_NOT_ALLOWED",
      "TOOL_NOT_FOUND",
      "INPUT_INVALID",
    ]);
  });

  it("stops a tool that calls itself at the depth limit, with nothing left behind", async () => {
    let calls = 0;
    const clock = createFakeClock();
    const again: Handler = async (_, { call, signal }) => {
      calls++;
      signal.throwIfAborted();
      return call("again", {});
    };
    const registry = registryOf({ again }, { clock, limits: { depth: 5, timeoutMs: 1_000 } });
    const { signal } = new AbortController();
    const result = await registry.invoke("again", {}, { signal });
    expect(result).toMatchObject({ ok: false, code: "DEPTH_EXCEEDED", status: 508 });
    expect(!result.ok && result.error).toContain("at most 5 are allowed. A tool may be calling itself.");
    expect(calls).toBe(6);
    expect(clock.pending).toBe(0);
    await settle();
    expect(listenersOf(signal)).toBe(0);
  });

  // row: F16
  it("stops tools that call each other in a circle", async () => {
    const registry = registryOf({ ping: nested("pong"), pong: nested("ping") });
    expect(await registry.invoke("ping", {})).toMatchObject({ code: "DEPTH_EXCEEDED" });
  });

  it("is cancelled with its parent, and times out with it", async () => {
    const reasons: unknown[] = [];
    const inner: Handler = (_, { signal }) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => {
          reasons.push((signal.reason as Error).name);
          resolve("stopped");
        }),
      );
    const clock = createFakeClock();
    const registry = registryOf({ outer: nested("inner"), inner }, { clock });
    const controller = new AbortController();
    const cancelled = registry.invoke("outer", {}, { signal: controller.signal });
    const timedOut = registry.invoke("outer", {}, { timeoutMs: 50 });
    controller.abort();
    await clock.advance(50);
    expect(await cancelled).toMatchObject({ code: "ABORTED" });
    expect(await timedOut).toMatchObject({ code: "TIMEOUT" });
    expect(reasons).toEqual(["AbortError", "TimeoutError"]);
  });
});

describe("context.progress", () => {
  it("tells the caller and the events, in order", async () => {
    const updates: Progress[] = [];
    const events: unknown[] = [];
    const count: Handler = async (_, { progress }) => {
      for (let step = 1; step <= 3; step++) {
        progress({ progress: step, total: 3 });
        await settle();
      }
      return "done";
    };
    const registry = registryOf({ count });
    registry.subscribe((event) => void (event.type === "call-progress" && events.push(event.progress)));
    await registry.invoke("count", {}, { onProgress: (update) => void updates.push(update) });
    expect(updates).toEqual([1, 2, 3].map((step) => ({ progress: step, total: 3 })));
    expect(events).toEqual(updates);
  });

  it("does not fail a tool whose listener throws or rejects, and the log tells why", async () => {
    const logged: unknown[][] = [];
    const ignore = (): void => undefined;
    const log = { debug: ignore, info: ignore, warn: ignore, error: (...line: unknown[]) => void logged.push(line) };
    const registry = registryOf({ work: (_, { progress }) => (progress({ message: "half-way" }), "done") }, { log });
    const throwing = (): never => {
      throw new Error("the screen is gone");
    };
    for (const onProgress of [throwing, () => Promise.reject(new Error("the screen is gone")) as unknown as void]) {
      expect(await registry.invoke("work", {}, { onProgress })).toMatchObject({ ok: true, content: "done" });
      await settle();
      expect(logged.splice(0)).toEqual([["A progress listener threw.", { error: expect.stringContaining("the screen is gone") }]]);
    }
  });

  it("tells nobody after the call is over", async () => {
    let progress!: CallContext["progress"];
    const registry = registryOf({ hang: (_, context) => ((progress = context.progress), new Promise(() => {})) });
    const told: string[] = [];
    registry.subscribe(({ type }) => void told.push(type));
    const controller = new AbortController();
    const call = registry.invoke("hang", {}, { signal: controller.signal, onProgress: () => void told.push("progress") });
    controller.abort();
    await call;
    progress({ message: "too late" });
    expect(told).toEqual(["call-start", "call-end"]);
  });
});

describe("context.log", () => {
  it("is the registry's own, with all its methods, unless secrets must be kept out of it", async () => {
    const ignore = (): void => undefined;
    const log = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: ignore };
    const seen: unknown[] = [];
    const look: Handler = (_, context) => void seen.push(context.log);
    await registryOf({ look }, { log }).invoke("look", {});
    expect(seen.pop()).toBe(log);
    await registryOf({ look }, { log, secrets: createMemorySecrets({ KEY: "s3cret-value" }) }, { metadata: { secrets: ["KEY"] } }).invoke(
      "look",
      {},
    );
    expect(seen.pop()).not.toBe(log);
    await registryOf({ look, outer: (_, { call }) => call("look", {}) }, { log }).invoke("outer", {});
    expect(seen.pop()).not.toBe(log);
  });
});

describe("context.pathRules", () => {
  it("are those of the policy for this tool, against the workspace; absent where there are none", async () => {
    const root = process.cwd();
    const policy = readPolicyConfig({ tools: { paths: [{ tool: "grep", deny: ["*.key"], parameters: ["path"] }] } });
    const seen: unknown[] = [];
    const look: Handler = (_, { pathRules }) => void seen.push(pathRules?.(`${root}/a.key`, `${root}/a.key`) ?? pathRules);
    for (const options of [{ policy, workspace: { root } }, {}]) {
      const registry = registryOf({ grep: look, list: look }, options);
      for (const name of ["grep", "list"]) await registry.invoke(name, {});
    }
    expect(seen).toEqual([
      expect.stringContaining("The call of `grep` is refused by `*.key` in tools.paths[0]"),
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("context.signal", () => {
  it("is aborted with the caller's reason", async () => {
    let seen: AbortSignal | undefined;
    const registry = registryOf({ hang: (_, { signal }) => ((seen = signal), new Promise(() => {})) });
    const controller = new AbortController();
    const call = registry.invoke("hang", {}, { signal: controller.signal });
    expect(seen!.aborted).toBe(false);
    controller.abort("because");
    expect([seen!.aborted, seen!.reason]).toEqual([true, "because"]);
    expect(await call).toMatchObject({ code: "ABORTED" });
  });

  it("is one signal for the whole call, and never aborts where there is no reason to", async () => {
    const registry = registryOf({
      look: async (_, context) => (await settle(), String(context.signal === context.signal && !context.signal.aborted)),
    });
    expect(await registry.invoke("look", {})).toMatchObject({ content: "true" });
  });

  it("is aborted from the beginning where it is first looked at after the abort", async () => {
    let context!: CallContext;
    const registry = registryOf({ hang: (_, given) => ((context = given), new Promise(() => {})) });
    const controller = new AbortController();
    const call = registry.invoke("hang", {}, { signal: controller.signal });
    controller.abort("because");
    await call;
    expect([context.signal.aborted, context.signal.reason]).toEqual([true, "because"]);
  });

  it("is aborted from the beginning where it is first looked at after the time was over", async () => {
    let context!: CallContext;
    const clock = createFakeClock();
    const registry = registryOf({ hang: (_, given) => ((context = given), new Promise(() => {})) }, { clock });
    const call = registry.invoke("hang", {}, { timeoutMs: 10 });
    await clock.advance(10);
    await call;
    expect(context.signal.aborted).toBe(true);
    expect(context.signal.reason).toMatchObject({ name: "TimeoutError" });
  });

  it("leaves no listener on the caller's signal after any call, also when a handler looks at it too late", async () => {
    const { signal } = new AbortController();
    const contexts: CallContext[] = [];
    const registry = registryOf({
      sync: () => "done",
      looks: (_, context) => (context.signal.throwIfAborted(), "done"),
      waits: async (_, context) => (context.signal.throwIfAborted(), await settle(), "done"),
      fails: async (_, context) => (context.signal.throwIfAborted(), Promise.reject(new Error("no"))),
      late: async (_, context) => (contexts.push(context), await settle(), "done"),
      lateSync: (_, context) => (contexts.push(context), "done"),
    });
    for (const name of ["sync", "looks", "waits", "fails", "late", "lateSync", "nothing"]) {
      await registry.invoke(name, {}, { signal });
      await settle();
      expect(listenersOf(signal), name).toBe(0);
    }
    for (const context of contexts) expect(context.signal.aborted).toBe(false);
    expect(listenersOf(signal)).toBe(0);
  });

  it("serves many calls of one caller at once without a warning, and leaves nothing behind", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on("warning", note);
    const { signal } = new AbortController();
    const registry = registryOf({ waits: async (_, context) => (context.signal.throwIfAborted(), await settle(), "done") });
    await registry.callAll(
      Array.from({ length: 100 }, () => ({ name: "waits", input: {} })),
      { signal },
    );
    await settle();
    process.off("warning", note);
    expect(warnings).toEqual([]);
    expect(listenersOf(signal)).toBe(0);
  });
});

describe("what a handler is given", () => {
  it("may be taken apart", async () => {
    const registry = registryOf(
      {
        apart: async (_, { call, progress, secret, ask, signal, callId, caller, log }) => (
          progress({}),
          log.info("hi"),
          [await call("other", {}), typeof secret, typeof ask, signal.aborted, callId, caller]
        ),
        other: () => "other",
      },
      {},
    );
    expect(await registry.invoke("apart", {}, { callId: "c-1" })).toMatchObject({
      data: [{ ok: true, content: "other" }, "function", "function", false, "c-1", {}],
    });
  });
});
