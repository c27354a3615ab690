import { describe, expect, it } from "vitest";
import { z } from "zod";
import { executeTool } from "../../src/tool/array.ts";
import { defineTool, type ToolDefinition } from "../../src/tool/tool.ts";

const actions = ["grep", "find_definition", "list_files"];

const search = defineTool({
  name: "search",
  description: "Searches code.",
  inputSchema: {
    type: "object",
    properties: {
      action: { type: "string", enum: actions },
      pattern: { type: "string" },
      name: { type: "string" },
      limit: { type: "integer", minimum: 1, maximum: 100, default: 20 },
    },
    required: ["action"],
    additionalProperties: false,
  },
  handler: () => "found",
});

async function refusalOf(tool: ToolDefinition, input: unknown): Promise<string> {
  const result = await executeTool(tool, input);
  return result.ok ? "accepted" : result.error;
}

describe("a default that its own schema does not allow", () => {
  const limit = { type: "integer", default: "ten" } as const;
  it.each<[from: string, inputSchema: object]>([
    ["JSON Schema", { type: "object", properties: { limit } }],
    ["Zod", z.object({ limit: z.int().default("ten" as never) })],
  ])("does not reach the handler of a tool with %s", async (_from, inputSchema) => {
    const tool = defineTool({ name: "find", description: "Finds.", inputSchema, handler: (input: unknown) => ({ input }) });
    const given = await executeTool(tool, {});
    expect(given.ok && (given.data as { input: object }).input).toEqual({});
  });
});

describe("a model that calls a tool wrongly", () => {
  // row: D4
  it("is told the parameter that it meant, its values and a call that would be right", async () => {
    expect(await refusalOf(search, { type: "grep" })).toBe(
      [
        'The input of "search" is not valid:',
        '- action is required ("grep", "find_definition" or "list_files"), but it is missing. Did you mean "action" where you wrote "type"?',
        "- type is not a parameter here. Use action, pattern, name or limit.",
        'A valid input: {"action":"grep"}',
      ].join("\n"),
    );
  });

  it("is told the nearest parameter, the nearest value, and what came", async () => {
    const refusal = await refusalOf(search, { action: "find-definitoin", limt: 500, limit: "5" });
    expect(refusal).toContain(
      'action must be "grep", "find_definition" or "list_files", but it is "find-definitoin". Did you mean "find_definition"?',
    );
    expect(refusal).toContain('limt is not a parameter here. Did you mean "limit"?');
    expect(refusal).toContain('limit must be a whole number, but it is "5".');
  });

  it("is shown the tool's own example, if that is valid", async () => {
    const example = { description: "Finds a class", input: { action: "find_definition", name: "Registry" } };
    const wrong = { description: "Out of date", input: { type: "grep" } };
    const withExample = defineTool({ ...search, metadata: { examples: [wrong, example] } });
    expect(await refusalOf(withExample, {})).toContain('A valid input: {"action":"find_definition","name":"Registry"}');
  });

  it("is not drowned in faults", async () => {
    const extra = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`extra_${index}`, 1]));
    const refusal = await refusalOf(search, { action: "grep", ...extra });
    expect(refusal.split("\n")).toHaveLength(1 + 20 + 1 + 1);
    expect(refusal).toContain("- … and 40 more.");
  });
});

describe("a tool with several actions", () => {
  const rules = {
    "if and then": {
      ...search.inputSchema,
      allOf: [
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword
        { if: { properties: { action: { const: "find_definition" } }, required: ["action"] }, then: { required: ["name"] } },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword
        { if: { properties: { action: { const: "grep" } }, required: ["action"] }, then: { required: ["pattern"] } },
      ],
    },
    oneOf: {
      type: "object",
      oneOf: [
        { properties: { action: { const: "grep" }, pattern: { type: "string" } }, required: ["action", "pattern"] },
        { properties: { action: { const: "find_definition" }, name: { type: "string" } }, required: ["action", "name"] },
        { properties: { action: { const: "list_files" } }, required: ["action"] },
      ],
    },
  };

  // row: D6
  it.each(Object.entries(rules))("has rules of its own for each, written with %s", async (_how, inputSchema) => {
    const tool = defineTool({ name: "search", description: "", inputSchema, handler: () => "found" });
    for (const input of [{ action: "grep", pattern: "x" }, { action: "find_definition", name: "A" }, { action: "list_files" }]) {
      expect(await refusalOf(tool, input)).toBe("accepted");
    }
    const refusal = await refusalOf(tool, { action: "find_definition", pattern: "x" });
    expect(refusal).toContain("name is required, but it is missing.");
    expect(refusal).not.toContain("pattern is required");
    expect(refusal).toMatch(/A valid input: \{"action":/);
  });

  it("lists the actions where none fits", async () => {
    const tool = defineTool({ name: "search", description: "", inputSchema: rules["if and then"], handler: () => "found" });
    expect(await refusalOf(tool, { action: "dance" })).toContain(
      'action must be "grep", "find_definition" or "list_files", but it is "dance".',
    );
  });
});
