import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { Issue } from "../../src/validate/issues.ts";
import { validateValue } from "../../src/validate/validate.ts";

function issuesOf(schema: unknown, value: unknown): readonly Issue[] {
  const result = validateValue(schema, value);
  return result.ok ? [] : result.issues;
}

const messagesOf = (schema: unknown, value: unknown): string[] => issuesOf(schema, value).map((issue) => issue.message);

describe("the sentence of a fault", () => {
  it.each<[keyword: string, schema: Record<string, unknown>, value: unknown, message: string]>([
    ["type", { type: "integer" }, 1.5, "a must be a whole number, but it is 1.5."],
    ["several types", { type: ["string", "null"] }, [1, 2], "a must be a text or null, but it is a list of 2."],
    ["enum", { enum: ["red", "blue"] }, "blu", 'a must be "red" or "blue", but it is "blu". Did you mean "blue"?'],
    ["enum without a near word", { enum: ["red", 5, null] }, "x", 'a must be "red", 5 or null, but it is "x".'],
    ["an empty enum", { enum: [] }, 1, "a must be absent (the schema allows no value), but it is 1."],
    ["const", { const: { a: 1 } }, {}, 'a must be {"a":1}, but it is an empty object.'],
    ["minimum", { minimum: 5 }, 4, "a must be at least 5, but it is 4."],
    ["exclusiveMaximum", { exclusiveMaximum: 5 }, 5, "a must be below 5, but it is 5."],
    ["multipleOf", { multipleOf: 2 }, 3, "a must be a multiple of 2, but it is 3."],
    ["minLength", { minLength: 2 }, "x", "a must have at least 2 characters, but it has 1 character."],
    ["maxItems", { maxItems: 1 }, [1, 2], "a must have at most 1 item, but it has 2 items."],
    ["minProperties", { minProperties: 1 }, {}, "a must have at least 1 property, but it has 0 properties."],
    ["pattern", { pattern: "^a" }, "b", 'a must be a text that matches ^a, but it is "b".'],
    ["format", { format: "date" }, "today", 'a must be a valid date, but it is "today".'],
    ["uniqueItems", { uniqueItems: true }, [1, 2, 1], "a[2] must differ from every other item, but 1 is there already."],
    ["required", { required: ["b"] }, {}, "a.b is required, but it is missing."],
    ["additionalProperties", { additionalProperties: false }, { b: 1 }, "a.b is not a parameter here. There are none."],
    ["propertyNames", { propertyNames: { maxLength: 1 } }, { long: 1 }, 'a.long must be an allowed property name, but it is "long".'],
    ["dependentRequired", { dependentRequired: { b: ["c"] } }, { b: 1 }, 'a.c is required when "b" is given, but it is missing.'],
    ["contains", { contains: { const: 1 } }, [2], "a must be a list with at least 1 matching item, but it is a list of 1."],
    ["not", { not: { const: 1 } }, 1, "a must not be 1: its schema excludes this."],
    ["false", { properties: { b: false } }, { b: 1 }, "a.b must be absent, but it is 1."],
    ["oneOf", { oneOf: [{}, { type: "string" }] }, "x", 'a must be of exactly one of the allowed kinds, but it is "x".'],
    ["anyOf of types", { anyOf: [{ type: "string" }, { type: "null" }] }, 5, "a must be a text or null, but it is 5."],
  ])("about %s says where, what was expected and what came", (_keyword, schema, value, message) => {
    expect(messagesOf({ properties: { a: schema } }, { a: value })).toEqual([message]);
  });

  it("names the whole input, list items and nested parts as a person would", () => {
    expect(messagesOf({ type: "object" }, 5)).toEqual(["The input must be an object, but it is 5."]);
    const schema = { properties: { tags: { items: { properties: { key: { type: "string" } } } } } };
    expect(messagesOf(schema, { tags: [{}, { key: 1 }] })).toEqual(["tags[1].key must be a text, but it is 1."]);
  });

  it("stays short, whatever came", () => {
    const long = "x".repeat(10_000);
    const schema = { additionalProperties: { type: "integer" } };
    for (const value of [{ a: long }, { [long]: 1.5 }, { a: { [long]: 1, b: 2, c: 3, d: 4 } }]) {
      expect(messagesOf(schema, value)[0]!.length).toBeLessThan(400);
    }
    const choices = Array.from({ length: 40 }, (_, index) => `choice ${index}`);
    expect(messagesOf({ enum: choices }, "none")[0]).toContain('"choice 11" or 28 more');
  });

  it("suggests parameters that are spelt alike, or hold a value that belongs elsewhere", () => {
    const schema = {
      properties: { path: {}, maxResults: {}, action: { enum: ["grep", "list"] } },
      required: ["action"],
      additionalProperties: false,
    };
    expect(messagesOf(schema, { action: "grep", file_path: "a", max_results: 5 })).toEqual([
      'file_path is not a parameter here. Did you mean "path"?',
      'max_results is not a parameter here. Did you mean "maxResults"?',
    ]);
    expect(messagesOf(schema, { verb: "list" })[0]).toContain('Did you mean "action" where you wrote "verb"?');
    expect(messagesOf(schema, { verb: "dance" })[0]).not.toContain("Did you mean");
  });
});

