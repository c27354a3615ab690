import { ToolError } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { buildRequest, readOpenApi, type ReadOpenApiOptions } from "../../src/index.ts";

/** JSON that cannot be made into a text: `String(value)` throws. */
const unprintable: unknown = JSON.parse('{ "toString": 1, "valueOf": 1 }');
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** Reads an operation beside a plain one, which has to live. */
function readBeside(item: unknown, options: ReadOpenApiOptions = {}, more: object = {}) {
  const paths = { "/plain": { get: { operationId: "plain" } }, "/x": item };
  const read = readOpenApi({ openapi: "3.1.0", servers: [{ url: "https://api.example.com" }], paths, ...more }, options);
  expect(read.tools.map(({ name }) => name)).toContain("plain");
  return read;
}

describe("a value that cannot be shown as text", () => {
  it("is told as what it is where the version should be", () => {
    const read = (): unknown => readOpenApi({ openapi: unprintable, paths: {} });
    expect(read).toThrow(ToolError);
    expect(read).toThrow("The document has the version an object.");
  });

  it.each([unprintable, [unprintable]])("is any type where a type should be", (type) => {
    const { tools, warnings } = readBeside({ get: { parameters: [{ name: "a", in: "query", schema: { type } }] } });
    expect(tools.length).toBe(2);
    expect(warnings).toEqual(['GET /x: The type "an object" is read as any value.']);
  });

  it("is no name where a required name should be", () => {
    const schema = { type: "object", required: [unprintable, "f"], properties: { f: { type: "string", format: "binary" } } };
    const { tools } = readBeside({ post: { requestBody: { content: { "multipart/form-data": { schema } } } } });
    expect(tools[1]!.inputSchema["properties"]).toMatchObject({ body: { required: ["f"] } });
  });

  it("costs at most one operation, wherever it stands", () => {
    const keys = ["operationId", "tags", "summary", "description", "parameters", "responses", "security", "servers", "requestBody"];
    for (const key of keys) expect(readBeside({ get: { [key]: unprintable } }).refused.length).toBeLessThan(2);
    const keywords = [
      "enum",
      "pattern",
      "items",
      "properties",
      "allOf",
      "format",
      "minimum",
      "default",
      "example",
      "discriminator",
      "$ref",
    ];
    for (const keyword of keywords)
      for (const value of [unprintable, [unprintable]]) {
        const schema = { type: "object", [keyword]: value, oneOf: [{ [keyword]: value }] };
        const content = { "application/json": { schema } };
        expect(readBeside({ post: { requestBody: { content }, responses: { 200: { content } } } }).refused.length).toBeLessThan(2);
      }
  });
});

describe("a given document that cannot be read", () => {
  it.each([
    ["a path", { $ref: "b.yaml#/a" }],
    ["a parameter", { get: { parameters: [{ $ref: "b.yaml#/a" }] } }],
  ])("costs the operations that refer to it, as %s", (_, item) => {
    const { refused } = readBeside(item, { documents: { "b.yaml": "{{{{" } });
    expect(refused[0]!.reason).toMatch(/^The document "b.yaml" is not valid YAML at line 1/);
  });

  it("may refer to what is no URL", () => {
    const { refused } = readBeside({ $ref: "a/b.yaml#/p" }, { documents: { "a/b.yaml": { p: { $ref: "//[#/x" } } } });
    expect(refused[0]!.reason).toMatch(/refers to "\/\/\[", which is outside of the document/);
  });
});

describe("a path that no server reads", () => {
  it.each(["a/", "{a}", "{"])("is refused when %s is repeated in it without end", (part) => {
    const path = `/${part.repeat(1_000_000)}`;
    const { refused, warnings } = readOpenApi({ openapi: "3.1.0", paths: { [path]: { get: {} } } }, { include: ["**b**", "/**"] });
    const reason = "The path has more than 2,000 characters. Shorten it, or exclude the path.";
    expect(refused).toEqual([{ operation: `GET ${path.slice(0, 2_000)}`, reason }]);
    expect(warnings).toEqual([]);
  });
});

