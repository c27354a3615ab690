import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainJson } from "../../src/record/plain-json.ts";

const throughText = (value: object): unknown => JSON.parse(JSON.stringify(value));

describe("what JSON says of a value", () => {
  it("is the value itself where that is all", () => {
    const value = { name: "search", inputSchema: { type: "object", properties: {} }, absent: undefined, list: [1, null, true] };
    expect(plainJson(value)).toBe(value);
  });

  it.each([
    ["a function in an object", { when: () => true, kept: 1 }],
    ["a function in a list", { list: [() => true, 1] }],
    ["a place of a list that nothing is in", { list: Array.from({ length: 2 }) }],
    ["a number that JSON cannot hold", { most: Number.POSITIVE_INFINITY }],
    ["a date", { at: new Date(0) }],
    ["an object that writes itself", { inner: { toJSON: () => "text" } }],
    ["an object of a class", { inner: new Map([["a", 1]]) }],
  ])("is without what only code knows: %s", (_, value) => {
    const plain = plainJson(value);
    expect(plain).not.toBe(value);
    expect(plain).toEqual(throughText(value));
  });

  it("is what the way through text gives, for any value", () => {
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.anything({ withDate: true, withMap: true })), isSameAsText));
  });

  it("is refused for a value that is inside itself", () => {
    const value: Record<string, unknown> = {};
    value["inner"] = value;
    expect(() => plainJson(value)).toThrow(TypeError);
  });
});

function isSameAsText(value: Record<string, unknown>): void {
  expect(JSON.stringify(plainJson(value))).toBe(JSON.stringify(throughText(value)));
}
