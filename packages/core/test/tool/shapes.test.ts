import { describe, expect, it } from "vitest";
import { executeTool } from "../../src/tool/array.ts";
import type { CallContext } from "../../src/tool/context.ts";
import { wrapLegacyTool } from "../../src/tool/legacy.ts";
import { type AnyTool, readTool } from "../../src/tool/shapes.ts";
import { defineTool } from "../../src/tool/tool.ts";

const parameters = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };

interface Input {
  readonly n: number;
}

describe("every accepted shape of a tool is read as the same kind of value:", () => {
  it.each<[what: string, shape: AnyTool]>([
    ["four fields", { name: "double", description: "Doubles.", inputSchema: parameters, handler: ({ n }) => String(n * 2) }],
    [
      "a class form",
      {
        name: "double",
        description: "Doubles.",
        parametersSchema: parameters,
        execute: (_session: unknown, { n }: Input) => String(n * 2),
      },
    ],
    ["parameters and execute", { name: "double", description: "Doubles.", parameters, execute: ({ n }: Input) => String(n * 2) }],
    [
      "parameters and execute with a call id",
      { name: "double", description: "Doubles.", parameters, execute: (_id: string, { n }: Input) => String(n * 2) },
    ],
    ["a legacy tool", { name: "double", description: "Doubles.", execute: ({ n }: Input) => String(n * 2) }],
  ])("%s", async (_what, shape) => {
    const tool = readTool(shape);
    expect(Object.isFrozen(tool)).toBe(true);
    expect(tool).toMatchObject({ name: "double", description: "Doubles." });
    expect(await executeTool(tool, { n: 21 })).toMatchObject({ ok: true, content: "42" });
  });

  it("a defined tool as itself", () => {
    const tool = defineTool({ name: "t", description: "", inputSchema: {}, handler: () => "" });
    expect(readTool(tool)).toBe(tool);
  });

  it("anything else is refused with the form that is wanted", () => {
    for (const shape of [{}, { name: "t" }, { name: "t", description: "", execute: "run" }, undefined, "t"]) {
      expect(() => readTool(shape as unknown as AnyTool)).toThrow(
        /neither a handler nor an execute function\. Give it \{ name, description, inputSchema, handler \}/,
      );
    }
    expect(() => readTool({ name: "t", description: "", inputSchema: {} } as unknown as AnyTool)).toThrow(
      /Tool "t": "handler" must be a function/,
    );
  });
});

describe("a legacy tool", () => {
  const legacy = { name: "old", description: "From before schemas.", execute: (input: unknown) => ({ success: true, data: input }) };

  it("takes any arguments, and reports its metadata as absent", async () => {
    const tool = wrapLegacyTool(legacy);
    expect(tool).not.toHaveProperty("metadata");
    expect(tool.inputSchema).toEqual({ type: "object" });
    expect(await executeTool(tool, { any: ["thing"] })).toMatchObject({ ok: true, data: { any: ["thing"] } });
    expect(await executeTool(tool, "no object")).toMatchObject({ ok: false, code: "INPUT_INVALID" });
  });

  it("is called as a method of itself", async () => {
    const counting = {
      name: "count",
      description: "",
      count: 0,
      execute(): string {
        return String(++this.count);
      },
    };
    await executeTool(wrapLegacyTool(counting), {});
    expect(counting.count).toBe(1);
  });
});

describe("a tool with parameters and execute", () => {
  it("hears of the call, its signal and where to report progress, if it asks for more than its arguments", async () => {
    const seen: unknown[] = [];
    const tool = readTool({
      name: "t",
      description: "",
      parameters: {},
      label: "A title",
      ownerOnly: true,
      execute: async (callId, input, signal, onUpdate) => {
        seen.push(callId, input, signal.aborted);
        onUpdate("half");
        onUpdate({ done: 5 });
        return { content: [{ type: "text", text: "ok" }], details: { n: 1 } };
      },
    });
    expect(tool).toMatchObject({ title: "A title", metadata: { ownerOnly: true } });
    const updates: unknown[] = [];
    const context = { callId: "call-9", signal: new AbortController().signal, progress: (update: unknown) => updates.push(update) };
    await tool.handler({ a: 1 }, context as unknown as CallContext);
    expect(seen).toEqual(["call-9", { a: 1 }, false]);
    expect(updates).toEqual([{ message: "half" }, { message: '{"done":5}' }]);
    expect(await executeTool(tool, {})).toMatchObject({ ok: true, content: "ok", data: { n: 1 } });
  });
});