describe("schemas that refer to each other", () => {
  const $ref = (index: number): object => ({ $ref: `#/components/schemas/S${index}` });
  const bodyOf = (schema: unknown): object => ({ post: { requestBody: { content: { "application/json": { schema } } } } });
  const properties = (count: number, schema: object): object =>
    Object.fromEntries(numbers(count).map((index) => [`p${index}`, { type: "string", ...schema }]));

  it("are refused by the operation that would look at too many properties, and stay there for others", () => {
    const schemas: Record<string, object> = { S400: { type: "object", properties: { id: { type: "string" } } } };
    for (const index of numbers(400)) schemas[`S${index}`] = { allOf: [$ref(index + 1)], properties: properties(100, {}) };
    const small = { get: { responses: { 200: { content: { "application/json": { schema: $ref(399) } } } } } };
    const { refused, tools } = readBeside({ ...bodyOf($ref(0)), ...small }, {}, { components: { schemas } });
    expect(refused).toEqual([
      {
        operation: "POST /x",
        reason: "Its schemas take more than 1,000,000 steps to read. Simplify how they refer to each other, or exclude the operation.",
      },
    ]);
    expect(tools.find(({ name }) => name === "get_x")!.outputSchema).toMatchObject({ $defs: { S400: { type: "object" } } });
  });

  it("are refused where thousands leave out the names of one", () => {
    const schemas: Record<string, object> = { Base: { type: "object", properties: properties(5_000, { readOnly: true }) } };
    for (const index of numbers(400))
      schemas[`S${index}`] = { allOf: [{ $ref: "#/components/schemas/Base" }], properties: { next: $ref((index + 1) % 400) } };
    expect(readBeside(bodyOf($ref(0)), {}, { components: { schemas } }).refused[0]!.reason).toMatch(/more than 1,000,000 steps/);
  });

  it("take one step for each value of a discriminator's mapping, not for each pair of value and branch", () => {
    const schemas = Object.fromEntries(numbers(700).map((index) => [`S${index}`, { type: "object", title: `T${index}` }]));
    const mapping = Object.fromEntries(
      numbers(20_000).map((index) => [`m${index}`, index < 700 ? `#/components/schemas/S${index}` : "nowhere"]),
    );
    const oneOf = numbers(700).map($ref);
    const { tools } = readBeside(bodyOf({ oneOf, discriminator: { propertyName: "kind", mapping } }), {}, { components: { schemas } });
    const body = (tools[1]!.inputSchema["properties"] as { body: { oneOf: unknown[] } }).body;
    expect(body.oneOf[699]).toMatchObject({ properties: { kind: { const: "m699" } }, required: ["kind"] });
  });
});

describe("components that thousands of operations reach", () => {
  it("are refused by those that do not fit into what the tools of one document may hold", () => {
    const parameters = [{ in: "query", name: "a", schema: { $ref: "#/components/schemas/Big" } }];
    const paths = {
      ...Object.fromEntries(numbers(12).map((index) => [`/x${index}`, { get: { parameters } }])),
      "/small": { get: {} },
    };
    const components = { schemas: { Big: { enum: numbers(1_000) } } };
    const { tools, refused } = readOpenApi({ openapi: "3.1.0", paths, components }, { maxSchemaValues: 10_000 });
    expect(tools.map(({ name }) => name)).toEqual([...numbers(9).map((index) => `get_x${index}`), "get_small"]);
    expect(refused.map(({ operation }) => operation)).toEqual(["GET /x9", "GET /x10", "GET /x11"]);
    expect(refused[0]!.reason).toBe("It does not fit: the schemas of all tools may have 10,000 values together. Include fewer operations.");
  });
});

describe("warnings without end", () => {
  it("are told up to a number, and then that there are more", () => {
    const parameters = numbers(12_000).map((index) => ({ in: `place${index}`, name: "a" }));
    const { warnings } = readBeside({ get: { parameters } });
    expect(warnings.length).toBe(10_001);
    expect(warnings.at(-1)).toBe("There are more warnings than these 10,000.");
  });
});

describe("the value of a header", () => {
  it("is refused where it has characters that no header can carry", () => {
    const parameters = [{ name: "X-Name", in: "header", schema: { type: "string" } }];
    const { tools } = readOpenApi({ openapi: "3.1.0", servers: [{ url: "https://a.example" }], paths: { "/x": { get: { parameters } } } });
    expect(buildRequest(tools[0]!, { "X-Name": "Zoë" }).headers["x-name"]).toBe("Zoë");
    expect(() => buildRequest(tools[0]!, { "X-Name": "日本" })).toThrow(
      'The header "x-name" of GET /x must not contain characters beyond Latin-1.',
    );
  });
});
