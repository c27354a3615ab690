import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { loadOpenApi, openApiSource, readOpenApi } from "../../src/index.ts";
import { openLoopback } from "../call/loopback.ts";

const operation = (schema: unknown) => ({ post: { requestBody: { content: { "application/json": { schema } } } } });

describe("reading a document", () => {
  it("asks no server and opens no file, whatever it refers to", async () => {
    const { url, met } = await openLoopback();
    const outside = [
      `${url}/a.json#/A`,
      `${url}/`,
      `//${new URL(url).host}/a.json`,
      pathToFileURL(import.meta.filename).href,
      "/etc/passwd",
    ];
    const paths = Object.fromEntries(outside.map((place, index) => [`/${index}`, operation({ $ref: place })]));
    const item = { "/item": { $ref: `${url}/item.json` } };
    const parameter = { "/parameter": { get: { parameters: [{ $ref: `${url}/p.json` }] } } };
    const document = {
      openapi: "3.1.0",
      servers: [{ url }],
      externalDocs: { url },
      components: { securitySchemes: { oidc: { type: "openIdConnect", openIdConnectUrl: `${url}/.well-known/openid-configuration` } } },
      security: [{ oidc: [] }],
      paths: { ...paths, ...item, ...parameter, "/fine": { get: { operationId: "fine" } } },
    };
    for (const { tools, refused } of [readOpenApi(document), await loadOpenApi(JSON.stringify(document), { url: `${url}/openapi.json` })]) {
      expect(tools.map(({ name }) => name)).toEqual(["fine"]);
      expect(refused).toHaveLength(outside.length + 2);
      for (const { reason } of refused) expect(reason).toMatch(/outside of the document, and nothing is fetched while reading\. Load it/);
    }
    expect(met).toEqual([]);
  });

  it("converts a component once for each direction, however many operations use it", () => {
    const countReads = (operations: number): number => {
      let reads = 0;
      const pet = {
        type: "object",
        get title() {
          reads++;
          return "Pet";
        },
      };
      const content = { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } };
      const one = { post: { requestBody: { content }, responses: { 200: { content } } } };
      const paths = Object.fromEntries(Array.from({ length: operations }, (_, index) => [`/${index}`, one]));
      expect(readOpenApi({ openapi: "3.1.0", paths, components: { schemas: { Pet: pet } } }).tools).toHaveLength(operations);
      return reads;
    };
    expect(countReads(200)).toBe(countReads(1));
  });

  it("is not done again for a text that is the same", async () => {
    const text = JSON.stringify({ openapi: "3.1.0", paths: { "/a": { get: {} } } });
    let asked = 0;
    const source = openApiSource({ name: "same", document: () => (asked++, `${text}${asked > 2 ? " " : ""}`) });
    const list = async () => [await source.list({ signal: AbortSignal.timeout(60_000) }), source.report()] as const;
    const [first, second, third] = [await list(), await list(), await list()];
    expect(second[0]).toBe(first[0]);
    expect(second[1]).toBe(first[1]);
    expect(third[1]).not.toBe(first[1]);
    expect(third[0][0]).toBe(first[0][0]);
    expect(asked).toBe(3);
  });
});
