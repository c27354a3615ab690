import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { executeTool } from "../../src/tool/array.ts";
import { changeTool, defineTool, isDefinedTool, type ToolDefinition } from "../../src/tool/tool.ts";

const echo = {
  name: "echo",
  description: "Says the text again.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  handler: ({ text }: { text: string }) => text,
} as const;

/** `defineTool` as someone calls it who has no types. */
const define = defineTool as (draft: unknown) => ToolDefinition;

describe("defineTool", () => {
  // row: A1
  it("needs four fields and nothing else", async () => {
    const tool = defineTool(echo);
    expect(Object.keys(tool)).toEqual(["name", "description", "inputSchema", "handler"]);
    expect(await executeTool(tool, { text: "hello" })).toMatchObject({ ok: true, content: "hello" });
  });

  it("keeps title, version and the schema of the output beside them", () => {
    const outputSchema = { type: "object", properties: { length: { type: "integer" } } };
    const tool = defineTool({ ...echo, title: "Echo", version: "1.2.3-beta.1+build", outputSchema });
    expect(tool).toMatchObject({ title: "Echo", version: "1.2.3-beta.1+build", outputSchema });
  });

  it("returns a tool that it has defined before as it is", () => {
    const tool = defineTool(echo);
    expect(defineTool(tool)).toBe(tool);
    expect(isDefinedTool(tool)).toBe(true);
    expect(isDefinedTool({ ...tool })).toBe(false);
  });

  it.each<[what: string, draft: unknown, code: string, message: RegExp]>([
    ["no object", undefined, "DEFINITION_INVALID", /A tool has no handler\. Write \{ name, description, inputSchema, handler \}/],
    ["no name", { ...echo, name: undefined }, "NAME_INVALID", /Use 1 to 128/],
    ["a name with a blank", { ...echo, name: "say it" }, "NAME_INVALID", /"say it" cannot name a tool/],
    ["a name that is too long", { ...echo, name: "x".repeat(129) }, "NAME_INVALID", /cannot name a tool/],
    ["no description", { ...echo, description: undefined }, "DEFINITION_INVALID", /Tool "echo": "description" must be a text/],
    ["no handler", { ...echo, handler: "echo" }, "DEFINITION_INVALID", /Tool "echo": "handler" must be a function/],
    ["no text for a title", { ...echo, title: 5 }, "DEFINITION_INVALID", /Tool "echo": "title" must be a text/],
    ["no semantic version", { ...echo, version: "1.0" }, "DEFINITION_INVALID", /Tool "echo": "version" .* such as "1\.0\.0", not "1\.0"/],
    [
      "no schema",
      { ...echo, inputSchema: undefined },
      "DEFINITION_INVALID",
      /Tool "echo": inputSchema must be a JSON Schema of type "object", .* not undefined/,
    ],
    [
      "a schema of a list",
      { ...echo, inputSchema: { type: "array" } },
      "DEFINITION_INVALID",
      /inputSchema must be a JSON Schema of type "object", such as .*, not "array"/,
    ],
    [
      "a wrong keyword",
      { ...echo, inputSchema: { required: "text" } },
      "SCHEMA_INVALID",
      /Tool "echo", inputSchema: .*"\/required".*list of texts/,
    ],
    ["a wrong output schema", { ...echo, outputSchema: { type: "text" } }, "SCHEMA_INVALID", /Tool "echo", outputSchema: .*"\/type"/],
    [
      "unknown metadata",
      { ...echo, metadata: { catgory: "code" } },
      "DEFINITION_INVALID",
      /metadata\.catgory".*Did you mean "metadata\.category"/,
    ],
  ])("refuses a tool with %s, naming the tool, the field and the fix", (_what, draft, code, message) => {
    expect(() => define(draft)).toThrow(expect.objectContaining({ name: "ToolError", code, message: expect.stringMatching(message) }));
  });

  it("allows input schemas that say nothing about the type, or several things", () => {
    expect(define({ ...echo, inputSchema: {} }).inputSchema).toEqual({});
    expect(define({ ...echo, inputSchema: { type: ["object", "null"] } }).inputSchema).toEqual({ type: ["object", "null"] });
  });
});

describe("a defined tool", () => {
  // row: A5
  it("cannot be changed", () => {
    const tool = defineTool({ ...echo, metadata: { tags: ["a"], examples: [{ description: "e", input: { text: "x" } }] } }) as unknown as {
      name: string;
      inputSchema: { properties: { text: { type: string } } };
      metadata: { tags: string[]; examples: { input: { text: string } }[] };
    };
    expect(() => (tool.name = "other")).toThrow(TypeError);
    expect(() => (tool.inputSchema.properties.text.type = "number")).toThrow(TypeError);
    expect(() => tool.metadata.tags.push("b")).toThrow(TypeError);
    expect(() => (tool.metadata.examples[0]!.input.text = "y")).toThrow(TypeError);
    expect(() => Object.assign(tool, { extra: 1 })).toThrow(TypeError);
  });

  it("does not follow later changes of what it was made from, and does not freeze it", () => {
    const inputSchema = { type: "object", properties: { text: { type: "string" } } };
    const metadata = { tags: ["a"] };
    const tool = define({ ...echo, inputSchema, metadata });
    inputSchema.properties.text.type = "number";
    metadata.tags.push("b");
    expect(tool.inputSchema).toEqual({ type: "object", properties: { text: { type: "string" } } });
    expect(tool.metadata).toEqual({ tags: ["a"] });
  });

  // row: A5
  it("is frozen throughout, whatever its schema and metadata hold", () => {
    const json = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), json, (annotations, output) => {
        const inputSchema = { type: "object", default: annotations, "x-annotations": annotations };
        const metadata = { examples: [{ description: "e", input: annotations, output }], configSchema: { default: output } };
        const tool = define({ ...echo, inputSchema, metadata });
        expect(looseParts(tool)).toEqual([]);
        expect(JSON.stringify(tool.inputSchema)).toBe(JSON.stringify(inputSchema));
      }),
    );
  });

  it("can be copied with another handler, and is then as defined as before", async () => {
    const tool = defineTool(echo);
    const loud = changeTool(tool, { handler: ({ text }: { text: string }) => text.toUpperCase() });
    expect(isDefinedTool(loud) && Object.isFrozen(loud)).toBe(true);
    expect(await executeTool(loud, { text: "hello" })).toMatchObject({ content: "HELLO" });
    expect(await executeTool(tool, { text: "hello" })).toMatchObject({ content: "hello" });
  });
});

function looseParts(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, part]) => looseParts(part, `${path}/${key}`));
  return Object.isFrozen(value) ? inner : [path, ...inner];
}
