import { describe, expect, it } from "vitest";
import { createRegistry } from "../../src/registry/create.ts";
import { executeTool } from "../../src/tool/array.ts";
import { type AnyTool, readTool } from "../../src/tool/shapes.ts";

const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const read = (shape: object): ReturnType<typeof readTool> => readTool(shape as AnyTool);

describe("a tool whose fields are in snake_case, as JSON of other systems has them,", () => {
  it("is read with its schemas and its metadata", async () => {
    const tool = read({
      name: "double",
      description: "Doubles.",
      input_schema: schema,
      output_schema: { type: "string" },
      metadata: { usage_hint: "For twice as much.", requires_capabilities: ["git"], config_schema: { type: "object" } },
      handler: ({ n }: { n: number }) => String(n * 2),
    });
    expect(tool).toMatchObject({
      inputSchema: schema,
      outputSchema: { type: "string" },
      metadata: { usageHint: "For twice as much.", requiresCapabilities: ["git"], configSchema: { type: "object" } },
    });
    expect(Object.keys(tool)).not.toContain("input_schema");
    expect(await executeTool(tool, { n: "no" })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
  });

  it("can be registered as it is, for the compiler too", async () => {
    const registry = createRegistry();
    registry.register({ name: "double", description: "Doubles.", input_schema: schema, handler: ({ n }) => String(n * 2) });
    expect(await registry.invoke("double", { n: 4 })).toMatchObject({ ok: true, content: "8" });
  });

  it("may be an instance of a class with parameters_schema, which keeps its own state", async () => {
    class Counter {
      #count = 0;
      readonly name = "count";
      get description(): string {
        return "Counts.";
      }
      readonly parameters_schema = schema;
      execute(_session: unknown, { n }: { n: number }): string {
        this.#count += n;
        return String(this.#count);
      }
    }
    const registry = createRegistry();
    registry.register(new Counter() as unknown as AnyTool);
    await registry.invoke("count", { n: 2 });
    expect(await registry.invoke("count", { n: 3 })).toMatchObject({ ok: true, content: "5" });
    expect(await registry.invoke("count", {})).toMatchObject({ ok: false, code: "INPUT_INVALID" });
  });

  it("is refused where a field is there in both spellings", () => {
    const both = { name: "t", description: "", inputSchema: schema, input_schema: {}, handler: () => "" };
    expect(() => read(both)).toThrow('Tool "t" has the unknown field "input_schema". Did you mean "inputSchema"?');
    const metadata = { usageHint: "a", usage_hint: "b" };
    expect(() => read({ name: "t", description: "", inputSchema: schema, metadata, handler: () => "" })).toThrow(
      'Tool "t" has the unknown field "metadata.usage_hint". Did you mean "metadata.usageHint"?',
    );
  });

  it("leaves the names of parameters and values as they are", () => {
    const input_schema = { type: "object", properties: { usage_hint: { type: "string", default: "input_schema" } } };
    expect(read({ name: "t", description: "", input_schema, handler: () => "" }).inputSchema).toEqual(input_schema);
  });
});

describe("a tool with execute and no schema", () => {
  it("keeps the metadata that it declares", () => {
    const metadata = { category: "code", usage_hint: "Rarely." };
    expect(read({ name: "old", description: "", execute: () => "", metadata }).metadata).toEqual({
      category: "code",
      usageHint: "Rarely.",
    });
  });
});
