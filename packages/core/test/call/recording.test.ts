import { describe, expect, it } from "vitest";
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
