import { expect, it } from "vitest";
import {
  cleanToolSchemaForGemini,
  normalizeToolParameters,
  patchToolSchemaForClaudeCompatibility,
} from "../../../src/providers/wire/compat.ts";
import { checkVendorSchema } from "../../../src/providers/rules/rules.ts";
import { toolNamed } from "../tools.ts";

it("cleanToolSchemaForGemini flattens unions and lists, and leaves the form of values alone", () => {
  const schema = {
    type: "object",
    properties: {
      mode: { anyOf: [{ const: "a" }, { const: "b" }] },
      target: {
        oneOf: [
          { type: "object", properties: { id: { type: "string" } } },
          { type: "object", properties: { url: { type: "string" } } },
        ],
      },
      map: { type: "object", additionalProperties: { type: "string" } },
      order: { enum: ["asc", null] },
      any: {},
    },
  };
  const cleaned = cleanToolSchemaForGemini(schema);
  expect(checkVendorSchema(cleaned, "gemini-openapi")).toEqual([]);
  expect(cleaned).toMatchObject({
    properties: {
      mode: { type: "string", enum: ["a", "b"] },
      target: { type: "object", properties: { id: { type: "string" }, url: { type: "string" } } },
      map: { type: "object" },
      order: { type: "string", enum: ["asc"], nullable: true },
    },
  });
  expect(JSON.stringify(cleaned)).not.toMatch(/oneOf|allOf|const|entries|additionalProperties/);
});

it("normalizeToolParameters puts an object at the root", () => {
  const tool = toolNamed("t", {
    anyOf: [
      { type: "object", properties: { a: { type: "string" } } },
      { type: "object", properties: { b: { type: "string" } } },
    ],
  });
  expect(normalizeToolParameters(tool)).toMatchObject({ name: "t", inputSchema: { type: "object", properties: { a: {}, b: {} } } });
});

it("patchToolSchemaForClaudeCompatibility shows declared aliases, and leaves a tool without any as it is", () => {
  const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
  expect(
    patchToolSchemaForClaudeCompatibility(toolNamed("t", schema, { aliases: { file_path: "path", gone: "missing" } })).inputSchema,
  ).toEqual({
    type: "object",
    properties: { path: { type: "string" }, file_path: { type: "string" } },
  });
  expect(patchToolSchemaForClaudeCompatibility(toolNamed("t", schema)).inputSchema).toEqual(schema);
});

it("both take tools with `parameters`, and leave them in that form", () => {
  const execute = (input: unknown) => JSON.stringify(input);
  const union = { anyOf: [{ type: "object", properties: { a: { type: "string" } } }] };
  const normal = normalizeToolParameters({ name: "t", description: "Does it.", parameters: union, execute });
  expect(normal).toMatchObject({ name: "t", parameters: { type: "object", properties: { a: {} } }, execute });
  const path = { type: "object", properties: { path: { type: "string" } } };
  const metadata = { aliases: { file_path: "path" } };
  const patched = patchToolSchemaForClaudeCompatibility({ name: "t", description: "Does it.", parameters: path, metadata, execute });
  expect(patched.parameters).toMatchObject({ properties: { path: {}, file_path: {} } });
  expect([normal, patched].some((tool) => "inputSchema" in tool)).toBe(false);
});
