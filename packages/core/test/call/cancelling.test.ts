import { spawn } from "node:child_process";
import { getEventListeners, once } from "node:events";
import { isAlive } from "@toolrack/testkit/processes";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { createMemoryRecorder } from "../../src/call/ports/recorder.ts";
import { ToolError } from "../../src/errors.ts";
import { createRegistry } from "../../src/registry/create.ts";
import { createFakeClock, settle } from "../../src/testing/fake-clock.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import type { CallContext } from "../../src/tool/context.ts";

const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

const untilGone = (pid: number): Promise<void> => until(() => !isAlive(pid), `Process ${pid} did not end.`);

describe("cancelling a call", () => {
  // row: F5
  it("ends a long tool at once, and its child process is gone", async () => {
    let started!: (pid: number) => void;
    const pid = new Promise<number>((resolve) => (started = resolve));
    const registry = createRegistry();
    registry.register(
      fakeTool({
        name: "exec",
        handler: async (_, { signal }) => {
          const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { signal, stdio: "ignore" });
          child.on("error", () => {}); // told of the abort; the result says so, too
          await once(child, "spawn");
          started(child.pid!);
          await once(child, "exit");
          return "never";
        },
      }),
    );
    const controller = new AbortController();
    const call = registry.invoke("exec", {}, { signal: controller.signal });
    const child = await pid;
    expect(isAlive(child)).toBe(true);
    controller.abort();
    expect(await call).toMatchObject({ ok: false, code: "ABORTED", status: 499 });
    await untilGone(child);
    await settle();
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  // row: F11
  it("ends an endless tool when its time is over, and its child process is gone", async () => {
    let pid = 0;
    const registry = createRegistry();
    registry.register(
      fakeTool({
        name: "exec",
        metadata: { limits: { timeoutMs: 100 } },
        handler: (_, { signal }) =>
          new Promise(() => {
            const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { signal, stdio: "ignore" });
            child.on("error", () => {});
            pid = child.pid!;
          }),
      }),
    );
    expect(await registry.invoke("exec", {})).toMatchObject({ ok: false, code: "TIMEOUT", status: 504 });
    await untilGone(pid);
  });

  it("ends at once a tool that does not listen, and ignores what it does later", async () => {
    const registry = createRegistry();
    let finish!: (value: unknown) => void;
    registry.register(fakeTool({ handler: () => new Promise((resolve) => (finish = resolve)) }));
    const ended: string[] = [];
    registry.subscribe((event) => void (event.type === "call-end" && ended.push(event.result.ok ? "ok" : event.result.code)));
    const controller = new AbortController();
    const call = registry.invoke("echo", {}, { signal: controller.signal });
    controller.abort();
    expect(await call).toMatchObject({ code: "ABORTED" });
    finish("too late");
    await settle();
    expect(ended).toEqual(["ABORTED"]);
  });

  it("takes a handler that rejects after the end for no concern of anybody", async () => {
    const rejections: unknown[] = [];
    const note = (reason: unknown): void => void rejections.push(reason);
    process.on("unhandledRejection", note);
    const registry = createRegistry();
    let fail!: (error: Error) => void;
    registry.register(fakeTool({ handler: () => new Promise((_, reject) => (fail = reject)) }));
    const controller = new AbortController();
    const call = registry.invoke("echo", {}, { signal: controller.signal });
    controller.abort();
    await call;
    fail(new Error("too late"));
    await settle();
    process.off("unhandledRejection", note);
    expect(rejections).toEqual([]);
  });

  it("before it began starts nothing", async () => {
    const registry = createRegistry();
    registry.register(fakeTool({ handler: () => expect.unreachable() }));
    expect(await registry.invoke("echo", {}, { signal: AbortSignal.abort() })).toMatchObject({ code: "ABORTED" });
  });

  it("also ends the wait for a hook, a queue or another attempt", async () => {
    const clock = createFakeClock();
    const failing = { name: "busy", handler: () => ({ ok: false, error: "Busy.", retryable: true }) };
    const hooked = createRegistry({ clock, hooks: { before: [() => new Promise(() => {})] } });
    hooked.register(fakeTool());
    const retried = createRegistry({ clock, limits: { retry: { attempts: 5, backoffMs: 60_000 } } });
    retried.register(fakeTool(failing));
    const queued = createRegistry({ clock, limits: { concurrency: 1 } });
    queued.register(fakeTool({ name: "slow", handler: () => new Promise(() => {}) }));
    void queued.invoke("slow", {}, { timeoutMs: false });
    for (const [registry, name] of [
      [hooked, "echo"],
      [retried, "busy"],
      [queued, "slow"],
    ] as const) {
      const controller = new AbortController();
      const call = registry.invoke(name, {}, { signal: controller.signal });
      await settle();
      controller.abort();
      expect(await call, name).toMatchObject({ code: "ABORTED" });
      await settle();
      expect(getEventListeners(controller.signal, "abort"), name).toEqual([]);
    }
    expect(clock.pending).toBe(0);
  });
});

