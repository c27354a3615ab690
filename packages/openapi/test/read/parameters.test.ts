import { describe, expect, it } from "vitest";
import { buildRequest, readOpenApi } from "../../src/index.ts";

function read(path: string, operation: object, openapi = "3.2.0") {
  const document = { openapi, servers: [{ url: "https://api.example.com" }], paths: { [path]: { get: operation } } };
  const { tools, warnings } = readOpenApi(document);
  return { tool: tools[0]!, warnings, properties: tools[0]!.inputSchema["properties"] as Record<string, object> };
}

describe("a parameter", () => {
  it("that is the whole query may name the style it has anyway", () => {
    const content = { "application/x-www-form-urlencoded": { schema: { type: "object" } } };
    const { tool, warnings } = read("/x", { parameters: [{ in: "querystring", name: "q", style: "form", content }] });
    expect(warnings).toEqual([]);
    expect(buildRequest(tool, { q: { a: "1 2" } }).url).toBe("https://api.example.com/x?a=1%202");
  });

  it("has its own description, and behind it the default of its schema", () => {
    const schema = { type: "integer", description: "How many.", default: 5 };
    const described = (description?: string) =>
      read("/x", { parameters: [{ in: "query", name: "n", schema, description }] }).properties["n"];
    expect(described("The limit.")).toMatchObject({ description: "The limit. Default: 5." });
    expect(described()).toMatchObject({ description: "How many. Default: 5." });
  });

  it("may have marks in its name that end a path elsewhere", () => {
    const { tool } = read("/x/{id?}/{a#b}?full=1#second", {});
    const [id, ab] = Object.keys(tool.inputSchema["properties"] as object);
    expect(buildRequest(tool, { [id!]: "7", [ab!]: "8" }).url).toBe("https://api.example.com/x/7/8?full=1");
  });
});
