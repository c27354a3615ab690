import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/errors.ts";
import { createMemoryRecorder, type Recorder } from "../../src/call/ports/recorder.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { RegistryOptions } from "../../src/registry/options.ts";
import type { Registry } from "../../src/registry/registry.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import type { ToolDefinition } from "../../src/tool/tool.ts";

/** A registry with one tool. */
function registryWith(tool: Partial<ToolDefinition>, options: RegistryOptions = {}): Registry {
  const registry = createRegistry(options);
  registry.register(fakeTool(tool));
  return registry;
}

describe("the recorder", () => {
  it("gets every call, refused ones included, with what was asked, by whom, when and what came of it", async () => {
    const recorder = createMemoryRecorder();
    const clock = createFakeClock(7_000);
    const registry = registryWith({ metadata: { ownerOnly: true } }, { recorder, clock });
    const caller = { owner: true, agent: "ada" };
    const done = await registry.invoke("Echo", { text: "hi" }, { caller, callId: "c-1" });
    const outcomes = [
      done,
      await registry.invoke("nothing", { a: 1 }),
      await registry.invoke("echo", {}),
      await registry.invoke("echo", { text: 5 }, { caller }),
    ];
    expect(recorder.calls).toHaveLength(4);
    expect(recorder.calls[0]).toEqual({ callId: "c-1", tool: "echo", input: { text: "hi" }, caller, startedAt: 7_000, result: done });
    expect(recorder.calls.map(({ result }) => result)).toEqual(outcomes);
    expect(recorder.calls.map(({ tool, input }) => [tool, input])).toEqual([
      ["echo", { text: "hi" }],
      ["nothing", { a: 1 }],
      ["echo", {}],
      ["echo", { text: 5 }],
    ]);
  });

  it("that throws or rejects is a warning, and the outcome stands", async () => {
    const throwing: Recorder = {
      record: () => {
        throw new Error("no disk");
      },
    };
    for (const recorder of [throwing, { record: () => Promise.reject(new Error("no disk")) }]) {
      const registry = registryWith({}, { recorder });
      expect(await registry.invoke("echo", { text: "hi" })).toMatchObject({
        ok: true,
        content: "hi",
        meta: { warnings: ["The call was not recorded: no disk"] },
      });
      expect(await registry.invoke("echo", { text: 5 })).toMatchObject({
        code: "INPUT_INVALID",
        meta: { warnings: ["The call was not recorded: no disk"] },
      });
    }
  });

  it("gets a call whose steps failed, too", async () => {
    const recorder = createMemoryRecorder();
    const registry = registryWith({}, { recorder, config: { get: () => Promise.reject(new Error("no database")) } });
    await registry.invoke("echo", {});
    expect(recorder.calls).toMatchObject([{ tool: "echo", result: { code: "TOOL_FAILED" } }]);
  });
});

describe("a recorder that wants to know of calls before they run", () => {
  const config = { get: () => ({ text: "secret:key" }) };
  const secrets = { has: () => true, get: () => Promise.resolve("s3cret-value") };
  const tool: Partial<ToolDefinition> = { metadata: { secrets: ["key"] } };

  it("is told and waited for once a call was permitted and checked, and sees references in the place of secrets", async () => {
    const told: unknown[] = [];
    const recorder: Recorder = {
      begin: async (call) => {
        await Promise.resolve();
        told.push(call);
      },
      record: ({ callId }) => void told.push(`end of ${callId}`),
    };
    const registry = registryWith(
      { ...tool, handler: ({ text }: { text: string }) => (told.push(`handler with ${text.length}`), "done") },
      { recorder, config, secrets, clock: createFakeClock(7_000) },
    );
    await registry.invoke("echo", { text: 5 }, { callId: "wrong" });
    await registry.invoke("echo", {}, { callId: "right", caller: { agent: "ada" } });
    expect(told).toEqual([
      "end of wrong",
      { callId: "right", tool: "echo", input: { text: "secret:key" }, caller: { agent: "ada" }, startedAt: 7_000 },
      "handler with 12",
      "end of right",
    ]);
  });

  it("does not keep a call from running when it fails, at once or later", async () => {
    const now = (): never => {
      throw new Error("full");
    };
    for (const begin of [now, () => Promise.reject(new Error("full"))]) {
      const result = await registryWith({}, { recorder: { begin, record: () => undefined } }).invoke("echo", { text: "hi" });
      expect(result).toMatchObject({ ok: true, content: "hi", meta: { warnings: ["The start of the call was not recorded: full"] } });
    }
  });
});

describe("the record of a call that threw", () => {
  it("says where, and where its cause threw, without their messages; the result does not", async () => {
    const recorder = createMemoryRecorder();
    const registry = createRegistry({ recorder });
    const failing = function lookUp(): never {
      throw new RangeError("boom 4711\n    at forged (4711)", { cause: Object.assign(new Error("cause 4711"), { code: "ECONNREFUSED" }) });
    };
    registry.register(fakeTool({ handler: failing }));
    registry.register(fakeTool({ name: "later", handler: async () => failing() }));
    registry.register(fakeTool({ name: "odd", handler: () => Promise.reject("a text") }));
    for (const name of ["echo", "later"]) {
      const result = await registry.invoke(name, {});
      expect(result).not.toHaveProperty("stack");
      expect(JSON.stringify(result)).not.toContain("recording.test");
    }
    for (const { stack } of recorder.calls) {
      expect(stack).toMatch(/^RangeError\n {4}at .*lookUp .*recording\.test\.ts/);
      expect(stack).toMatch(/\ncaused by Error ECONNREFUSED\n {4}at /);
      expect(stack).not.toContain("4711");
    }
    await registry.invoke("odd", {});
    expect(recorder.calls[2]).not.toHaveProperty("stack");
  });

  it("says nothing of an attempt that a later one made good", async () => {
    const recorder = createMemoryRecorder();
    const registry = createRegistry({ recorder, limits: { retry: { attempts: 2, backoffMs: 1 } } });
    let tries = 0;
    registry.register(
      fakeTool({
        metadata: { annotations: { idempotent: true } },
        handler: () => {
          tries += 1;
          if (tries === 1) throw new ToolError("TOOL_FAILED", "once", { retryable: true });
          return "done";
        },
      }),
    );
    expect(await registry.invoke("echo", {})).toMatchObject({ ok: true });
    expect(tries).toBe(2);
    expect(recorder.calls[0]).not.toHaveProperty("stack");
  });
});
