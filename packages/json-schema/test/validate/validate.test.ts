import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { SchemaError } from "../../src/errors.ts";
import { validateValue, validatorCount, validatorFor } from "../../src/validate/validate.ts";

const search = {
  type: "object",
  properties: { query: { type: "string", minLength: 1 }, limit: { type: "integer", maximum: 100 }, mode: { enum: ["fast", "deep"] } },
  required: ["query"],
  additionalProperties: false,
};

describe("validateValue", () => {
  it("accepts a valid value and returns it as it came", () => {
    const value = { query: "shoes", limit: 3 };
    const result = validateValue(search, value);
    expect(result).toEqual({ ok: true, value });
    expect(result.ok && result.value).toBe(value);
  });

  it.each([
    ["a missing required property", { limit: 3 }, "required", "/query"],
    ["a wrong type", { query: 5 }, "type", "/query"],
    ["a value outside an enum", { query: "x", mode: "slow" }, "enum", "/mode"],
    ["an extra property", { query: "x", limits: 3 }, "additionalProperties", "/limits"],
    ["a number out of range", { query: "x", limit: 500 }, "maximum", "/limit"],
    ["a text that is too short", { query: "" }, "minLength", "/query"],
    ["what is no object at all", "shoes", "type", ""],
  ])("refuses %s, and says where", (_what, value, keyword, path) => {
    const result = validateValue(search, value);
    expect(result.ok ? [] : result.issues.map((issue) => [issue.keyword, issue.path])).toEqual([[keyword, path]]);
  });

  it("lists every fault at once", () => {
    const result = validateValue(search, { limit: 1.5, mode: "slow", extra: true });
    expect(result.ok ? [] : result.issues.map((issue) => issue.path)).toEqual(["/query", "/limit", "/mode", "/extra"]);
  });

  it("takes true and false for schemas", () => {
    expect(validateValue(true, 1).ok).toBe(true);
    expect(validateValue(false, 1).ok).toBe(false);
  });

  it("takes an undefined property for an absent one", () => {
    expect(validateValue(search, { query: "x", limit: undefined, extra: undefined }).ok).toBe(true);
    expect(validateValue(search, { query: undefined }).ok).toBe(false);
    expect(validateValue({ minProperties: 1 }, { a: undefined }).ok).toBe(false);
    expect(validateValue({ maxProperties: 0, propertyNames: false, const: {} }, { a: undefined }).ok).toBe(true);
    expect(validateValue({ patternProperties: { "^a": false }, unevaluatedProperties: false }, { a: undefined, b: undefined }).ok).toBe(
      true,
    );
    expect(validateValue({ dependentRequired: { a: ["b"] }, dependentSchemas: { a: false } }, { a: undefined }).ok).toBe(true);
  });

  it("sees a gap in a list as a missing item, not as nothing", () => {
    const sparse = Object.assign(["a"], { 2: "b" });
    const result = validateValue({ items: { type: "string" } }, sparse);
    expect(result.ok ? [] : result.issues.map((issue) => issue.message)).toEqual(["[1] must be a text, but it is missing."]);
    expect(validateValue({ const: ["a", null, "b"] }, sparse).ok).toBe(false);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 10n, () => 1, Symbol("s"), undefined])("takes %s for none of JSON's types", (value) => {
    for (const type of ["null", "boolean", "object", "array", "number", "string", "integer"]) {
      expect(validateValue({ type }, value).ok, type).toBe(false);
    }
    for (const limits of [{ minimum: 0 }, { maximum: 0 }, { exclusiveMinimum: 0 }, { exclusiveMaximum: 0 }]) {
      if (Number.isNaN(value)) expect(validateValue(limits, value).ok).toBe(false);
    }
  });

  it("names a value of an odd kind for what it is", () => {
    const message = (value: unknown): string | undefined => {
      const result = validateValue({ type: "integer" }, value);
      return result.ok ? undefined : result.issues[0]?.message;
    };
    expect(message(10n)).toBe("The input must be a whole number, but it is 10n.");
    expect(message(Number.NaN)).toBe("The input must be a whole number, but it is NaN.");
    expect(message(() => 1)).toBe("The input must be a whole number, but it is a function.");
  });

  it("keeps lone surrogates apart", () => {
    expect(validateValue({ const: "\ud800" }, "\ud800").ok).toBe(true);
    expect(validateValue({ const: "\ud800" }, "\udc00").ok).toBe(false);
    expect(validateValue({ enum: ["\ud800x"] }, "\ud801x").ok).toBe(false);
    expect(validateValue({ maxLength: 2, minLength: 2 }, "\ud800\ud800").ok).toBe(true);
    expect(validateValue({ uniqueItems: true }, ["\ud800", "\udbff"]).ok).toBe(true);
  });

  it("counts characters as people do", () => {
    expect(validateValue({ maxLength: 2 }, "😀😀").ok).toBe(true);
    expect(validateValue({ minLength: 3 }, "😀😀").ok).toBe(false);
  });

  it("takes 1.0 for a whole number, and 0.3 for a multiple of 0.1", () => {
    expect(validateValue({ type: "integer" }, 1.0).ok).toBe(true);
    expect(validateValue({ multipleOf: 0.1 }, 0.3).ok).toBe(true);
    expect(validateValue({ multipleOf: 0.1 }, 0.35).ok).toBe(false);
  });
});

