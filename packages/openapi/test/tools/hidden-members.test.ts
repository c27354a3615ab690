import { describe, expect, it } from "vitest";
import { buildRequest, type ReadOpenApiOptions, readOpenApi } from "../../src/index.ts";

type Json = Record<string, unknown>;

const components = {
  schemas: {
    Base: { type: "object", required: ["role", "name"], properties: { role: { type: "string" }, name: { type: "string" } } },
    User: { allOf: [{ $ref: "#/components/schemas/Base" }, { type: "object", properties: { age: { type: "integer" } } }] },
  },
};

function read(schema: Json, options: ReadOpenApiOptions, type = "application/json") {
  const { tools, warnings, refused } = readOpenApi(
    {
      openapi: "3.0.3",
      servers: [{ url: "https://api.example.com" }],
      components,
      paths: { "/x": { post: { requestBody: { content: { [type]: { schema } } } } } },
    },
    options,
  );
  if (tools[0] === undefined) throw new Error(JSON.stringify(refused));
  return { tool: tools[0], shown: JSON.stringify(tools[0].inputSchema), warnings };
}

const open = { type: "object", properties: { role: { type: "string" }, name: { type: "string" } }, additionalProperties: true };
const bodies: readonly (readonly [string, Json])[] = [
  ["an open object", open],
  ["a reference", { $ref: "#/components/schemas/Base" }],
  ["allOf behind a reference", { $ref: "#/components/schemas/User" }],
  ["a choice", { oneOf: [{ $ref: "#/components/schemas/User" }, open] }],
];

describe("a member of a body that is one property", () => {
  it.each(bodies)("is neither shown nor sent when it is hidden, in %s", (_, schema) => {
    for (const type of ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"]) {
      const { tool, shown, warnings } = read(schema, { hide: ["role"] }, type);
      expect(shown).not.toContain('"role"');
      expect(shown).toContain('"name"');
      expect(warnings).toEqual([]);
      expect(() => buildRequest(tool, { body: { role: "admin" } })).toThrow(/no member "role"/);
      expect(() => buildRequest(tool, { body: { name: "a" } })).not.toThrow();
    }
  });

  it.each(bodies)("has its fixed value when it is pinned, in %s", (_, schema) => {
    const { tool, shown } = read(schema, { pin: { "body:role": "user" } });
    expect(shown).not.toContain('"role"');
    expect(buildRequest(tool, { body: { name: "a" } }).body).toBe('{"name":"a","role":"user"}');
    expect(() => buildRequest(tool, { body: { role: "admin" } })).toThrow(/no member "role"/);
  });

  it("stays in other operations and in the component itself", () => {
    const { shown } = read({ $ref: "#/components/schemas/User" }, { hide: [{ name: "role", operation: "GET" }] });
    expect(shown).toContain('"role"');
  });
});

describe("the hosts that a tool needs", () => {
  it("are those that it calls: baseUrl replaces the server", () => {
    const { tool } = read({ type: "object" }, { baseUrl: "https://mirror.example:8443/v1" });
    expect(tool.metadata?.needs).toEqual({ hosts: ["mirror.example:8443"] });
    expect(read({ type: "object" }, {}).tool.metadata?.needs).toEqual({ hosts: ["api.example.com"] });
  });
});
