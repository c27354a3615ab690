import { describe, expect, it } from "vitest";
import { describeOpenApiTool, openApiPrint, readOpenApi } from "../../src/index.ts";
import { refusalOf } from "../read-one.ts";

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const names = (count: number): readonly string[] => numbers(count).map((index) => `n${index}`);
const pathsOf = (count: number, item: unknown): object => Object.fromEntries(numbers(count).map((index) => [`/a${index}`, item]));
const ref = { $ref: "#/components/schemas/B" };
/** A property that writes B out again, since it leaves one of its members out. */
const again = (count: number): object => ({
  type: "object",
  properties: Object.fromEntries(names(count).map((name) => [name, { allOf: [{ properties: { id: { readOnly: true } } }, ref] }])),
});
const tooManySteps = /^Its schemas take more than 1,000,000 steps to read\. Simplify/;
const doesNotFit =
  "It does not fit: the lists of all operations may have 5,000,000 entries together. Shorten the lists that they share, or include fewer operations.";

describe("a list that many operations share", () => {
  it("is copied 5,000,000 times at most, as the scopes of the document's security", () => {
    const count = 1_500;
    const scopes = 4_998; // 5,000 with the requirement and its scheme
    const { tools, refused } = readOpenApi({
      openapi: "3.1.0",
      security: [{ s: Array(scopes).fill("a") }],
      paths: pathsOf(count, { get: {} }),
      components: { securitySchemes: { s: { type: "http", scheme: "bearer" } } },
    });
    expect([tools.length, refused.length]).toEqual([1_000, 500]);
    expect(describeOpenApiTool(tools[0]!).security).toEqual([{ s: Array(scopes).fill("a") }]);
    expect(new Set(refused.map(({ reason }) => reason))).toEqual(new Set([doesNotFit]));
  });

  it("leaves a response out, as its media types, where there are more than 100", () => {
    const types = (count: number): object => ({ content: Object.fromEntries(names(count).map((name) => [`text/${name}`, {}])) });
    const paths = {
      ...pathsOf(500, { get: { responses: { 200: { $ref: "#/x" } } } }),
      "/fine": { get: { responses: { 200: types(100) } } },
    };
    const { tools, warnings } = readOpenApi({ openapi: "3.1.0", paths, x: types(5_000) });
    const accepted = tools.map((tool) => (JSON.parse(openApiPrint(tool)) as [unknown, { accept: string[] }])[1].accept.length);
    expect([tools.length, accepted[0], accepted[500]]).toEqual([501, 0, 100]);
    expect(warnings[0]).toMatch(/A response is left out: It has more than 100 media types\.$/);
  });

  it("is passed over after 20 entries, as links and their parameters, of which fewer are shown", () => {
    let looked = 0;
    const operation = Object.defineProperty({}, "operationId", { enumerable: true, get: () => `x${looked++}` });
    const links = Object.fromEntries(names(5_000).map((name) => [name, operation]));
    expect(readOpenApi({ openapi: "3.1.0", paths: pathsOf(50, { get: { responses: { 200: { links } } } }) }).tools).toHaveLength(50);
    expect(looked).toBeLessThanOrEqual(50 * 20 * 2);
  });

  it("is refused as tags, where there are more than 100", () => {
    const paths = { ...pathsOf(200, { $ref: "#/x" }), "/fine": { get: { tags: names(100) } } };
    const { tools, refused } = readOpenApi({ openapi: "3.1.0", paths, x: { get: { tags: names(200_000) } } });
    expect(tools.map(({ name, metadata }) => [name, metadata?.tags?.length])).toEqual([["get_fine", 100]]);
    expect(new Set(refused.map(({ reason }) => reason))).toEqual(
      new Set(["It has more than 100 tags. Shorten the list, or exclude the operation."]),
    );
  });

  it("is refused as additionalOperations, where there are more than 100", () => {
    const others = (count: number): object => ({ additionalOperations: Object.fromEntries(names(count).map((name) => [name, {}])) });
    const paths = { ...pathsOf(2, { $ref: "#/x" }), "/fine": others(100) };
    const { tools, refused } = readOpenApi({ openapi: "3.2.0", paths, x: others(101) });
    expect(tools).toHaveLength(100);
    expect(refused.map(({ reason }) => reason)).toEqual(
      Array(2).fill("The path has more than 100 additionalOperations. Shorten the list, or exclude the path."),
    );
  });
});

