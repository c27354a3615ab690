import { describe, expect, it } from "vitest";
import { readOpenApi } from "../../src/index.ts";
import { openLoopback } from "../call/loopback.ts";
import { callOpenApi } from "../../src/index.ts";

const read = (operation: object, root: object = {}) =>
  readOpenApi({ openapi: "3.0.3", info: {}, servers: [{ url: "https://a.example" }], paths: { "/x": { get: operation } }, ...root });

describe("a warning", () => {
  it("tells about deeper values in the query", () => {
    const schema = { type: "object", properties: { by: { type: "object" } } };
    expect(read({ parameters: [{ name: "filter", in: "query", style: "deepObject", schema }] }).warnings[0]).toMatch(
      /"filter" may hold deeper values.*filter\[a\]\[b\]=/,
    );
    expect(
      read({
        parameters: [
          { name: "filter", in: "query", style: "deepObject", schema: { type: "object", properties: { a: { type: "string" } } } },
        ],
      }).warnings,
    ).toEqual([]);
  });

  it.each([
    ["filter[a][b]=", { style: "deepObject", schema: { type: "object", properties: { by: { type: "array" } } } }],
    ["a[b]=, where a is the member", { schema: { type: "object", properties: { by: { $ref: "#/components/schemas/By" } } } }],
    ["JSON text", { explode: false, schema: { type: "object", properties: { by: { type: "array" } } } }],
    ["JSON text", { schema: { type: "array", items: { type: "object" } } }],
    ["JSON text", { explode: false, schema: { type: "array", items: { type: "array" } } }],
    ["JSON text", { in: "cookie", schema: { type: "array", items: { type: "object" } } }],
    [undefined, { in: "header", schema: { type: "array", items: { type: "object" } } }],
    [undefined, { schema: { type: "object", properties: { by: { type: "array" } } } }],
    [undefined, { schema: { type: "array", items: { type: "string" } } }],
    [undefined, { content: { "application/json": { schema: { type: "array", items: { type: "object" } } } } }],
  ])("tells that deeper values are sent as %s: %j", (form, parameter) => {
    const components = { schemas: { By: { type: "object" } } };
    const { warnings } = read({ parameters: [{ name: "filter", in: "query", ...parameter }] }, { components });
    const told = `GET /x: "filter" may hold deeper values, which the specification leaves open: they are sent as ${form}.`;
    expect(warnings).toEqual(form === undefined ? [] : [told]);
  });

  it("tells about a server without a value for one of its variables", () => {
    const { warnings } = read({}, { servers: [{ url: "https://{region}.example.com" }] });
    expect(warnings).toEqual(['The server "https://{region}.example.com" has no value for "region". Set baseUrl to the whole address.']);
  });

  it("tells about security schemes that nothing can be sent for", () => {
    const components = { securitySchemes: { tls: { type: "mutualTLS" }, digest: { type: "http", scheme: "digest" } } };
    const { tools, warnings } = read({ security: [{ tls: [] }, { digest: [] }, { gone: [] }] }, { components });
    expect(tools.length).toBe(1);
    expect(warnings).toEqual([
      'GET /x: The security scheme "tls" (mutualTLS) is not supported: requests are sent without it.',
      'GET /x: The security scheme "digest" (http digest) is not supported: requests are sent without it.',
      'GET /x: The security scheme "gone" is not described: requests are sent without it.',
    ]);
  });

  it("tells about a body of GET, styles that do not exist, and parameters without a place", () => {
    const { warnings } = read({
      requestBody: { content: { "application/json": { schema: {} } } },
      parameters: [
        { name: "a", in: "query", style: "matrix", schema: {} },
        { name: "b" },
        { name: "c", in: "body" },
        { name: "d", in: "path" },
        { name: "Host", in: "header", schema: {} },
      ],
    });
    expect(warnings.length).toBe(6);
  });

  it("tells once about a server that all operations share", () => {
    const { warnings } = readOpenApi({
      openapi: "3.0.3",
      servers: [{ url: "/v1" }],
      paths: { "/a": { get: {}, post: {} }, "/b": { get: {} } },
    });
    expect(warnings).toEqual(['The server "/v1" is relative. Set baseUrl, or url to where the document came from.']);
  });
});

describe("the media types that are asked for", () => {
  it("are no streams where the API can answer as a whole", async () => {
    const { url, host, met } = await openLoopback();
    const content = { "text/event-stream": {}, "application/json": { schema: {} } };
    const { tools } = readOpenApi(
      { openapi: "3.0.3", servers: [{ url }], paths: { "/x": { get: { responses: { 200: { content } } } } } },
      { allowHosts: [host] },
    );
    await callOpenApi(tools[0]!, {});
    expect(met[0]!.headers.accept).toBe("application/json, */*;q=0.1");
  });
});
