import { expect, it } from "vitest";
import { privateCopy } from "../../src/util/private-copy.ts";

it("copies lists and plain objects to any depth, and leaves everything else as it is", () => {
  const date = new Date(0);
  const given = { list: [{ a: 1 }], date, none: null };
  const copy = privateCopy(given);
  expect(copy).toEqual(given);
  expect([copy === given, copy.list === given.list, copy.list[0] === given.list[0], copy.date === date]).toEqual([
    false,
    false,
    false,
    true,
  ]);
});

it("keeps what contains itself, or is there twice, as it is", () => {
  const shared = { b: 1 };
  const given: Record<string, unknown> = { first: shared, second: [shared] };
  given["self"] = given;
  const copy = privateCopy(given);
  expect(copy["self"]).toBe(copy);
  expect(copy).not.toBe(given);
  expect(copy["first"]).toEqual(shared);
});

it("keeps a key that is called __proto__ as a key", () => {
  const copy = privateCopy(JSON.parse('{"__proto__":{"owner":true}}') as Record<string, unknown>);
  expect(Object.keys(copy)).toEqual(["__proto__"]);
  expect((copy as { owner?: unknown }).owner).toBeUndefined();
});
