import { describe, expect, it } from "vitest";
import { z } from "zod";
import { providerTargets } from "../../src/providers/providers.ts";
import { exportDeferred } from "../../src/providers/wire/deferred.ts";
import { exportTools } from "../../src/providers/wire/export.ts";
import { exportForApi } from "../../src/tool/array.ts";
import { defineTool, type ToolDefinition } from "../../src/tool/tool.ts";

const read = defineTool({ name: "read", description: "Reads.", inputSchema: { type: "object" }, handler: () => "text" });
const listOf = (...items: unknown[]): ToolDefinition[] => items as ToolDefinition[];
const exporters: readonly (readonly [string, (tools: readonly ToolDefinition[]) => unknown])[] = [
  ["exportForApi", (tools) => exportForApi(tools)],
  ["exportTools", (tools) => exportTools(tools, "anthropic")],
];

describe.each(exporters)("%s", (name, run) => {
  it.each([
    ["an empty object", {}, "has no name", "defineTool({ name, description, inputSchema, handler })"],
    ["nothing", undefined, "is undefined", "defineTool("],
    ["a text", "read", "is text", "defineTool("],
    ["a tool of OpenAI Chat", { type: "function", function: { name: "a", parameters: {} } }, "format of OpenAI", "fromOpenAITools"],
    ["a tool of OpenAI Responses", { type: "function", name: "a", parameters: {} }, "format of OpenAI", "fromOpenAITools"],
    ["a tool of Anthropic", { name: "a", description: "A.", input_schema: { type: "object" } }, '"a" has no inputSchema', "defineTool("],
    ["a tool of the AI SDK", { description: "A.", inputSchema: {}, execute: (): number => 1 }, "format of the AI SDK", "fromAiSdk"],
    ["a tool of LangChain", { name: "a", description: "A.", schema: {}, invoke: (): number => 1 }, "format of LangChain", "fromLangChain"],
    ["a list of tools", [read], "is a list", "defineTool("],
    [
      "a tool with execute",
      { name: "a", description: "A.", parameters: {}, execute: (): number => 1 },
      '"a" has no inputSchema',
      "defineTool(",
    ],
  ])("refuses %s, and names its place and the fix", (_what, item, fact, fix) => {
    expect(() => run(listOf(read, item))).toThrow(expect.objectContaining({ code: "DEFINITION_INVALID" }));
    expect(() => run(listOf(read, item))).toThrow(`${name}: item 1 of the list`);
    expect(() => run(listOf(read, item))).toThrow(fact);
    expect(() => run(listOf(read, item))).toThrow(fix);
  });

  it.each([
    ["nothing", undefined, "undefined"],
    ["one tool", read, "an object"],
    ["an object of tools", { read }, "an object"],
    ["a registry", { view: () => ({ tools: [read] }) }, "a registry"],
  ])("refuses %s in place of a list", (_what, given, kind) => {
    expect(() => run(given as never)).toThrow(`${name} needs a list of tools, and got ${kind}. Pass `);
  });

  it("takes a definition that is not frozen", () => {
    expect(() => run([{ ...read }])).not.toThrow();
  });
});

describe("exportForApi", () => {
  it.each([
    ["a Standard Schema", z.object({ a: z.string() }), "is not a JSON Schema"],
    ["no schema", undefined, "has no inputSchema"],
    ["a text", "object", "is not a JSON Schema"],
  ])("refuses a tool with %s for a schema, which a model could not be given", (_what, inputSchema, fact) => {
    expect(() => exportForApi(listOf({ ...read, inputSchema }))).toThrow(fact);
  });
});

describe("exportTools", () => {
  it("leaves out a tool whose schema is broken, and refuses what is no tool, for every vendor", () => {
    for (const target of providerTargets) {
      expect(exportTools(listOf({ ...read, inputSchema: undefined }), target).diagnostics).toMatchObject([{ tool: "read" }]);
      expect(() => exportTools(listOf({}), target)).toThrow("has no name");
    }
    expect(() => exportDeferred(listOf({}), [], "anthropic")).toThrow("has no name");
  });
});