describe("of alternatives that all fail", () => {
  const shapes = {
    oneOf: [
      { properties: { kind: { const: "circle" }, radius: { type: "number" } }, required: ["kind", "radius"] },
      { properties: { kind: { const: "square" }, side: { type: "number" } }, required: ["kind", "side"] },
    ],
  };

  it("the faults of the one that was meant are listed", () => {
    expect(messagesOf(shapes, { kind: "square", side: "5" })).toEqual(['side must be a number, but it is "5".']);
    expect(messagesOf(shapes, { kind: "circle" })).toEqual(["radius is required, but it is missing."]);
  });

  it("every value of the property that tells them apart is listed, with the branch that was nearly right", () => {
    expect(messagesOf(shapes, { kind: "triangle", base: 1 })).toEqual(['kind must be "circle" or "square", but it is "triangle".']);
    expect(messagesOf(shapes, { kind: "sqare", side: "5" })).toEqual([
      'kind must be "circle" or "square", but it is "sqare". Did you mean "square"?',
      'side must be a number, but it is "5".',
    ]);
    expect(messagesOf(shapes, { kind: "box", side: 5 })).toEqual([
      'kind must be "circle" or "square", but it is "box". Everything else fits "square".',
    ]);
    expect(messagesOf(shapes, { side: 5 })).toEqual([
      'kind is required ("circle" or "square"), but it is missing. Everything else fits "square".',
    ]);
    expect(messagesOf(shapes, {})).toEqual(['kind is required ("circle" or "square"), but it is missing.']);
  });

  it("lists the values below references, beside null, and of an enum in a branch", () => {
    const schema = {
      properties: { shape: { anyOf: [{ type: "null" }, { $ref: "#/$defs/a" }, { $ref: "#/$defs/b" }] } },
      $defs: {
        a: { type: "object", properties: { op: { enum: ["add", "sub"] } }, required: ["op"] },
        b: { type: "object", properties: { op: { const: "neg" } }, required: ["op"] },
      },
    };
    const [issue] = issuesOf(schema, { shape: { op: "mul" } });
    expect(issue).toEqual({
      path: "/shape/op",
      keyword: "enum",
      message: 'shape.op must be "add", "sub" or "neg", but it is "mul".',
      expected: '"add", "sub" or "neg"',
      received: '"mul"',
    });
    expect(messagesOf(schema, { shape: {} })).toEqual(['shape.op is required ("add", "sub" or "neg"), but it is missing.']);
  });

  it("the nearest counts, below references and other alternatives too", () => {
    const schema = { items: { anyOf: [{ type: "null" }, { $ref: "#/$defs/shape" }] }, $defs: { shape: shapes } };
    expect(messagesOf(schema, [null, { kind: "circle", radius: "1" }])).toEqual(['[1].radius must be a number, but it is "1".']);
  });
});

describe("an issue", () => {
  const [issue] = issuesOf({ properties: { "a/b~c": { enum: ["red"] } } }, { "a/b~c": "rad" });

  it("is plain data wherever it is sent or shown", () => {
    const plain = {
      path: "/a~1b~0c",
      keyword: "enum",
      message: 'a/b~c must be "red", but it is "rad". Did you mean "red"?',
      expected: '"red"',
      received: '"rad"',
      suggestion: "red",
    };
    expect(JSON.parse(JSON.stringify(issue))).toEqual(plain);
    expect({ ...issue }).toEqual(plain);
    expect(structuredClone(issue)).toEqual(plain);
    expect(Object.keys(issue!)).toEqual(Object.keys(plain));
    expect(inspect(issue)).toBe(inspect(plain));
  });

  it("leaves out a suggestion where there is none", () => {
    expect(JSON.parse(JSON.stringify(issuesOf({ type: "string" }, 1)[0]))).toEqual({
      path: "",
      keyword: "type",
      message: "The input must be a text, but it is 1.",
      expected: "a text",
      received: "1",
    });
  });
});
