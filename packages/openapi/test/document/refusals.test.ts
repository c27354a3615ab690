import { describe, expect, it } from "vitest";
import { readOpenApi, type ReadOpenApiOptions } from "../../src/index.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const body = (schema: unknown) => ({ requestBody: { content: { "application/json": { schema } } } });
const nested = (levels: number): object => (levels === 0 ? {} : { type: "array", items: nested(levels - 1) });
const list = (length: number): readonly unknown[] => Array.from({ length }, () => ({ type: "string" }));

const components = {
  schemas: {
    A: { $ref: "#/components/schemas/B" },
    B: { $ref: "#/components/schemas/A" },
    Endless: { allOf: [{ $ref: "#/components/schemas/Endless" }] },
  },
  securitySchemes: { host: { type: "apiKey", in: "header", name: "Host" } },
};

/** Each a path item, with the operation that is refused and a part of the fact. */
const faults: readonly (readonly [string, unknown, string, RegExp])[] = [
  ["/gone", { post: body(ref("Gone")) }, "POST /gone", /"#\/components\/schemas\/Gone", which the document does not have/],
  ["/circle", { post: body(ref("A")) }, "POST /circle", /refers to itself, with nothing else/],
  ["/endless", { post: body(ref("Endless")) }, "POST /endless", /"Endless" refers to itself without end/],
  [
    "/outside",
    { post: body({ $ref: "https://other.example/a.json" }) },
    "POST /outside",
    /outside of the document, and nothing is fetched/,
  ],
  ["/deep", { post: body(nested(70)) }, "POST /deep", /nested more than 60 deep/],
  ["/wide", { post: body({ type: "array", items: { anyOf: list(100_001) } }) }, "POST /wide", /more than 100000 parts/],
  ["/many", { post: body({ anyOf: list(5_001) }) }, "POST /many", /more than 5000 values/],
  ["/parts", { post: body({ allOf: list(1_001) }) }, "POST /parts", /more than 1,000 schemas/],
  ["/value", { post: body({ const: list(100_001) }) }, "POST /value", /"const" of a schema has more than 100000 values/],
  ["/a/../b", { get: {} }, "GET /a/../b", /"\.\." as a segment/],
  ["/a\\b", { get: {} }, "GET /a\\b", /backslash/],
  ["/header", { get: { parameters: [{ name: "a b", in: "header" }] } }, "GET /header", /"a b" cannot be the name of a header/],
  ["/key", { get: { security: [{ host: [] }] } }, "GET /key", /"host" puts its key into the header "Host"/],
  ["/look", { get: { parameters: [{ name: "p\u0430ss", in: "query" }] } }, "GET /look", /looks like "pass"/],
  ["/hidden/{v}", { get: {} }, "GET /hidden/{v}", /"v" is hidden, but the path needs it/],
  ["/trace", { trace: {} }, "TRACE /trace", /never sent/],
  ["/text", { get: "x" }, "GET /text", /not an object/],
  ["/path", "x", "* /path", /The path is not an object/],
  ["/item", { $ref: "#/components/pathItems/Gone" }, "* /item", /which the document does not have/],
  ["/beside", { $ref: "https://other.example/x.json", get: {}, post: {} }, "GET /beside", /outside of the document/],
  ["/twice", { get: {}, GET: {} }, "GET /twice", /this operation twice/],
];

const read = (path: string, item: unknown, options: ReadOpenApiOptions = {}) =>
  readOpenApi({ openapi: "3.1.0", paths: { [path]: item, "/fine": { get: { operationId: "fine" } } }, components }, options);

describe("an operation that is refused", () => {
  it.each(faults)("is named with the fact and the next step, and costs no other: %s", (path, item, operation, fact) => {
    const { tools, refused } = read(path, item, { hide: ["path:v"] });
    const reason = refused.find((one) => one.operation === operation)?.reason ?? "";
    expect(reason).toMatch(fact);
    expect(reason).toMatch(/\. (?:Mend|Exclude|Shorten|Use|Load|Describe|Take|Include|Pin|Simplify) .+\.$/);
    expect(tools.map(({ name }) => name)).toContain("fine");
  });

  it("is every one of a path item that cannot be read, where its methods are known", () => {
    const item = { $ref: "#/gone", get: { operationId: "a" }, post: {} };
    expect(read("/x", item).refused.map(({ operation }) => operation)).toEqual(["GET /x", "POST /x"]);
  });

  it.each(faults)("is not told where it is excluded, as its next step says: %s", (path, item) => {
    expect(read(path, item, { hide: ["path:v"], exclude: { path } }).refused).toEqual([]);
    expect(read(path, item, { include: "fine" }).refused).toEqual([]);
  });
});
