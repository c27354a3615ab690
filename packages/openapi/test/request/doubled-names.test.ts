import { describe, expect, it } from "vitest";
import { buildRequest, type ReadOpenApiOptions, readOpenApi } from "../../src/index.ts";

type Json = Record<string, unknown>;

/** The request of the one operation of a document. */
function request(operation: Json, input: Json, options: ReadOpenApiOptions = {}, path = "/x") {
  const { tools, refused } = readOpenApi(
    {
      openapi: "3.2.0",
      info: { title: "T", version: "1" },
      servers: [{ url: "https://api.example.com" }],
      components: {
        securitySchemes: { k: { type: "apiKey", in: "query", name: "key" }, c: { type: "apiKey", in: "cookie", name: "sid" } },
      },
      paths: { [path]: { post: { responses: {}, ...operation } } },
    },
    options,
  );
  if (tools[0] === undefined) throw new Error(JSON.stringify(refused));
  return buildRequest(tools[0], input, { secrets: { k: "S", c: "S" } });
}

const free = { name: "more", in: "query", schema: { type: "object" } };
const admin = { name: "admin", in: "query", schema: { type: "string" } };
const form = (schema: Json, encoding: Json = {}) => ({
  requestBody: { required: true, content: { "application/x-www-form-urlencoded": { schema, encoding } } },
});

describe("a member of an object in the query", () => {
  it("cannot double another parameter, in any spelling that servers read as the same", () => {
    for (const name of ["admin", "admin[]", "admin[x]", "Admin"])
      expect(() => request({ parameters: [free, admin] }, { more: { [name]: "yes" }, admin: "no" }), name).toThrow(/"more".*"admin/is);
    expect(() => request({ parameters: [free, admin] }, { more: { admin: "yes" } })).toThrow(/parameter of its own/);
    expect(request({ parameters: [free, admin] }, { more: { other: "yes" }, admin: "no" }).url).toMatch(/\?other=yes&admin=no$/);
  });

  it("cannot double a member of another object", () => {
    const parameters = [free, { ...free, name: "else" }];
    expect(() => request({ parameters }, { more: { role: "user" }, else: { Role: "admin" } })).toThrow(
      '"else" must not have the member "Role": POST /x has that name as a parameter of its own, a fixed value or a credential, or as a member of another one.',
    );
    expect(request({ parameters }, { more: { a: [1, 2] }, else: { b: 3 } }).url).toMatch(/\?a=1&a=2&b=3$/);
    expect(() => request({ parameters: [free, admin] }, { more: { [`admin${"[".repeat(200_000)}`]: 1 } })).toThrow(/"more"/);
  });

  it("cannot double a pinned or a hidden parameter", () => {
    expect(() => request({ parameters: [free, admin] }, { more: { admin: "yes" } }, { pin: { admin: "no" } })).toThrow(/"admin"/);
    expect(() => request({ parameters: [free, admin] }, { more: { admin: "yes" } }, { hide: ["admin"] })).toThrow(/"admin"/);
  });

  it("cannot double a credential, also one of another way to sign in", () => {
    expect(() => request({ parameters: [free], security: [{ k: [] }] }, { more: { key: "model" } })).toThrow(/"key"/);
    expect(() => request({ parameters: [free], security: [{ c: [] }, { k: [] }] }, { more: { key: "model" } })).toThrow(/"key"/);
  });

  it("cannot double what the path or the server has in its query", () => {
    expect(() => request({ parameters: [free] }, { more: { action: "b" } }, {}, "/x?action=a")).toThrow(/"action"/);
    expect(() => request({ parameters: [free] }, { more: { v: "1" } }, { baseUrl: "https://api.example.com/?v=2" })).toThrow(/"v"/);
  });

  it("cannot double a parameter from a deepObject or a whole query", () => {
    const deep = { name: "filter", in: "query", style: "deepObject", explode: true, schema: { type: "object" } };
    const one = { name: "filter[owner]", in: "query", schema: { type: "string" } };
    expect(() => request({ parameters: [deep, one] }, { filter: { owner: "x" } }, { pin: { "filter[owner]": "me" } })).toThrow(/owner/);
    expect(request({ parameters: [deep, one] }, { filter: { state: "x" } }).url).toMatch(/\?filter%5Bstate%5D=x$/);
    const type = "application/x-www-form-urlencoded";
    const whole = { name: "q", in: "querystring", content: { [type]: { schema: { type: "object" } } } };
    expect(() => request({ parameters: [whole], security: [{ k: [] }] }, { q: { key: "model" } })).toThrow(/"key"/);
    const text = { name: "q", in: "querystring", content: { "text/plain": { schema: { type: "string" } } } };
    expect(() => request({ parameters: [text], security: [{ k: [] }] }, { q: "key" })).toThrow(/"key"/);
  });
});

describe("a member of an object in a cookie or a form", () => {
  it("cannot double another cookie", () => {
    for (const style of ["form", "cookie"]) {
      const parameters = [{ name: "more", in: "cookie", style, explode: true, schema: { type: "object" } }];
      expect(() => request({ parameters, security: [{ c: [] }] }, { more: { a: "1", sid: "model" } }), style).toThrow(/"sid"/);
    }
  });

  it("cannot double another field", () => {
    const schema = { type: "object", properties: { more: { type: "object" }, role: { type: "string" } } };
    const encoding = { more: { style: "form", explode: true } };
    expect(() => request(form(schema, encoding), { more: { role: "admin" } })).toThrow(/"role"/);
    expect(() => request(form(schema, encoding), { more: { role: "admin" } }, { pin: { "body:role": "user" } })).toThrow(/"role"/);
    expect(() => request(form(schema, encoding), { more: { role: "admin" } }, { hide: ["body:role"] })).toThrow(/"role"/);
    const two = { ...schema, properties: { ...schema.properties, rest: { type: "object" } } };
    const both = { ...encoding, rest: encoding.more };
    expect(() => request(form(two, both), { more: { a: "1" }, rest: { a: "2" } })).toThrow(/"rest".*"a"/);
    expect(request(form(schema, encoding), { more: { a: "1" }, role: "user" }).body).toBe("a=1&role=user");
  });
});
