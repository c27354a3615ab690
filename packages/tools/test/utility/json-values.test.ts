import { createRegistry, type ToolResult } from "@toolrack/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSteps } from "../../src/utility/_steps.ts";
import { readPath } from "../../src/utility/json-path.ts";
import { createJsonTransform } from "../../src/utility/json-transform.ts";
import { createMeasure, includesText, isEqualJson } from "../../src/utility/json-values.ts";

const endless = createSteps(Number.POSITIVE_INFINITY, "");

describe("JSON values", () => {
  it.each<[unknown, unknown]>([
    [1, 1],
    ["a", "a"],
    [null, null],
    [[], []],
    [{}, {}],
    [
      { a: 1, b: [2, { c: null }] },
      { b: [2, { c: null }], a: 1 },
    ],
  ])("%j equals %j", (a, b) => {
    expect(isEqualJson(a, b, endless)).toBe(true);
  });

  it.each<[unknown, unknown]>([
    [1, "1"],
    [null, {}],
    [{}, null],
    [[], {}],
    [{}, []],
    [[1], [1, 2]],
    [[1, 2], [1]],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: undefined }, { b: undefined }],
    [{ a: 1 }, { a: 2 }],
    [{ toString: 1 }, { a: 1 }],
  ])("%j differs from %j", (a, b) => {
    expect(isEqualJson(a, b, endless)).toBe(false);
  });

  it("contain a text where the language says so, however it repeats itself", () => {
    const part = fc.stringMatching(/^[ab]{0,12}$/);
    fc.assert(
      fc.property(part, fc.array(part, { maxLength: 12 }), (wanted, parts) => {
        const text = parts.join("");
        expect(includesText(text, wanted, endless)).toBe(text.includes(wanted));
        const long = `${wanted}aab${wanted}b`;
        expect(includesText(`${text}${long}`, long, endless)).toBe(true);
        expect(includesText(text, long, endless)).toBe(text.includes(long));
      }),
      { numRuns: 200 },
    );
  });

  it("are measured about as long as they are written, and each once", () => {
    const measure = createMeasure(endless);
    expect([measure("abc"), measure(5), measure(null), measure([]), measure({})]).toEqual([5, 8, 8, 2, 2]);
    expect(measure(["abc", 1])).toBe(2 + 1 + 5 + 1 + 8);
    expect(measure({ key: "abc" })).toBe(2 + 7 + 5);
    let taken = 0;
    const counting = createMeasure({ take: () => void taken++ });
    const shared = { a: 1, b: 2 };
    expect(counting([shared, shared])).toBe(2 + 2 * (1 + 2 + 2 * (5 + 8)));
    expect(taken).toBe(4);
  });

  it("take so many steps and no more", () => {
    const { take } = createSteps(1_500, "Give less.");
    take(1_499);
    take();
    expect(() => take()).toThrow("This takes more than 1,500 steps. Give less.");
  });
});

describe("a path", () => {
  const read = (text: string, value: unknown): unknown => readPath(text).read(value, endless);
  const value = { a: [{ b: 1 }, { b: 2 }], "0": "zero", c: { x: 1, y: 2 } };

  it.each<[string, unknown]>([
    ["", value],
    ["$", value],
    ["$.a[0].b", 1],
    ["$a[1].b", 2],
    ["a[*].b", [1, 2]],
    ["c[*]", [1, 2]],
    ["[0]", "zero"],
    ["0", "zero"],
    ["a.0", undefined],
    ["a[*].z", []],
    ["c.x[*]", []],
    ["toString", undefined],
  ])("%j leads to %j", (path, found) => {
    expect(read(path, value)).toEqual(found);
  });

  it("has 64 steps at most, and says where it is wrong", () => {
    expect(() => readPath("[0]".repeat(64))).not.toThrow();
    expect(() => readPath("[0]".repeat(65))).toThrow("more than 64 steps");
    expect(() => readPath("ab[0]c")).toThrow('The path "ab[0]c" is wrong at position 6.');
  });
});

describe("transforming a list", () => {
  const registry = createRegistry();
  registry.register(createJsonTransform());
  const transform = (input: object): Promise<ToolResult> => registry.invoke("json_transform", input);
  const resultOf = async (input: object): Promise<unknown> => {
    const answer = await transform(input);
    return answer.ok ? (answer.data as { result: unknown }).result : answer.error;
  };

  it.each([
    ["eq", 2, [2]],
    ["ne", 2, [1, 3, "2", null]],
    ["gt", 2, [3]],
    ["gte", 2, [2, 3]],
    ["lt", 2, [1]],
    ["lte", 2, [1, 2]],
    ["gt", "1", ["2"]],
    ["lte", "2", ["2"]],
    ["gt", null, []],
    ["contains", "2", ["2"]],
    ["exists", undefined, [1, 2, 3, "2", null]],
  ])("%s %j keeps %j", async (op, value, kept) => {
    const data = [1, 2, 3, "2", null];
    expect(await resultOf({ data, operation: "filter", condition: { op, value } })).toEqual(kept);
  });

  it("sorts numbers before texts, and what is neither last in both directions, in its order", async () => {
    const data = [{ k: "b" }, { k: null }, { k: 10 }, {}, { k: "a" }, { k: 9 }, { k: "a", n: 2 }];
    expect(await resultOf({ data, operation: "sort", sort_by: "k" })).toEqual([
      { k: 9 },
      { k: 10 },
      { k: "a" },
      { k: "a", n: 2 },
      { k: "b" },
      { k: null },
      {},
    ]);
    expect(await resultOf({ data, operation: "sort", sort_by: "k", descending: true })).toEqual([
      { k: "b" },
      { k: "a" },
      { k: "a", n: 2 },
      { k: 10 },
      { k: 9 },
      { k: null },
      {},
    ]);
  });

  it("names the place that is no list, and refuses a result that would be too large", async () => {
    expect(await resultOf({ data: {}, operation: "sort" })).toContain('"sort" needs a list, but the data is none.');
    expect(await resultOf({ data: { a: 1 }, operation: "sort", json_path: "a" })).toContain('"sort" needs a list, but "a" is none.');
    const data = Array.from({ length: 20 }, () => "x".repeat(60_000));
    expect(await resultOf({ data, operation: "map", mapping: { copy: "" } })).toContain("larger than 1048576 bytes");
  });
});
