import { describe, expect, it } from "vitest";
import { buildRequest, describeOpenApiTool, readOpenApi } from "../../src/index.ts";

function toolWith(contentType: string, schema: object) {
  const requestBody = { required: true, content: { [contentType]: { schema } } };
  const paths = { "/x": { post: { requestBody } } };
  return readOpenApi({ openapi: "3.1.0", servers: [{ url: "https://api.example.com" }], paths }).tools[0]!;
}

describe("a body of a media type that nobody knows", () => {
  it.each([
    ["bytes", { type: "string", format: "binary" }, "aGk=", new Uint8Array([0x68, 0x69])],
    ["text", { type: "string" }, "aGk=", "aGk="],
    ["JSON", { type: "object" }, { a: 1 }, '{"a":1}'],
    ["JSON", { allOf: [{ type: "object" }] }, { a: 1 }, '{"a":1}'],
    ["bytes", {}, "aGk=", new Uint8Array([0x68, 0x69])],
  ])("is %s where its schema is %j", (_, schema, body, sent) => {
    const request = buildRequest(toolWith("application/x-own", schema), { body });
    expect([request.body, request.headers["content-type"]]).toEqual([sent, "application/x-own"]);
  });
});

describe("an object as a body", () => {
  const plain = { type: "object", properties: { a: { type: "string" } } };
  const bodyOf = (more: object) => describeOpenApiTool(toolWith("application/json", { ...plain, ...more })).body;

  it("has its members in the input where it is plain", () => {
    expect(bodyOf({})).toMatchObject({ spread: true });
    expect(bodyOf({ additionalProperties: false })).toMatchObject({ spread: true });
  });

  it.each([
    ["allOf", [{}]],
    ["oneOf", [{}]],
    ["anyOf", [{}]],
    ["not", {}],
    ["if", {}],
    ["patternProperties", {}],
    ["minProperties", 1],
    ["maxProperties", 3],
    ["dependentRequired", {}],
    ["dependentSchemas", {}],
    ["const", {}],
    ["enum", [{}]],
    ["additionalProperties", true],
    ["additionalProperties", {}],
    ["nullable", true],
    ["x-nullable", true],
  ])("is one property with %s, which says something about the whole", (keyword, value) => {
    expect(bodyOf({ [keyword]: value })).toMatchObject({ property: "body" });
  });
});

describe("the styles of an encoding", () => {
  it("count for urlencoded and multipart/form-data, and for no other multipart type", () => {
    const schema = { type: "object", properties: { a: { type: "array", items: { type: "string" } } } };
    const encoding = { a: { style: "form", explode: false } };
    const sent = (type: string): unknown => {
      const content = { [type]: { schema, encoding } };
      const paths = { "/x": { post: { requestBody: { required: true, content } } } };
      const { tools } = readOpenApi({ openapi: "3.1.0", servers: [{ url: "https://api.example.com" }], paths });
      return buildRequest(tools[0]!, { a: ["x", "y"] }).body;
    };
    expect(sent("application/x-www-form-urlencoded")).toBe("a=x,y");
    expect(sent("multipart/form-data; charset=utf-8")).toEqual({ parts: [{ name: "a", value: "x,y" }] });
    const repeated = ["x", "y"].map((value) => ({ name: "a", value }));
    expect(sent("multipart/mixed")).toEqual({ parts: repeated });
  });
});
