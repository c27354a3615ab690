import { ToolError } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { buildRequest, readOpenApi } from "../../src/index.ts";

/** The one error that a document throws. */
function errorOf(document: unknown, options = {}): string {
  try {
    readOpenApi(document, options);
  } catch (error) {
    expect(ToolError.is(error), String(error)).toBe(true);
    return (error as Error).message;
  }
  throw new Error("nothing was thrown");
}

describe("what is no OpenAPI document", () => {
  it.each([
    ["an empty text", "", /is empty/],
    ["a truncated JSON text", '{"openapi":"3.0.0","paths":{"/x":', /not valid JSON at line 1, character \d+ of 33.*cut off/],
    ["a truncated YAML text", "openapi: 3.0.0\npaths: {\n  /x: [", /not valid YAML at line \d+, column \d+/],
    ["prose", "hello: world", /neither "openapi" nor "swagger"/],
    ["a scalar", "just some words", /not an object/],
    ["a list", "[1, 2]", /not an object/],
    ["a number", 5, /must be a text or an object, not 5/],
    ["null", null, /must be a text or an object/],
    ["an unknown version", { openapi: "4.0.0", paths: {} }, /the version "4\.0\.0".*3\.0, 3\.1 or 3\.2/],
    ["bytes", Buffer.from('{"openapi":"3.0.0","paths":{}}'), /is bytes, not a text\. Decode it first/],
    ["paths that are a list", { openapi: "3.0.0", paths: [{ "/a": {} }] }, /"paths" must be an object, not /],
    ["paths that are a text", 'openapi: 3.1.0\npaths: "/a"', /"paths" must be an object, not "\/a"/],
    ["Swagger 1", { swaggerVersion: "1.2" }, /neither/],
    ["a version that is an object", { openapi: {} }, /version/],
    ["HTML", "<!doctype html><html><body>Sign in</body></html>", /not an object|not valid YAML/],
  ])("throws one clear ToolError for %s", (_, document, message) => {
    expect(errorOf(document)).toMatch(message);
  });

  it("quotes nothing of a text that is no document", () => {
    for (const text of ["PASSWORD=hunter2", '{"key": "hunter2"', "a: [hunter2\nb: }", "hunter2: *hunter2"])
      expect(errorOf(text)).not.toContain("hunter2");
  });

  it("limits aliases, depth and size", () => {
    const bomb = [
      "a0: &a0 [x,x,x,x,x,x,x,x,x]",
      ...Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join()}]`),
    ].join("\n");
    expect(errorOf(`openapi: 3.0.0\n${bomb}`)).toMatch(/aliases/);
    expect(errorOf(`openapi: 3.0.0\nx: ${"[".repeat(20_000)}`)).toMatch(/YAML|deep/);
    expect(errorOf(`openapi: 3.0.0\n#${"x".repeat(17_000_000)}`)).toMatch(/17,000,\d+ characters/);
    expect(errorOf(`openapi: 3.0.0\n#${"x".repeat(50_000_000)}`)).toMatch(
      /50,000,\d+ characters, and at most 16,777,216 are read\. Take out what is not needed, or convert YAML to JSON\./,
    );
    expect(errorOf(`{${" ".repeat(67_108_864)}`)).toMatch(/67,108,865 characters, and at most 67,108,864 are read/);
  });
});

