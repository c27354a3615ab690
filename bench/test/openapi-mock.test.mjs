import { createMemorySecrets, createRegistry } from "@toolrack/core";
import { hasPart } from "@toolrack/core/testing";
import { readOpenApi } from "@toolrack/openapi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasMockServer, openMockServer } from "../openapi/mock/mock-server.mjs";

const isThere = hasPart("the mock server of bench/openapi/mock", await hasMockServer());

const answer = {
  200: {
    description: "",
    content: { "application/json": { schema: { type: "object", properties: { done: { type: "boolean", example: true } } } } },
  },
};
const list = { type: "array", items: { type: "string", enum: ["red", "blue"] }, minItems: 2 };
// The mock server does not know that form is exploded by default, and fails at lists in a simple path.
const parameters = [
  { name: "form", in: "query", required: true, explode: true, schema: list },
  { name: "csv", in: "query", required: true, explode: false, schema: list },
  { name: "pipes", in: "query", required: true, style: "pipeDelimited", explode: false, schema: list },
  {
    name: "deep",
    in: "query",
    required: true,
    style: "deepObject",
    explode: true,
    schema: { type: "object", required: ["n"], properties: { n: { type: "integer" } } },
  },
  { name: "X-List", in: "header", required: true, schema: list },
  { name: "sid", in: "cookie", required: true, schema: { type: "string", pattern: "^[a-z]+$" } },
];
const path = (name, style, explode) => ({
  get: { operationId: name, parameters: [{ name: "v", in: "path", required: true, style, explode, schema: list }], responses: answer },
});
const body = (type, schema) => ({ requestBody: { required: true, content: { [type]: { schema } } }, responses: answer });
const pet = {
  type: "object",
  required: ["name", "tags"],
  additionalProperties: false,
  properties: { name: { type: "string" }, tags: list, id: { type: "integer", readOnly: true } },
};

const document = {
  openapi: "3.0.3",
  info: { title: "Mock", version: "1.0.0" },
  paths: {
    "/query": { get: { operationId: "query", parameters, responses: answer } },
    "/simple/{v}": {
      get: {
        operationId: "simple",
        parameters: [{ name: "v", in: "path", required: true, schema: { type: "string", enum: ["red"] } }],
        responses: answer,
      },
    },
    "/label/{v}": path("label", "label", true),
    "/matrix/{v}": path("matrix", "matrix", true),
    "/json": { post: { operationId: "json", ...body("application/json", { $ref: "#/components/schemas/Pet" }) } },
    "/form": {
      post: {
        operationId: "form",
        ...body("application/x-www-form-urlencoded", {
          type: "object",
          required: ["a", "n"],
          properties: { a: { type: "string" }, n: { type: "integer" } },
        }),
      },
    },
    "/key": { get: { operationId: "key", security: [{ key: [] }], responses: answer } },
    "/basic": { get: { operationId: "basic", security: [{ basic: [] }], responses: answer } },
    "/bearer": { get: { operationId: "bearer", security: [{ bearer: [] }], responses: answer } },
    "/either": { get: { operationId: "either", security: [{ gone: [], key: [] }, { bearer: [] }], responses: answer } },
  },
  components: {
    schemas: { Pet: pet },
    securitySchemes: {
      key: { type: "apiKey", in: "query", name: "k" },
      basic: { type: "http", scheme: "basic" },
      bearer: { type: "http", scheme: "bearer" },
      gone: { type: "apiKey", in: "header", name: "g" },
    },
  },
};

describe.skipIf(!isThere)("a server that validates requests against the document", () => {
  let server;
  let registry;

  beforeAll(async () => {
    server = await openMockServer(document);
    registry = createRegistry({ secrets: createMemorySecrets({ key: "k1", basic: "user:password", bearer: "t1" }) });
    for (const tool of readOpenApi(document, { baseUrl: server.url, allowHosts: [server.host] }).tools) registry.register(tool);
  });
  afterAll(async () => {
    await registry?.close();
    await server?.close();
  });

  const colors = ["red", "blue"];
  it.each([
    ["query", { form: colors, csv: colors, pipes: colors, deep: { n: 5 }, "X-List": colors, sid: "abc" }],
    ["simple", { v: "red" }],
    ["label", { v: colors }],
    ["matrix", { v: colors }],
    ["json", { name: "Rex", tags: colors }],
    ["form", { a: "x y&z", n: 5 }],
    ["key", {}],
    ["basic", {}],
    ["bearer", {}],
    ["either", {}],
  ])("accepts the request of %s", async (name, input) => {
    expect(await registry.invoke(name, input)).toMatchObject({ ok: true, data: { done: true } });
  });

  it("refuses what the document does not allow, and says so in the result", async () => {
    const { tools } = readOpenApi(
      { ...document, components: { ...document.components, schemas: { Pet: {} } } },
      { baseUrl: server.url, allowHosts: [server.host], include: "json" },
    );
    const loose = createRegistry();
    for (const tool of tools) loose.register(tool);
    expect(await loose.invoke("json", { body: { name: 5 } })).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^POST \/json: 127\.0\.0\.1:\d+ answered 422: /),
    });
    await loose.close();
  });
});