describe("why a call was cancelled", () => {
  const shutDown = (): ToolError => new ToolError("ABORTED", "The server shut down before the call ended.", { retryAfterMs: 1_000 });
  const hanging = (annotations: Readonly<Record<string, boolean>>) =>
    fakeTool({ metadata: { annotations }, handler: () => new Promise(() => {}) });

  /** What a call answers that is cancelled for this reason while its handler runs. */
  async function cancelled(reason: unknown, annotations: Readonly<Record<string, boolean>> = {}): Promise<unknown> {
    const registry = createRegistry();
    registry.register(hanging(annotations));
    const controller = new AbortController();
    const call = registry.invoke("echo", {}, { signal: controller.signal });
    await settle();
    controller.abort(reason);
    return call;
  }

  it("RC2: is what the error says that it was cancelled with, and not that its caller did it", async () => {
    expect(await cancelled(shutDown())).toMatchObject({ code: "ABORTED", error: "The server shut down before the call ended." });
    const late = new ToolError("TIMEOUT", "The session is over.");
    expect(await cancelled(late)).toMatchObject({ code: "TIMEOUT", status: 504, error: "The session is over." });
  });

  it("RC2: is said in the words of any other reason; without one, its caller cancelled it", async () => {
    expect(await cancelled(new DOMException("The API key was revoked.", "AbortError"))).toMatchObject({
      code: "ABORTED",
      retryable: false,
      error: 'The call of tool "echo" was cancelled: The API key was revoked.',
    });
    expect(await cancelled("no longer needed")).toMatchObject({ error: 'The call of tool "echo" was cancelled: no longer needed' });
    expect(await cancelled(undefined)).toMatchObject({ error: 'The call of tool "echo" was cancelled by its caller.' });
    expect(await cancelled(null)).toMatchObject({ error: 'The call of tool "echo" was cancelled by its caller.' });
    const hostile = Object.defineProperty(new Error("x"), "message", { get: () => expect.unreachable("read twice") as never });
    expect(await cancelled(hostile)).toMatchObject({ code: "ABORTED" });
    const long = (await cancelled(new Error("x".repeat(100_000)))) as { readonly error: string };
    expect(long.error.length).toBeLessThan(1_000);
  });

  it("RC2: lets a call be made again where that does no harm: by annotation, or because its handler had not begun", async () => {
    expect(await cancelled(shutDown(), { readOnly: true })).toMatchObject({ retryable: true, retryAfterMs: 1_000 });
    expect(await cancelled(shutDown(), { idempotent: true })).toMatchObject({ retryable: true, retryAfterMs: 1_000 });
    const harmful = await cancelled(shutDown());
    expect(harmful).toMatchObject({ retryable: false });
    expect(harmful).not.toHaveProperty("retryAfterMs");

    const before = createRegistry();
    before.register(hanging({}));
    expect(await before.invoke("echo", {}, { signal: AbortSignal.abort(shutDown()) })).toMatchObject({ retryable: true });
    const queued = createRegistry({ limits: { concurrency: 1 } });
    queued.register(hanging({}));
    const controller = new AbortController();
    void queued.invoke("echo", {});
    const second = queued.invoke("echo", {}, { signal: controller.signal });
    await settle();
    controller.abort(shutDown());
    expect(await second).toMatchObject({ code: "ABORTED", retryable: true, error: "The server shut down before the call ended." });
  });

  it("RC2: goes on to the calls that a tool makes, and into the record of each", async () => {
    const recorder = createMemoryRecorder();
    const registry = createRegistry({ recorder });
    registry.register(hanging({}));
    registry.register(fakeTool({ name: "outer", handler: (_, { call }) => call("echo", {}) }));
    const controller = new AbortController();
    const call = registry.invoke("outer", {}, { signal: controller.signal });
    await settle();
    controller.abort(shutDown());
    await call;
    await settle();
    expect(recorder.calls.map(({ tool, result }) => [tool, !result.ok && result.error]).sort()).toEqual([
      ["echo", "The server shut down before the call ended."],
      ["outer", "The server shut down before the call ended."],
    ]);
  });
});

