import { describe, expect, it } from "vitest";
import { buildRequest, callOpenApi, describeOpenApiTool, readOpenApi, type ReadOpenApiOptions } from "../../src/index.ts";
import { openLoopback } from "../call/loopback.ts";

/** From the best to the last. */
const inOrder = [
  "application/json; charset=utf-8",
  "application/vnd.api+json",
  "multipart/form-data",
  "application/x-www-form-urlencoded",
  "text/plain",
  "application/xml",
  "application/x-own",
  "application/octet-stream",
];

function chosen(types: readonly string[], options: ReadOpenApiOptions = {}): string | undefined {
  const content = Object.fromEntries(types.map((type) => [type, { schema: { type: "string" } }]));
  const paths = { "/x": { post: { requestBody: { content } } } };
  return describeOpenApiTool(readOpenApi({ openapi: "3.1.0", paths }, options).tools[0]!).body?.contentType;
}

describe("the media type of a body", () => {
  it("is the best of those that the document names, in whatever order it names them", () => {
    for (const [index, best] of inOrder.entries()) {
      expect(chosen(inOrder.slice(index))).toBe(best);
      expect(chosen(inOrder.slice(index).toReversed())).toBe(best);
    }
    expect(chosen(["*/*", "application/vnd.api+json"])).toBe("application/vnd.api+json");
    expect(chosen(["multipart/form-data", "*/*"])).toBe("application/json");
    expect(chosen(["text/b", "text/a"])).toBe("text/b");
  });

  it("is the one that the options prefer, the first of them that is there", () => {
    expect(chosen(inOrder, { contentType: "text/plain" })).toBe("text/plain");
    expect(chosen(inOrder, { contentType: ["image/png", "Application/XML", "text/plain"] })).toBe("application/xml");
    expect(chosen(inOrder, { contentType: "image/png" })).toBe(inOrder[0]);
  });
});

describe("the media types of an answer in Swagger 2", () => {
  const swagger = (produces: readonly string[] | undefined, own: readonly string[] | undefined, schema: object) => ({
    swagger: "2.0",
    ...(produces && { produces }),
    paths: { "/x": { get: { ...(own && { produces: own }), responses: { 200: { description: "", schema } } } } },
  });
  const outputOf = (document: object) => readOpenApi(document).tools[0]!.outputSchema;

  it("are those of the document, unless the operation has its own", () => {
    const schema = { type: "object" };
    expect(outputOf(swagger(undefined, undefined, schema))).toEqual(schema);
    expect(outputOf(swagger(["application/json"], undefined, schema))).toEqual(schema);
    expect(outputOf(swagger(["text/csv"], undefined, schema))).toBeUndefined();
    expect(outputOf(swagger(["text/csv"], ["application/json"], schema))).toEqual(schema);
    expect(outputOf(swagger(["application/json"], ["text/csv"], schema))).toBeUndefined();
    expect(outputOf(swagger(["application/json"], [], schema))).toEqual(schema);
    expect(outputOf(swagger(["application/json"], undefined, { type: "file" }))).toBeUndefined();
  });

  it("are asked for", async () => {
    const { host, url, met } = await openLoopback();
    const { tools } = readOpenApi(swagger(["text/csv"], undefined, { type: "file" }), { allowHosts: [host] });
    await callOpenApi(tools[0]!, {}, { baseUrl: url });
    expect(met[0]!.headers.accept).toContain("text/csv");
  });
});

describe("line breaks and quotes in what a document calls things", () => {
  const evil = 'a"\r\nX-Evil: yes\r\n\r\n';

  it("begin no header and no part, in names of fields, queries and cookies", async () => {
    const { host, url, met } = await openLoopback();
    const schema = { type: "object", properties: { [evil]: { type: "string" }, file: { type: "string", format: "binary" } } };
    const parameters = ["query", "cookie"].map((place) => ({ name: evil, in: place, schema: { type: "string" } }));
    const encoding = { file: { contentType: "image/png\r\nX-Evil: yes" } };
    const requestBody = { required: true, content: { "multipart/form-data": { schema, encoding } } };
    const { tools, refused } = readOpenApi(
      { openapi: "3.1.0", paths: { "/x": { post: { operationId: evil, parameters, requestBody } } } },
      { allowHosts: [host] },
    );
    expect(refused).toEqual([]);
    expect(tools[0]!.name).toBe("a_X-Evil_yes");
    const input = Object.fromEntries(describeOpenApiTool(tools[0]!).parameters.map(({ property, in: place }) => [property, place]));
    await callOpenApi(tools[0]!, { ...input, file: "AQ==" }, { baseUrl: url });
    const { headers, body, url: asked } = met[0]!;
    expect(headers).not.toHaveProperty("x-evil");
    expect(asked).toBe(`/x?${encodeURIComponent(evil)}=query`);
    expect(headers.cookie).toBe(`${encodeURIComponent(evil)}=cookie`);
    expect(body.toString("latin1")).toContain('name="a%22%0D%0AX-Evil: yes%0D%0A%0D%0A"');
    expect(body.toString("latin1")).not.toContain("\r\nX-Evil");
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": headers["content-type"]! } }).formData();
    expect([...form.keys()]).toHaveLength(2);
  });

  it("are refused as the name of a header, and no way to sign in", () => {
    const securitySchemes = {
      h: { type: "apiKey", in: "header", name: evil },
      c: { type: "apiKey", in: "cookie", name: evil },
      q: { type: "apiKey", in: "query", name: evil },
    };
    const security = [{ h: [] }, { c: [] }, { q: [] }];
    const { tools, warnings } = readOpenApi({
      openapi: "3.1.0",
      servers: [{ url: "https://api.example.com" }],
      components: { securitySchemes },
      paths: { "/x": { get: { security } } },
    });
    expect(warnings).toEqual([
      'GET /x: The security scheme "h" has a name that no header can have.',
      'GET /x: The security scheme "c" has a name that no cookie can have.',
    ]);
    const { url, headers } = buildRequest(tools[0]!, {}, { secrets: { h: "1", c: "2", q: "3" } });
    expect([url, headers]).toEqual([`https://api.example.com/x?${encodeURIComponent(evil)}=3`, {}]);
  });
});
