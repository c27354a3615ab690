import { describe, expect, it } from "vitest";
import type { ToolEvent } from "../../src/events.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { RegistryOptions } from "../../src/registry/options.ts";
import type { Registry } from "../../src/registry/registry.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import { silentLogger } from "../../src/tool/logger.ts";

/** A registry, and one line for each event that it told: "tool-added a". */
function heardRegistry(options: RegistryOptions = {}): { registry: Registry; heard: string[]; listener: (event: ToolEvent) => void } {
  const registry = createRegistry(options);
  const heard: string[] = [];
  const listener = (event: ToolEvent): void => void heard.push(`${event.type} ${"tool" in event ? event.tool : event.source}`);
  registry.subscribe(listener);
  return { registry, heard, listener };
}

describe("a listener of a registry", () => {
  // row: C7
  it("sees each change once, in order, and none after it left", () => {
    const { registry, heard, listener } = heardRegistry();
    registry.register(fakeTool({ name: "a" }));
    registry.register(fakeTool({ name: "a" }), { onConflict: "keep" });
    registry.register(fakeTool({ name: "a" }), { onConflict: "replace" });
    expect(() => registry.register(fakeTool({ name: "a" }))).toThrow();
    registry.disable("a");
    registry.disable("a");
    registry.enable("a");
    registry.enable("a");
    registry.unregister("a");
    expect(() => registry.unregister("a")).toThrow();
    expect(heard).toEqual(["tool-added a", "tool-changed a", "tool-disabled a", "tool-enabled a", "tool-removed a"]);
    registry.unsubscribe(listener);
    registry.register(fakeTool({ name: "b" }));
    expect(heard).toHaveLength(5);
  });

  it("is told the version and the source of a tool, and one event for each version that goes", () => {
    const registry = createRegistry();
    registry.register(fakeTool({ name: "a", version: "1.0.0" }));
    const events: ToolEvent[] = [];
    registry.subscribe((event) => void events.push(event));
    registry.register(fakeTool({ name: "a", version: "2.0.0" }));
    registry.unregister("a");
    expect(events).toMatchObject([
      { type: "tool-added", tool: "a", version: "2.0.0", source: "code", sequence: 1 },
      { type: "tool-removed", version: "1.0.0", sequence: 2 },
      { type: "tool-removed", version: "2.0.0", sequence: 3 },
    ]);
  });

  it("sees the change when it looks", () => {
    const registry = createRegistry();
    const counts: number[] = [];
    registry.subscribe(() => void counts.push(registry.count));
    registry.register(fakeTool({ name: "a" }));
    registry.unregister("a");
    expect(counts).toEqual([1, 0]);
  });

  // row: C7
  it("may register another tool, which neither deadlocks nor recurses", () => {
    const { registry, heard } = heardRegistry();
    let depth = 0;
    registry.subscribe((event) => {
      depth++;
      expect(depth).toBe(1);
      if (event.type === "tool-added" && event.tool.length < 4) registry.register(fakeTool({ name: `${event.tool}a` }));
      depth--;
    });
    registry.register(fakeTool({ name: "a" }));
    expect(heard).toEqual(["tool-added a", "tool-added aa", "tool-added aaa", "tool-added aaaa"]);
    expect(registry.list().map(({ name }) => name)).toEqual(["a", "aa", "aaa", "aaaa"]);
  });

  it("may take off the very tool it is told of, and make calls", async () => {
    const { registry, heard } = heardRegistry();
    const answers: Promise<unknown>[] = [];
    registry.subscribe((event) => {
      if (event.type !== "tool-added") return;
      answers.push(registry.invoke(event.tool, { text: "first call" }));
      registry.unregister(event.tool);
      answers.push(registry.invoke(event.tool, {}));
    });
    registry.register(fakeTool({ name: "a" }));
    expect(await Promise.all(answers)).toMatchObject([{ ok: true, content: "first call" }, { code: "TOOL_NOT_FOUND" }]);
    expect(heard).toEqual(["tool-added a", "call-start a", "call-end a", "tool-removed a", "call-start a", "call-end a"]);
  });

  it("may throw, reject or leave, and the others hear everything; the log is told", async () => {
    const errors: unknown[] = [];
    const { registry, heard } = heardRegistry({ log: { ...silentLogger, error: (_, fields) => void errors.push(fields) } });
    registry.subscribe(() => {
      throw new Error("at once");
    });
    registry.subscribe(async () => Promise.reject(new Error("later")));
    const leaving = (): void => registry.unsubscribe(leaving);
    registry.subscribe(leaving);
    const last: string[] = [];
    registry.subscribe(({ type }) => void last.push(type));
    registry.register(fakeTool({ name: "a" }));
    expect(await registry.invoke("a", { text: "hi" })).toMatchObject({ ok: true, content: "hi" });
    expect(heard).toEqual(["tool-added a", "call-start a", "call-end a"]);
    expect(last).toEqual(["tool-added", "call-start", "call-end"]);
    await new Promise(setImmediate);
    expect(errors).toHaveLength(6);
    expect(errors).toContainEqual({ event: "call-end", error: "at once" });
    expect(errors).toContainEqual({ event: "call-end", error: "later" });
  });

  it("harms no call, even when the log that is told of it throws", async () => {
    const broken = (): never => {
      throw new Error("no disk");
    };
    const registry = createRegistry({ log: { ...silentLogger, error: broken } });
    registry.subscribe(broken);
    registry.register(fakeTool());
    expect(await registry.invoke("echo", { text: "hi" })).toMatchObject({ ok: true, content: "hi" });
    expect(await registry.invoke("echo", { text: 5 })).toMatchObject({ code: "INPUT_INVALID" });
  });
});

describe("the events of a call", () => {
  it("tell its start, its progress and its end with the result, in one order and under one id", async () => {
    const registry = createRegistry();
    registry.register(
      fakeTool({
        handler: (_, context) => {
          context.progress({ progress: 1, total: 2 });
          context.progress({ progress: 2, total: 2 });
          return "done";
        },
      }),
    );
    const events: ToolEvent[] = [];
    registry.subscribe((event) => void events.push(event));
    const result = await registry.invoke("echo", {}, { callId: "c-1", caller: { agent: "ada" }, trace: { traceparent: "00-1" } });
    const common = { callId: "c-1", tool: "echo", time: expect.any(Number) };
    const who = { caller: { agent: "ada" }, trace: { traceparent: "00-1" } };
    expect(events).toEqual([
      { ...common, type: "call-start", ...who, sequence: 1 },
      { ...common, type: "call-progress", progress: { progress: 1, total: 2 }, sequence: 2 },
      { ...common, type: "call-progress", progress: { progress: 2, total: 2 }, sequence: 3 },
      { ...common, type: "call-end", ...who, result, sequence: 4 },
    ]);
  });

  it("begin and end every call, refused ones included", async () => {
    const { registry, heard } = heardRegistry();
    registry.register(fakeTool({ metadata: { ownerOnly: true } }));
    await registry.invoke("echo", {});
    await registry.invoke("nothing", {});
    await registry.invoke("echo", { text: 5 }, { caller: { owner: true } });
    expect(heard.slice(1)).toEqual([
      "call-start echo",
      "call-end echo",
      "call-start nothing",
      "call-end nothing",
      "call-start echo",
      "call-end echo",
    ]);
  });
});
