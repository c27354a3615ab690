import { describe, expect, it } from "vitest";
import * as onNode from "../../../src/util/on-node/assert.ts";
import * as onWeb from "../../../src/util/on-web/assert.ts";

const same = { a: 1 };
const deep = { a: [1, { b: Number.NaN }], c: undefined };

describe.each([
  ["in Node", onNode.assert as typeof onWeb.assert, onNode.AssertionError],
  ["in browsers and workers", onWeb.assert, onWeb.AssertionError],
])("an assertion %s", (_where, assert: typeof onWeb.assert, AssertionError) => {
  it.each<[string, () => void]>([
    ["ok", () => assert.ok("text")],
    ["equal", () => assert.equal(same, same)],
    ["equal, of what is no number", () => assert.equal(Number.NaN, Number.NaN)],
    ["notEqual", () => assert.notEqual(same, { a: 1 })],
    ["deepEqual", () => assert.deepEqual(deep, structuredClone(deep))],
    ["deepEqual, whatever the order of keys", () => assert.deepEqual({ a: 1, b: 2 }, { b: 2, a: 1 })],
    ["notDeepEqual", () => assert.notDeepEqual({ a: 1 }, { a: "1" })],
    ["match", () => assert.match("abc", /b/)],
    ["doesNotMatch", () => assert.doesNotMatch("abc", /x/)],
  ])("passes: %s", (_what, check) => expect(check).not.toThrow());

  it.each<[string, () => void]>([
    ["ok", () => assert.ok("")],
    ["equal", () => assert.equal(1, "1")],
    ["notEqual", () => assert.notEqual(same, same)],
    ["deepEqual, of another value", () => assert.deepEqual([1, [2]], [1, [3]])],
    ["deepEqual, of one key more", () => assert.deepEqual({ a: 1 }, { a: 1, b: undefined })],
    ["deepEqual, of one key less", () => assert.deepEqual({ a: 1, b: undefined }, { a: 1 })],
    ["deepEqual, of other keys", () => assert.deepEqual({ a: undefined }, { b: undefined })],
    ["deepEqual, of another type", () => assert.deepEqual([], {})],
    ["deepEqual, with null", () => assert.deepEqual({}, null)],
    ["notDeepEqual", () => assert.notDeepEqual([{ a: 1 }], [{ a: 1 }])],
    ["match", () => assert.match("abc", /x/)],
    ["doesNotMatch", () => assert.doesNotMatch("abc", /b/)],
    ["fail", () => assert.fail("no")],
  ])("fails: %s", (_what, check) => expect(check).toThrow(AssertionError));

  it("fails with the message that was given", () => {
    expect(() => assert.equal(1, 2, "the sum is wrong")).toThrow("the sum is wrong");
    expect(new AssertionError({ message: "no" })).toMatchObject({ name: "AssertionError", code: "ERR_ASSERTION", message: "no" });
  });
});
