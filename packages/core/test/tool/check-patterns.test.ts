import { describe, expect, it } from "vitest";
import { createRegistry } from "../../src/registry/create.ts";
import { executeTool } from "../../src/tool/array.ts";
import { defineTool, type ToolDefinition } from "../../src/tool/tool.ts";

const withPattern = (pattern: string, field: "inputSchema" | "outputSchema" = "inputSchema"): ToolDefinition => {
  const schema = { type: "object", properties: { code: { type: "string", pattern } } } as const;
  return defineTool({ name: "order", description: "Orders.", inputSchema: { type: "object" }, handler: () => ({}), [field]: schema });
};

describe("the patterns of a tool", () => {
  it("must be spelt rightly where the tool is defined", () => {
    expect(() => withPattern("[a-")).toThrow(expect.objectContaining({ code: "SCHEMA_INVALID" }));
    expect(() => withPattern("a".repeat(5_000))).toThrow(/5000 characters/);
  });

  it("must run in linear time where it is registered, whichever schema has them", () => {
    for (const pattern of [String.raw`^(a+)\1$`, "(a{500}){500}"]) {
      for (const field of ["inputSchema", "outputSchema"] as const) {
        const registry = createRegistry();
        const message = expect.stringMatching(new RegExp(`^Tool "order", ${field}: .*/properties/code/pattern`));
        expect(() => registry.register(withPattern(pattern, field))).toThrow(expect.objectContaining({ code: "SCHEMA_INVALID", message }));
        expect(registry.count).toBe(0);
      }
    }
  });

  it("leave a tool of a source out alone, with the reason", async () => {
    const registry = createRegistry();
    const fine = defineTool({ name: "fine", description: "Is fine.", inputSchema: { type: "object" }, handler: () => "" });
    const status = await registry.addSource({ id: "shop", list: () => [withPattern(String.raw`(a)\1`), fine] });
    expect(status).toMatchObject({ tools: ["fine"], problems: [expect.stringContaining("order")] });
  });

  it("fail a call of a tool that no registry checked", async () => {
    expect(await executeTool(withPattern(String.raw`(a)\1`), { code: "aa" })).toMatchObject({ ok: false, code: "SCHEMA_INVALID" });
  });
});
