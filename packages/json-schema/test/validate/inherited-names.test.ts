import { describe, expect, it } from "vitest";
import { validateValue } from "../../src/validate/validate.ts";

const inherited = ["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__", "isPrototypeOf"];

/** An object that really has a property of this name, as JSON.parse makes it. */
function having(name: string, value: unknown): unknown {
  return JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`);
}

describe.each(inherited)("a property named %s", (name) => {
  it("is missing from an object that only inherits it", () => {
    expect(validateValue({ required: [name] }, {}).ok).toBe(false);
    expect(validateValue({ required: [name] }, having(name, 1)).ok).toBe(true);
    expect(validateValue({ properties: having(name, { type: "string" }), required: [name] }, {}).ok).toBe(false);
  });

  it("is not checked while it is absent, and is when it is there", () => {
    const schema = { properties: having(name, { type: "string" }) };
    expect(validateValue(schema, {}).ok).toBe(true);
    expect(validateValue(schema, having(name, "x")).ok).toBe(true);
    expect(validateValue(schema, having(name, 1)).ok).toBe(false);
  });

  it("is forbidden only where it is really there", () => {
    for (const schema of [{ additionalProperties: false }, { not: { required: [name] } }, { properties: having(name, false) }]) {
      expect(validateValue(schema, {}).ok).toBe(true);
      expect(validateValue(schema, having(name, 1)).ok).toBe(false);
    }
  });

  it("is no extra property of an object that declares it", () => {
    const schema = { properties: having(name, true), additionalProperties: false };
    expect(validateValue(schema, having(name, 1)).ok).toBe(true);
    expect(validateValue({ ...schema, unevaluatedProperties: false }, having(name, 1)).ok).toBe(true);
  });

  it("starts no dependency unless it is really there", () => {
    const schema = { dependentRequired: having(name, ["b"]), dependentSchemas: having(name, { required: ["c"] }) };
    expect(validateValue(schema, {}).ok).toBe(true);
    expect(validateValue(schema, having(name, 1)).ok).toBe(false);
  });

  it("compares by what is really there", () => {
    expect(validateValue({ const: having(name, 1) }, {}).ok).toBe(false);
    expect(validateValue({ const: having(name, 1) }, having(name, 1)).ok).toBe(true);
    expect(validateValue({ enum: [{}] }, having(name, 1)).ok).toBe(false);
  });

  it("is filled from its default without harm", () => {
    const schema = { properties: { ...(having(name, { default: 5 }) as object), other: { default: 1 } } };
    const result = validateValue(schema, {});
    const value = (result.ok ? result.value : undefined) as Record<string, unknown>;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value["other"]).toBe(1);
    if (name !== "__proto__") expect(Object.hasOwn(value, name) && value[name]).toBe(5);
  });
});

describe("values with a prototype of their own", () => {
  class Named {
    limit: unknown;
    constructor(limit: unknown) {
      this.limit = limit;
    }
    get query(): string {
      return "inherited";
    }
  }
  const schema = {
    type: "object",
    properties: { query: { type: "string" }, limit: { type: "integer" } },
    required: ["query"],
    anyOf: [{ required: ["limit"] }, { required: ["query"] }],
  };

  it("are judged by their own properties alone", () => {
    const result = validateValue(schema, new Named("five"));
    expect(result.ok ? [] : result.issues.map((issue) => [issue.path, issue.keyword])).toEqual([
      ["/query", "required"],
      ["/limit", "type"],
    ]);
    expect(validateValue({ properties: { query: false } }, new Named(1)).ok).toBe(true);
    expect(validateValue({ additionalProperties: false, properties: { limit: {} } }, new Named(1)).ok).toBe(true);
  });

  it("may have none at all", () => {
    const bare = Object.assign(Object.create(null) as object, { query: "x", limit: 1 });
    expect(validateValue(schema, bare).ok).toBe(true);
    expect(validateValue(schema, Object.assign(Object.create(null) as object, { limit: 1 })).ok).toBe(false);
  });

  it("inherit nothing from another object either", () => {
    expect(validateValue({ required: ["query"] }, Object.create({ query: "x" })).ok).toBe(false);
    expect(validateValue({ additionalProperties: false }, Object.create({ query: "x" })).ok).toBe(true);
  });
});