describe("dialects", () => {
  const tuple = { items: [{ type: "string" }], additionalItems: false };

  it("are chosen by option, and by $schema before that", () => {
    const siblings = { $ref: "#/definitions/any", type: "string", definitions: { any: {} } };
    expect(validateValue(siblings, 1).ok).toBe(false);
    expect(validateValue(siblings, 1, { dialect: "draft-07" }).ok).toBe(true);
    expect(validateValue({ $schema: "http://json-schema.org/draft-07/schema#", ...siblings }, 1).ok).toBe(true);
    expect(validateValue({ $schema: "https://json-schema.org/draft/2020-12/schema", ...siblings }, 1, { dialect: "draft-07" }).ok).toBe(
      false,
    );
  });

  it("read draft-07 tuples", () => {
    expect(validateValue(tuple, ["a"], { dialect: "draft-07" }).ok).toBe(true);
    expect(validateValue(tuple, ["a", 1], { dialect: "draft-07" }).ok).toBe(false);
    expect(validateValue(tuple, [1], { dialect: "draft-07" }).ok).toBe(false);
  });
});

describe("references", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("to other documents are never fetched: they are handed in or refused", () => {
    const fetch = vi.fn();
    vi.stubGlobal("fetch", fetch);
    const schema = { $ref: "https://example.com/name.json" };
    expect(() => validateValue(schema, "x")).toThrow(
      expect.objectContaining({ code: "SCHEMA_INVALID", message: expect.stringContaining("https://example.com/name.json") }),
    );
    const remotes = { "https://example.com/name.json": { type: "string" } };
    expect(validateValue(schema, "x", { remotes }).ok).toBe(true);
    expect(validateValue(schema, 5, { remotes }).ok).toBe(false);
    expect(fetch).not.toHaveBeenCalled();
  });

  it("to a document that is no schema are refused with the document and the place", () => {
    const remotes = { "https://example.com/a": { properties: { b: { type: "text" } } }, "https://example.com/c": "no schema" };
    expect(() => validateValue({ $ref: "https://example.com/a" }, {}, { remotes })).toThrow(
      /The document "https:\/\/example\.com\/a": The schema is wrong at "\/properties\/b\/type"/,
    );
    expect(() => validateValue({ $ref: "https://example.com/c" }, {}, { remotes })).toThrow(SchemaError);
  });

  it("that lead nowhere are refused by name", () => {
    expect(() => validateValue({ $ref: "#/$defs/nothing" }, 1)).toThrow(/"#\/\$defs\/nothing", and nothing is there/);
    expect(() => validateValue({ $ref: "#/$defs/constructor", $defs: {} }, 1)).toThrow(SchemaError);
  });

  it("may lead to what a key named like an inherited one holds", () => {
    const schema = JSON.parse('{"$ref":"#/$defs/__proto__","$defs":{"__proto__":{"type":"string"}}}');
    expect(validateValue(schema, "x").ok).toBe(true);
    expect(validateValue(schema, 1).ok).toBe(false);
  });

  it("may be recursive", () => {
    const tree = { properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#" } } } };
    expect(validateValue(tree, { name: "a", children: [{ name: "b" }] }).ok).toBe(true);
    const result = validateValue(tree, { name: "a", children: [{ name: "b", children: [{ name: 1 }] }] });
    expect(result.ok ? [] : result.issues.map((issue) => issue.path)).toEqual(["/children/0/children/0/name"]);
  });

  it("that are dynamic mean what the outermost schema makes of them, whatever keywords lie between", () => {
    const item = { $id: "https://example.com/item", $dynamicRef: "#T", $defs: { T: { $dynamicAnchor: "T", type: "number" } } };
    const list = { $id: "https://example.com/list", properties: { a: { $ref: "item" } }, unevaluatedProperties: false };
    const schema = {
      $id: "https://example.com/root",
      $ref: "list",
      $defs: { T: { $dynamicAnchor: "T", type: "string" }, item, list },
    };
    expect(validateValue(schema, { a: "text" }).ok).toBe(true);
    expect(validateValue(schema, { a: 5 }).ok).toBe(false);
  });
});