describe("an odd document", () => {
  const get = { operationId: "fine" };

  it("tells keys that occur twice, in JSON and in YAML", () => {
    const json = readOpenApi(
      '{"openapi":"3.0.0","info":{},"paths":{"/a":{"get":{"operationId":"one"}},"/a":{"get":{"operationId":"two"}}}}',
    );
    expect(json.warnings[0]).toBe('paths has the key "/a" twice: the last one counts.');
    expect(json.tools.map(({ name }) => name)).toEqual(["two"]);
    const yaml = readOpenApi("openapi: 3.0.0\npaths:\n  /a: { get: { operationId: one } }\n  /a: { get: { operationId: two } }\n");
    expect(yaml.warnings[0]).toMatch(/occurs twice.*line 4/);
  });

  it("may begin with a mark of its byte order", () => {
    for (const text of ['{"openapi":"3.1.0","paths":{"/a":{"get":{}}}}', "openapi: 3.1.0\npaths: { /a: { get: {} } }\n"])
      expect(readOpenApi(`\ufeff${text}`).tools.map(({ name }) => name)).toEqual(["get_a"]);
  });

  it("tells keys that occur twice in the order of their lines", () => {
    const text = "openapi: 3.1.0\npaths: {}\nx-a: {b: 1, b: 2}\nx-c:\n  - d: {e: 1, e: 2}\n  - f: 1\n    f: 2\nx-a: 1\n";
    const lines = readOpenApi(text).warnings.map((warning) => /line (\d+)/.exec(warning)?.[1]);
    expect(lines).toEqual(["3", "5", "7", "8"]);
  });

  it("reads YAML by the core schema, with merge keys and aliases", () => {
    const { tools } = readOpenApi(`
openapi: 3.0.0
x-base: &base { parameters: [{ name: country, in: query, schema: { type: string, enum: [NO, DE] } }] }
paths:
  /a: { get: { <<: *base, operationId: one } }
  /b: { get: { <<: *base, operationId: two, responses: { 200: { description: ok } } } }
`);
    expect(tools.map(({ inputSchema }) => inputSchema["properties"])).toEqual([
      { country: { type: "string", enum: ["NO", "DE"] } },
      { country: { type: "string", enum: ["NO", "DE"] } },
    ]);
  });

  it("refuses circular objects, endless depth and shared branches that multiply, and keeps the others", () => {
    const circular: Record<string, unknown> = { type: "object" };
    circular["properties"] = { self: circular };
    let deep: Record<string, unknown> = { type: "string" };
    for (let level = 0; level < 5_000; level++) deep = { type: "array", items: deep };
    let wide: Record<string, unknown> = { type: "string" };
    for (let level = 0; level < 40; level++) wide = { type: "object", properties: { a: wide, b: wide } };
    const body = (schema: unknown) => ({ requestBody: { content: { "application/json": { schema } } } });
    const { tools, refused } = readOpenApi({
      openapi: "3.0.0",
      paths: { "/circular": { post: body(circular) }, "/deep": { post: body(deep) }, "/wide": { post: body(wide) }, "/fine": { get } },
    });
    expect(tools.map(({ name }) => name)).toEqual(["fine"]);
    expect(refused.map(({ operation }) => operation)).toEqual(["POST /circular", "POST /deep", "POST /wide"]);
  });

  it("never costs one operation another, whatever stands in its place", () => {
    for (const odd of [
      null,
      5,
      "x",
      [],
      { parameters: 5 },
      { parameters: [null, 5, {}] },
      { requestBody: 5 },
      { requestBody: { content: [] } },
      { responses: [] },
      { security: "x" },
      { security: [null, { a: 5 }] },
      { tags: "x", servers: {} },
      { operationId: {} },
    ]) {
      const { tools, refused } = readOpenApi({
        openapi: "3.0.0",
        paths: { "/odd": { post: odd }, "/fine": { get }, "/null": null, "/text": "x", "x-y": 1 },
      });
      expect(
        tools.some(({ name }) => name === "fine"),
        JSON.stringify(odd),
      ).toBe(true);
      expect(tools.length + refused.filter(({ operation }) => operation === "POST /odd").length).toBe(2);
    }
  });

  it("refuses paths that leave the server, and names of headers that cannot be sent", () => {
    const { tools, refused } = readOpenApi({
      openapi: "3.0.0",
      servers: [{ url: "https://api.example.com" }],
      paths: {
        "/a/../../admin": { get: {} },
        "/a/%2e%2e/b": { get: {} },
        "/a\\..\\b": { get: {} },
        "/a\r\nX: y": { get: {} },
        "/h": { get: { parameters: [{ name: "X\r\nY", in: "header", schema: {} }] } },
        "@evil.example/x": { get: { operationId: "slash" } },
        "//evil.example/x": { get: { operationId: "slashes" } },
      },
    });
    expect(refused.map(({ reason }) => reason.slice(0, 20))).toHaveLength(5);
    expect(tools.map((tool) => new URL(buildRequest(tool, {}).url).origin)).toEqual(["https://api.example.com", "https://api.example.com"]);
  });

  it("warns about servers that nothing can be sent to, and sends with a baseUrl", () => {
    const { tools, warnings } = readOpenApi({
      openapi: "3.0.0",
      servers: [{ url: "https://user:hunter2@api.example.com" }],
      paths: { "/x": { get } },
    });
    expect(warnings[0]).toMatch(/credentials in its URL/);
    expect(warnings.join()).not.toContain("hunter2");
    expect(() => buildRequest(tools[0]!, {})).toThrow(/baseUrl/);
    expect(readOpenApi({ openapi: "3.0.0", servers: [{ url: "ftp://x.example" }], paths: { "/x": { get } } }).warnings[0]).toMatch(
      /not one of http or https/,
    );
  });

  it("refuses invisible characters in names, which people cannot see", () => {
    const { tools, refused } = readOpenApi({
      openapi: "3.0.0",
      paths: {
        "/x": {
          post: {
            requestBody: {
              content: { "application/json": { schema: { type: "object", properties: { "pass\u200bword": { type: "string" } } } } },
            },
          },
        },
        "/fine": { get },
      },
    });
    expect(tools.length).toBe(1);
    expect(refused[0]!.reason).toMatch(/invisible characters \(U\+200B\)/);
  });

  it("has every operation in tools or in refused", () => {
    const { tools, refused } = readOpenApi({ openapi: "3.0.0", paths: { "/x": { get, trace: {}, post: null, put: {} } } });
    expect(tools.map(({ name }) => name)).toEqual(["fine", "put_x"]);
    expect(refused.map(({ operation }) => operation)).toEqual(["POST /x", "TRACE /x"]);
  });
});
