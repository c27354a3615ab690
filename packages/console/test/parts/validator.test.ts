import { describe, expect, it } from "vitest";
import { check } from "../../src/parts/validator.ts";

const schema = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 2, maxLength: 5 },
    age: { type: "integer", minimum: 1, maximum: 9 },
    kind: { enum: ["a", "b"] },
    site: { type: "string", format: "uri" },
    tags: { type: "array", items: { type: "string" } },
  },
  required: ["name"],
} as const;
const told = (value: unknown): readonly (readonly [string | undefined, string | undefined])[] =>
  check(schema as never, value).map(({ property, message }) => [property, message] as const);

describe("what a form finds wrong", () => {
  it("is told at the innermost place, in words", () => {
    expect(told({ name: "x" })).toEqual([[".name", "must have at least 2 characters"]]);
    expect(told({ name: "abcdefg" })).toEqual([[".name", "must have at most 5 characters"]]);
    expect(told({ name: "ab", age: 12 })).toEqual([[".age", "must be at most 9"]]);
    expect(told({ name: "ab", age: 0 })).toEqual([[".age", "must be at least 1"]]);
    expect(told({ name: "ab", site: "nope" })).toEqual([[".site", "must be a uri"]]);
    expect(told({ name: "ab", tags: ["x", 3] })).toEqual([[".tags.1", "must be of the type string"]]);
  });

  it("names what is missing", () => {
    expect(told({})).toEqual([[".name", "is required"]]);
  });

  it("is nothing where everything fits", () => {
    expect(told({ name: "abc", age: 3, kind: "a", site: "https://a.example", tags: [] })).toEqual([]);
  });

  it("leaves patterns that could take for ever to the server", () => {
    expect(check({ type: "string", pattern: "^(a+)+$" }, `${"a".repeat(100)}!`)).toEqual([]);
    expect(check({ type: "string", pattern: "^[a-z]+$" }, "A")).toHaveLength(1);
  });
});
