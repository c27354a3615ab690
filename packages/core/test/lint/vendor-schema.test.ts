import { describe, expect, it } from "vitest";
import { lintTool } from "../../src/exports/lint.ts";
import type { SchemaTarget } from "../../src/exports/vendors.ts";
import { defineTool } from "../../src/index.ts";

const findingsFor = (properties: Readonly<Record<string, object>>, vendors: readonly SchemaTarget[]) =>
  lintTool(
    defineTool({
      name: "find",
      description: "Finds what was asked for.",
      inputSchema: { type: "object", properties, required: Object.keys(properties), additionalProperties: false },
      handler: () => "",
    }),
    { vendors },
  ).filter(({ rule }) => rule === "vendor-schema");

const oneOf = { when: { description: "When.", oneOf: [{ type: "string" }, { type: "integer" }] } };

describe("vendor-schema", () => {
  it("names the place and the vendors that do not take it as it is", () => {
    const finding = findingsFor(oneOf, ["gemini-openapi", "anthropic"]).find(({ path }) => path.startsWith("/inputSchema/properties/when"));
    expect(finding).toMatchObject({ severity: "info" });
    expect(finding?.message).toMatch(/^gemini-openapi: /);
  });

  it("says nothing where no vendor is named, or where all of them take the schema", () => {
    expect(findingsFor(oneOf, [])).toEqual([]);
    expect(findingsFor({ query: { type: "string", description: "What to look for." } }, ["anthropic", "openai", "generic"])).toEqual([]);
  });
});
