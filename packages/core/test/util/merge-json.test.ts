import { expect, it } from "vitest";
import { mergeJson } from "../../src/util/merge-json.ts";

it.each([
  ["objects to any depth", { a: { b: 1, c: { d: 1 } } }, { a: { c: { e: 2 } } }, { a: { b: 1, c: { d: 1, e: 2 } } }],
  ["lists as a whole", { a: [1, 2] }, { a: [3] }, { a: [3] }],
  ["null as a removal", { a: 1, b: { c: 1, d: 1 } }, { a: null, b: { c: null } }, { b: { d: 1 } }],
  ["an object in the place of something else", { a: 1 }, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
])("merges %s", (_name, base, patch, merged) => expect(mergeJson(base, patch)).toEqual(merged));

it("takes __proto__ for a key like any other", () => {
  const merged = mergeJson({}, JSON.parse('{"__proto__":{"a":1}}') as Record<string, unknown>);
  expect(Object.keys(merged)).toEqual(["__proto__"]);
  expect(({} as { a?: number }).a).toBeUndefined();
});