describe("the time limit of a call", () => {
  const hanging = (handler?: (input: unknown, context: CallContext) => unknown) =>
    fakeTool({ name: "hang", handler: handler ?? (() => new Promise(() => {})) });

  it("is the call's, else the tool's, else the registry's", async () => {
    const clock = createFakeClock();
    const registry = createRegistry({ clock, limits: { timeoutMs: 300 } });
    registry.register(hanging());
    registry.register(fakeTool({ name: "own", handler: () => new Promise(() => {}), metadata: { limits: { timeoutMs: 200 } } }));
    const durations: number[] = [];
    for (const [name, timeoutMs] of [
      ["hang", undefined],
      ["own", undefined],
      ["own", 100],
      ["own", 0],
    ] as const) {
      const call = registry.invoke(name, {}, { ...(timeoutMs !== undefined && { timeoutMs }) });
      await clock.advance(1_000);
      const result = await call;
      expect(result).toMatchObject({ code: "TIMEOUT", retryable: true });
      durations.push(result.meta.durationMs);
    }
    expect(durations).toEqual([300, 200, 100, 0]);
    expect(clock.pending).toBe(0);
  });

  it("shares one timer among a thousand calls, and leaves none behind", async () => {
    const clock = createFakeClock();
    const registry = createRegistry({ clock });
    registry.register(hanging((_, { callId }) => (callId.startsWith("quick") ? settle().then(() => "done") : new Promise(() => {}))));
    const quick = Array.from({ length: 500 }, (_, index) =>
      registry.invoke("hang", {}, { callId: `quick-${index}`, timeoutMs: 100 + (index % 3) }),
    );
    const slow = Array.from({ length: 500 }, (_, index) => registry.invoke("hang", {}, { timeoutMs: 100 + (index % 3) }));
    expect(clock.pending).toBe(1);
    for (const result of await Promise.all(quick)) expect(result.ok).toBe(true);
    await clock.advance(102);
    for (const result of await Promise.all(slow)) expect(result).toMatchObject({ code: "TIMEOUT" });
    expect(clock.pending).toBe(0);
  });

  it("leaves no timer that would keep the process alive, whether calls are done in time or not", async () => {
    // Twenty registries have twenty timers, so that the few that the test runner starts meanwhile do not matter.
    const before = timers();
    const registries = Array.from({ length: 20 }, () => createRegistry());
    const quick: Promise<unknown>[] = [];
    const slow: Promise<unknown>[] = [];
    for (const registry of registries) {
      registry.register(hanging());
      registry.register(fakeTool({ handler: async () => (await settle(), "done") }));
      quick.push(registry.invoke("echo", {}, { timeoutMs: 60_000 }));
    }
    expect(timers()).toBeGreaterThanOrEqual(before + 10);
    await Promise.all(quick);
    await settle();
    expect(timers()).toBeLessThan(before + 10);
    for (const registry of registries) slow.push(registry.invoke("hang", {}, { timeoutMs: 20 }));
    expect(timers()).toBeGreaterThanOrEqual(before + 10);
    expect(await Promise.all(slow)).toMatchObject(slow.map(() => ({ code: "TIMEOUT" })));
    await settle();
    expect(timers()).toBeLessThan(before + 10);
  });
});