describe("a path item that many paths refer to", () => {
  it("gives each of them its methods, parameters and servers, with what a path says itself before them", () => {
    const shared = {
      get: { operationId: "of-item" },
      POST: { operationId: "capitals" },
      parameters: [{ name: "a", in: "query" }],
      servers: [{ url: "https://item.example" }],
    };
    const item = { $ref: "#/x", get: { operationId: "own" }, servers: [{ url: "https://own.example" }] };
    const { tools } = readOpenApi({ openapi: "3.1.0", paths: { "/a": { $ref: "#/x" }, "/b": item }, x: shared });
    const told = tools.map((tool) => [
      describeOpenApiTool(tool).operationId,
      describeOpenApiTool(tool).server,
      tool.inputSchema["properties"],
    ]);
    expect(told).toEqual([
      ["of-item", "https://item.example", { a: {} }],
      ["capitals", "https://item.example", { a: {} }],
      ["own", "https://own.example", { a: {} }],
      ["capitals", "https://own.example", { a: {} }],
    ]);
  });

  it("has one description for all of them, however long it is", () => {
    let looked = 0;
    const text = "a b ".repeat(100_000);
    const get = {
      summary: text,
      get description() {
        looked++;
        return `${text}.`;
      },
    };
    const { tools } = readOpenApi({ openapi: "3.1.0", paths: pathsOf(50, { $ref: "#/x" }), x: { get } });
    expect(describeOpenApiTool(tools[49]!).description).toBe(`${"a b ".repeat(12_499)}a…`);
    expect(looked).toBeLessThanOrEqual(2);
  });

  it("is not copied with what else it holds", () => {
    let looked = 0;
    const get = (): undefined => void looked++;
    const shared = Object.defineProperties({ get: {} }, Object.fromEntries(names(1_000).map((name) => [name, { enumerable: true, get }])));
    expect(readOpenApi({ openapi: "3.1.0", paths: pathsOf(50, { $ref: "#/x" }), x: shared }).tools).toHaveLength(50);
    expect(looked).toBe(0);
  });
});

describe("a list in a schema that is written out again and again", () => {
  it.each([
    ["an enum", { enum: numbers(50_000) }],
    ["a constant", { const: numbers(50_000) }],
    ["an example", { example: "x".repeat(50_000_000) }],
    ["required names", { required: names(50_000) }],
    ["names that depend on others", { dependentRequired: { id: names(50_000) } }],
    ["types", { type: Array(50_000).fill("object") }],
  ])("costs the operation its steps, as %s", (_, keywords) => {
    const component = { properties: { id: { type: "string" } }, ...keywords };
    expect(refusalOf(again(2_000), { B: component }, "3.1.0")).toMatch(tooManySteps);
  });

  it("costs the operation its steps, as the mapping of a discriminator", () => {
    const mapping = Object.fromEntries(names(5_000).map((name) => [name, "B"]));
    const schema = { oneOf: Array(5_000).fill(ref), discriminator: { propertyName: "t", mapping } };
    expect(refusalOf(schema, { B: { type: "object" } }, "3.1.0")).toMatch(tooManySteps);
  });

  it("is counted once where it is not written out again", () => {
    const properties = Object.fromEntries(names(1_000).map((name) => [name, ref]));
    expect(refusalOf({ type: "object", properties }, { B: { type: "integer", enum: numbers(3_000) } }, "3.1.0")).toBeUndefined();
  });
});

describe("a reference", () => {
  it("is refused where it has more than 2,000 characters, in each place", () => {
    const long = `#${"/a".repeat(1_000)}`;
    const reason = "A reference in it has more than 2,000 characters. Shorten it, or exclude the operation.";
    expect(refusalOf({ $ref: long })).toBe(reason);
    const paths = { ...pathsOf(1_000, { $ref: "#/x" }), "/fine": { get: {} } };
    const { tools, refused } = readOpenApi({ openapi: "3.1.0", paths, x: { $ref: `#${"/a".repeat(1_000_000)}` } });
    expect(tools).toHaveLength(1);
    expect(new Set(refused.map((one) => one.reason))).toEqual(new Set([reason]));
    expect(refusalOf({ $ref: long.slice(0, 2_000) })).toMatch(/which the document does not have/);
  });
});

describe("keys that occur twice", () => {
  it("are told up to 1,000 in YAML", () => {
    const { warnings } = readOpenApi(`openapi: 3.1.0\npaths: {}\nx:\n${"  a: 1\n".repeat(1_003)}`);
    expect([warnings.length, warnings[999], warnings[1_000]]).toEqual([
      1_001,
      "A key occurs twice in one object, at line 1004, column 3: the last one counts.",
      "There are more keys that occur twice than these 1,000.",
    ]);
  });

  it("are told up to 1,000 in JSON, each with the ten levels next to it", () => {
    const deep = (levels: number, inner: string): string =>
      `{"openapi":"3.1.0","x":${numbers(levels)
        .map((level) => `{"${level}${"-".repeat(level === 0 ? 1_000_000 : 0)}":`)
        .join("")}${inner}${"}".repeat(levels + 1)}`;
    const { warnings } = readOpenApi(deep(150, `{${'"b":1,'.repeat(100_000)}"b":1}`));
    const told = '… › 140 › 141 › 142 › 143 › 144 › 145 › 146 › 147 › 148 › 149 has the key "b" twice: the last one counts.';
    expect(warnings).toEqual([told, "There are more keys that occur twice than these 1,000."]);
    expect(readOpenApi(deep(2, '{"b":1,"b":2}')).warnings[0]).toMatch(/^x › 0-{79} › 1 has the key "b" twice/);
    const others = numbers(1_000).map((index) => `"k${index}":1,"k${index}":2`);
    expect(readOpenApi(deep(1, `{${others.join(",")}}`)).warnings).toHaveLength(1_001 - 1);
  });
});
