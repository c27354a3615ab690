import { sized } from "@toolrack/testkit/sized";
import { describe, expect, it } from "vitest";
import { readOpenApi } from "../../src/index.ts";
import { documentWith, readOne, refusalOf } from "../read-one.ts";

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const head = "openapi: 3.1.0\ninfo: {}\nservers: [{url: 'https://api.example.com'}]\n";

describe("a document that is made to be slow", () => {
  it("is read with a mapping of many keys, and keys that occur twice are still told", () => {
    const count = sized(20_000, 60_000);
    const keys = numbers(count).map((index) => `  k${index}: 1\n`);
    const { tools, warnings } = readOpenApi(`${head}paths: {/x: {get: {}}}\nx-a:\n${keys.join("")}  k7: 2\n`);
    expect(tools.length).toBe(1);
    expect(warnings).toEqual([`A key occurs twice in one object, at line ${count + 6}, column 3: the last one counts.`]);
  });

  it("is refused where references or allOf only lead on and on", () => {
    const chain = (make: (next: string) => unknown, count: number) =>
      Object.fromEntries([
        ...numbers(count).map((index) => [`A${index}`, make(`#/components/schemas/A${index + 1}`)]),
        [`A${count}`, { type: "string" }],
      ]);
    const long = sized(12_000, 30_000);
    const start = { $ref: "#/components/schemas/A0" };
    expect(
      refusalOf(
        start,
        chain(($ref) => ({ $ref }), long),
      ),
    ).toMatch(/more than 100 references/);
    expect(
      refusalOf(
        start,
        chain(($ref) => ({ allOf: [{ $ref }] }), long),
      ),
    ).toMatch(/more than 1,000 schemas/);
    expect(
      readOne(
        start,
        chain(($ref) => ({ anyOf: [{ $ref }] }), long),
      ).tool.name,
    ).toBe("post_x");
    expect(
      readOne(
        start,
        chain(($ref) => ({ allOf: [{ $ref }] }), 50),
      ).defs,
    ).toHaveProperty("A50");
  });

  it("names what has a long run of marks in its name", () => {
    const name = `a${"-".repeat(300_000)}a`;
    const parameters = [{ in: "query", name: `a${"_".repeat(300_000)}a` }];
    const { tools } = readOpenApi({ openapi: "3.0.0", paths: { "/x": { get: { operationId: name, parameters } } } });
    expect(tools[0]!.name).toMatch(/^a_[0-9a-f]{8}$|^a-+_[0-9a-f]{8}$|^a$/);
    expect(Object.keys(tools[0]!.inputSchema["properties"] as object)[0]).toMatch(/^a_*[0-9a-f]{8}$/);
  });

  it("has no server where its address is endless", () => {
    const variables = { a: { default: "x".repeat(5_000) } };
    for (const url of [`https://api.example.com/${"/".repeat(200_000)}a`, "https://api.example.com/{a}{a}"]) {
      const { tools, warnings } = readOpenApi({ openapi: "3.0.0", servers: [{ url, variables }], paths: { "/x": { get: {} } } });
      expect(tools[0]!.metadata?.needs).toBeUndefined();
      expect(warnings[0]).toMatch(/more than 2000 characters. Set baseUrl/);
    }
  });

  it("finds an anchor that thousands of references name", () => {
    const components = Object.fromEntries([
      ...numbers(4_000).map((index) => [`A${index}`, { properties: { a: {}, b: {} } }]),
      ["Z", { $anchor: "zz", type: "string" }],
    ]);
    const properties = Object.fromEntries(numbers(1_500).map((index) => [`p${index}`, { $ref: "#zz" }]));
    const { tool } = readOne({ type: "object", properties }, components, "3.1.0");
    expect(JSON.stringify(tool.inputSchema["$defs"])).toContain('"type":"string"');
  });
});

describe("a value in a schema that is nested too deeply", () => {
  const deep = numbers(20_000).reduce<unknown>((inner) => [inner], 1);

  it.each(["default", "example", "enum", "const", "examples"])("costs one operation, as %s", (key) => {
    const document = documentWith({ type: "array", [key]: key === "enum" || key === "examples" ? [deep] : deep }, {}, "3.1.0");
    (document["paths"] as Record<string, unknown>)["/fine"] = { get: {} };
    const { tools, refused } = readOpenApi(document);
    expect(tools.map(({ name }) => name)).toEqual(["get_fine"]);
    expect(refused[0]?.reason).toMatch(new RegExp(`"${key}".*nested more than 100 deep`));
  });

  it.each(["default: &s [*s]", "example: &s [*s]", "enum: &s [*s]"])("costs one operation, as the alias of itself in %s", (text) => {
    const schema = `{type: array, ${text}}`;
    const paths = `paths:\n  /x:\n    get:\n      parameters:\n        - {in: query, name: a, schema: ${schema}}\n  /fine: {get: {}}\n`;
    const { tools, refused } = readOpenApi(`${head}${paths}`);
    expect([tools.map(({ name }) => name), refused.map(({ operation }) => operation)]).toEqual([["get_fine"], ["GET /x"]]);
  });
});
