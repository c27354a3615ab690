import { describe, expect, it } from "vitest";
import { createRegistry } from "../../src/registry/create.ts";
import { mockTool } from "../../src/testing/mock-tool.ts";
import { executeTool, exportForApi } from "../../src/tool/array.ts";
import type { ToolResult } from "../../src/tool/result.ts";

const textOf = (result: ToolResult): string => (result.ok ? result.content : result.error);

describe("mockTool", () => {
  it("registers like any tool, answers as told and remembers its calls", async () => {
    const lookup = mockTool("lookup", { result: { products: ["shoe"] } });
    const registry = createRegistry();
    registry.register(lookup);
    const result = await registry.invoke("lookup", { query: "shoes" }, { caller: { agent: "sales" }, callId: "c1" });
    expect(result).toMatchObject({ ok: true, data: { products: ["shoe"] } });
    expect(lookup.calls).toEqual([{ input: { query: "shoes" }, caller: { agent: "sales" }, callId: "c1" }]);
  });

  it("answers with one result after the other, and the last one for good", async () => {
    const tool = mockTool("count", { results: ["one", "two"] });
    const answers: string[] = [];
    for (let call = 0; call < 3; call++) answers.push(textOf(await executeTool(tool, {})));
    expect(answers).toEqual(["one", "two", "two"]);
  });

  it("throws what it is told to throw, runs a handler, or says nothing", async () => {
    expect(textOf(await executeTool(mockTool("a", { error: new Error("It rains.") }), {}))).toBe("It rains.");
    expect(textOf(await executeTool(mockTool("a", { handler: ({ n }) => `${n * 2}` }), { n: 21 }))).toBe("42");
    expect(textOf(await executeTool(mockTool("a"), {}))).toBe("");
  });

  it("checks its input where it has a schema, and then is not called with a wrong one", async () => {
    const tool = mockTool("a", { inputSchema: { type: "object", required: ["id"] }, description: "Takes an id." });
    expect(await executeTool(tool, {})).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    expect(tool.calls).toEqual([]);
    expect(exportForApi([tool])).toEqual([{ name: "a", description: "Takes an id.", input_schema: { type: "object", required: ["id"] } }]);
  });

  it("refuses two ways to answer", () => {
    expect(() => mockTool("a", { result: "x", error: "y" })).toThrow('The mock "a" has result and error.');
  });
});