describe("validators", () => {
  // They are kept: a second time would make none.
  it("are shared between equal schemas, whatever the order of their keys", { repeats: 0 }, () => {
    const one = validatorFor({ type: "string", minLength: 41 });
    const before = validatorCount();
    expect(validatorFor({ minLength: 41, type: "string" })).toBe(one);
    expect(validatorCount()).toBe(before);
    expect(validatorFor({ type: "string", minLength: 42 })).not.toBe(one);
    expect(validatorCount()).toBe(before + 1);
  });

  it("compile nothing before the first value comes", () => {
    const dangling = { $ref: "#/$defs/later" };
    const validator = validatorFor(dangling);
    expect(() => validator.check(1)).toThrow(/nothing is there/);
  });

  it("are made once for a schema object and each set of options, and do not follow later changes of it", () => {
    const schema = { type: "string", format: "date", description: "mutable" };
    const remotes = {};
    for (const options of [undefined, { formats: false }, { dialect: "draft-07" as const }, { remotes }]) {
      expect(validatorFor(schema, options && { ...options })).toBe(validatorFor(schema, options && { ...options }));
    }
    schema.type = "number";
    expect(validateValue(schema, "2026-01-31").ok).toBe(true);
    expect(validateValue(schema, "today").ok).toBe(false);
    expect(validateValue(schema, "today", { formats: false }).ok).toBe(true);
    expect(validateValue({ ...schema }, "2026-01-31").ok).toBe(false);
  });

  it("go with their schemas", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const before = validatorCount();
    for (let index = 0; index < 500; index++) validateValue({ type: "string", description: `passing ${index}` }, "x");
    validateValue({ description: "the last one that is remembered" }, "x");
    for (let turn = 0; turn < 50 && validatorCount() > before + 50; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      collect();
    }
    expect(validatorCount()).toBeLessThan(before + 50);
  });

  it("work on hosts that forbid making code from text", () => {
    vi.stubGlobal("Function", function Forbidden() {
      throw new EvalError("Code generation from strings disallowed for this context");
    });
    const schema = { ...search, description: "where no code may be made" };
    const result = validateValue(schema, { limit: 500 });
    const accepted = validateValue(schema, { query: "x" });
    vi.unstubAllGlobals();
    expect(result.ok ? [] : result.issues.map((issue) => issue.path)).toEqual(["/query", "/limit"]);
    expect(accepted.ok).toBe(true);
  });
});
