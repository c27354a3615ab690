import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, isObject, jsonEquals } from "../../src/util/json.ts";

describe("isObject", () => {
  it("is true for what has properties in JSON", () => {
    for (const value of [{}, Object.create(null), new Date(0)]) expect(isObject(value)).toBe(true);
    for (const value of [[], null, undefined, "x", 1, () => 1]) expect(isObject(value)).toBe(false);
  });
});

describe("canonicalJson", () => {
  it("writes equal values alike, whatever the order of their keys", () => {
    expect(canonicalJson({ b: 1, a: [{ d: null, c: "x" }], gone: undefined })).toBe('{"a":[{"c":"x","d":null}],"b":1}');
    expect(canonicalJson(undefined)).toBe("null");
    expect(canonicalJson("\ud800")).not.toBe(canonicalJson("\ud801"));
  });

  it("sorts keys as texts, also those that look like numbers", () => {
    expect(canonicalJson({ b: 1, 9: 2, 10: [true] })).toBe('{"10":[true],"9":2,"b":1}');
  });

  it("sorts few keys and many in one order, that of their code units", () => {
    const key = fc.string({ unit: "binary", maxLength: 4 });
    fc.assert(
      fc.property(fc.dictionary(key, fc.constant(1), { maxKeys: 24, noNullPrototype: true }), (value) => {
        const keys = Object.keys(value).sort();
        expect(canonicalJson(value)).toBe(`{${keys.map((name) => `${JSON.stringify(name)}:1`).join(",")}}`);
      }),
    );
  });

  it("escapes what JSON.stringify escapes", () => {
    for (let code = 0; code < 0x300; code++) {
      const text = `a${String.fromCharCode(code)}b`;
      expect(canonicalJson(text)).toBe(JSON.stringify(text));
    }
    expect(canonicalJson("x".repeat(600))).toBe(JSON.stringify("x".repeat(600)));
  });

  it("says what JSON.stringify says of values without objects of several keys", () => {
    const values = [new Date(0), [undefined, () => 1], { a: () => 1 }, Number.NaN, "ü\u2028", [[1, [2]]]];
    for (const value of values) expect(canonicalJson(value)).toBe(JSON.stringify(value));
    fc.assert(fc.property(fc.jsonValue(), (value) => jsonEquals(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)))));
  });

  it("keeps a key named __proto__", () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":2}'))).toBe('{"__proto__":2,"b":1}');
  });
});

describe("jsonEquals", () => {
  it.each<[a: unknown, b: unknown, equal: boolean]>([
    [1, 1.0, true],
    [0, -0, true],
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
    [{ a: undefined }, {}, true],
    [[], {}, false],
    [null, {}, false],
    [1, "1", false],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [[undefined], Object.assign([], { length: 1 }), true],
    [Object.assign([], { length: 1 }), [1], false],
    [{ a: undefined, b: 1 }, { a: 1 }, false],
    [{}, JSON.parse('{"__proto__":1}'), false],
    [{ constructor: Object }, {}, false],
  ])("%o and %o", (a, b, equal) => {
    expect(jsonEquals(a, b)).toBe(equal);
    expect(jsonEquals(b, a)).toBe(equal);
  });

  it("agrees with the canonical text", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (a, b) => {
        expect(jsonEquals(a, b)).toBe(canonicalJson(a) === canonicalJson(b));
        expect(jsonEquals(a, JSON.parse(JSON.stringify(a)))).toBe(true);
      }),
    );
  });
});
