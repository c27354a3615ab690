import { describe, expect, it } from "vitest";
import { createMemoryRecorder } from "../../src/call/ports/recorder.ts";
import type { ResultForUser, UserChannel } from "../../src/call/ports/user-channel.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { RegistryOptions } from "../../src/registry/options.ts";
import type { Deliver } from "../../src/tool/deliver.ts";
import { defineTool, type ToolDefinition } from "../../src/tool/tool.ts";

let runs = 0;
const report = (deliver?: Deliver): ToolDefinition =>
  defineTool({
    name: "report",
    description: "Makes a report.",
    inputSchema: { type: "object", properties: { fail: { type: "boolean" } } },
    handler: ({ fail }: { fail?: boolean }) => {
      runs += 1;
      if (fail) throw new Error("No paper.");
      return { pages: 3, text: "the whole report" };
    },
    ...(deliver && { metadata: { deliver } }),
  });

function open(tool: ToolDefinition, options: RegistryOptions = {}) {
  const shown: ResultForUser[] = [];
  const userChannel: UserChannel = { show: (one) => void shown.push(one) };
  const recorder = createMemoryRecorder();
  const registry = createRegistry({ recorder, userChannel, ...options });
  registry.register(tool);
  return { registry, shown, recorder };
}

const caller = { agent: "writer", session: "s1" };
const whole = { pages: 3, text: "the whole report" };

describe("the result of a call", () => {
  // row: F25
  it("goes to the user's channel and not to the model, which gets a receipt, if it is for the user", async () => {
    const { registry, shown, recorder } = open(report("user"));
    const result = await registry.invoke("report", {}, { caller });
    expect(result).toMatchObject({ ok: true, content: "Shown to the user.", meta: { tool: "report" } });
    expect(JSON.stringify(result)).not.toContain("whole report");
    expect(shown).toMatchObject([{ callId: result.meta.callId, tool: "report", caller, result: { ok: true, data: whole } }]);
    expect(recorder.calls).toMatchObject([{ deliver: "user", result: { data: whole } }]);
  });

  it("goes to both, to nobody, or to the model alone, as the tool says", async () => {
    const both = open(report("both"));
    expect(await both.registry.invoke("report", {})).toMatchObject({ data: whole });
    expect(both.shown).toHaveLength(1);
    const none = open(report("none"));
    const nothing = await none.registry.invoke("report", {});
    expect(nothing).toEqual({ ok: true, content: "Done.", meta: nothing.meta });
    expect(none.shown).toHaveLength(0);
    expect(none.recorder.calls).toMatchObject([{ deliver: "none", result: { data: whole } }]);
    const model = open(report());
    expect(await model.registry.invoke("report", {})).toMatchObject({ data: whole });
    expect(model.shown).toHaveLength(0);
    expect(model.recorder.calls[0]!.deliver).toBeUndefined();
  });

  it("goes where the call says, whatever the tool says", async () => {
    const plain = open(report());
    expect(await plain.registry.invoke("report", {}, { deliver: "user" })).toMatchObject({ content: "Shown to the user." });
    expect(plain.shown).toHaveLength(1);
    const forUser = open(report("user"));
    expect(await forUser.registry.invoke("report", {}, { deliver: "model" })).toMatchObject({ data: whole });
    expect(forUser.shown).toHaveLength(0);
  });

  it("goes to the model if it is a failure", async () => {
    const { registry, shown } = open(report("user"));
    expect(await registry.invoke("report", { fail: true })).toMatchObject({ ok: false, error: expect.stringContaining("No paper.") });
    expect(shown).toHaveLength(0);
  });

  it("is a receipt for a tool that calls the tool, too", async () => {
    const { registry, shown } = open(report("user"));
    registry.register(
      defineTool({
        name: "copy",
        description: "Returns what the report says.",
        inputSchema: { type: "object" },
        handler: async (_, { call }) => call("report", {}),
      }),
    );
    expect(await registry.invoke("copy", {})).toMatchObject({ ok: true, content: "Shown to the user." });
    expect(shown).toHaveLength(1);
  });

  it("is shown once for an idempotency key", async () => {
    const { registry, shown } = open(report("user"));
    const first = await registry.invoke("report", {}, { idempotencyKey: "k" });
    expect(await registry.invoke("report", {}, { idempotencyKey: "k" })).toEqual(first);
    expect(shown).toHaveLength(1);
  });
});

describe("a result for the user", () => {
  it("is refused before the tool runs where nobody would see it", async () => {
    const registry = createRegistry();
    registry.register(report("user"));
    const before = runs;
    const refused = await registry.invoke("report", {});
    expect(refused).toMatchObject({ ok: false, code: "CONFIG_INVALID", error: expect.stringContaining("userChannel") });
    expect(runs).toBe(before);
    expect(await registry.invoke("report", {}, { deliver: "none" })).toMatchObject({ ok: true, content: "Done." });
  });

  it("is not called shown if the channel fails, and still does not reach the model", async () => {
    const userChannel: UserChannel = { show: () => Promise.reject(new Error("The line is cut.")) };
    const { registry } = open(report("user"), { userChannel });
    const result = await registry.invoke("report", {});
    expect(result).toMatchObject({ ok: true, content: expect.stringContaining("could not be shown to the user") });
    expect(JSON.stringify(result)).not.toMatch(/whole report|line is cut/);
    const both = open(report("both"), { userChannel });
    const kept = await both.registry.invoke("report", {});
    expect(kept).toMatchObject({ data: whole, meta: { warnings: [expect.stringContaining("could not be shown")] } });
  });

  it("is named where the option or the metadata is wrong", async () => {
    const { registry } = open(report());
    const wrong = await registry.invoke("report", {}, { deliver: "me" as Deliver });
    expect(wrong).toMatchObject({ ok: false, code: "CONFIG_INVALID", error: expect.stringContaining("deliver") });
    expect(() => report("me" as Deliver)).toThrow(/deliver/);
  });
});
