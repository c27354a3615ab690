import { describe, expect, it } from "vitest";
import { type Condition, type Operator, readCondition } from "../../src/query/condition.ts";
import type { Breadcrumb } from "../../src/record/breadcrumb.ts";

const record = {
  owner: "acme",
  id: "r1",
  schema_name: "note.v1",
  title: "A note",
  tags: ["a", "b"],
  context: { count: 5, name: "five", list: [1, { a: 1 }], deep: { er: null }, flag: false },
  version: 3,
  semantic_version: "1.0.0",
  checksum: "c",
  created_at: "t",
  created_by: "ada",
  updated_at: "t",
  updated_by: "ada",
  updated_as: "curator",
  visibility: "team",
  sensitivity: "low",
} as unknown as Breadcrumb;

const fits = (path: string, op: Operator, value?: unknown): boolean =>
  readCondition({ path, op, ...(value !== undefined && { value }) })(record);

describe("a condition over a record", () => {
  it.each<[path: string, op: Operator, yes: readonly unknown[], no: readonly unknown[]]>([
    ["context.count", "eq", [5], [6, "5", null]],
    ["context.count", "ne", [6, "5"], [5]],
    ["context.list", "eq", [[1, { a: 1 }]], [[1], [{ a: 1 }, 1]]],
    ["context.nothing", "eq", [], [null, 0, ""]],
    ["context.nothing", "ne", [null, 0], []],
    ["context.count", "gt", [4], [5, 6, "4"]],
    ["context.count", "gte", [4, 5], [6, "5"]],
    ["context.count", "lt", [6], [5, 4, "6"]],
    ["context.count", "lte", [6, 5], [4, "5"]],
    ["context.name", "gt", ["fivd"], ["five", "six", 1]],
    ["context.name", "lte", ["five", "six"], ["fivd", 9]],
    ["context.nothing", "lt", [], [5, "x"]],
    ["context.count", "in", [[4, 5]], [[], [4, "5"]]],
    ["context.nothing", "in", [], [[null]]],
    ["tags", "contains", ["a", "b"], ["c", ["a"]]],
    ["context.list", "contains", [1, { a: 1 }], [2, { a: 2 }, "1"]],
    ["context.name", "contains", ["iv", ""], ["x", 5]],
    ["context.count", "contains", [], [5, "5"]],
    ["context.deep.er", "exists", [undefined, true], [false]],
    ["context.nothing", "exists", [false], [undefined, true]],
    ["context.deep.er.more", "exists", [false], [true]],
    ["tags.1", "eq", ["b"], ["a"]],
    ["context.toString", "exists", [false], [true]],
  ])("on %s: %s", (path, op, yes, no) => {
    for (const value of yes) expect(fits(path, op, value), JSON.stringify(value)).toBe(true);
    for (const value of no) expect(fits(path, op, value), JSON.stringify(value)).toBe(false);
  });

  it("may be about every field of a record but its owner, and below context and tags only", () => {
    const fields = Object.keys(record).filter((field) => field !== "owner");
    for (const field of fields) expect(fits(field, "exists"), field).toBe(true);
    for (const path of ["owner", "grants", "ttl", "title.x", "version.0", "", "context.", ".context", "context..a", "constructor"])
      expect(() => readCondition({ path, op: "exists" }), path).toThrow(`The path ${JSON.stringify(path)} is not a field of a record.`);
    expect(() => readCondition({ path: "owner", op: "exists" })).toThrow(`Use one of ${fieldOrder.join(", ")}, or a path below context.`);
    expect(() => readCondition({ path: "context" + ".a".repeat(63), op: "exists" })).not.toThrow();
    expect(() => readCondition({ path: "context" + ".a".repeat(64), op: "exists" })).toThrow("is not a field");
  });

  const fieldOrder = [
    ..."id schema_name title tags context version semantic_version checksum created_at created_by updated_at updated_by".split(" "),
    ..."updated_as visibility sensitivity".split(" "),
  ];

  it.each<[condition: unknown, message: string]>([
    [undefined, "The path (undefined) is not a field of a record."],
    [null, "The path (undefined) is not a field of a record."],
    [{ path: 5, op: "eq" }, "The path (number) is not a field of a record."],
    [{ path: "x".repeat(100), op: "eq" }, `The path "${"x".repeat(80)}" is not a field`],
    [
      { path: "title", op: "like", value: "x" },
      'The operator "like" is not known. Known are eq, ne, gt, lt, gte, lte, in, contains, exists.',
    ],
    [{ path: "title", op: "toString" }, 'The operator "toString" is not known.'],
    [{ path: "title" }, "The operator (undefined) is not known."],
    [{ path: "title", op: "eq" }, '"eq" needs a value.'],
    [{ path: "title", op: "ne" }, '"ne" needs a value.'],
    [{ path: "title", op: "contains" }, '"contains" needs a value.'],
    [{ path: "title", op: "in", value: "a" }, '"in" needs a list of values.'],
    [{ path: "title", op: "exists", value: "yes" }, '"exists" takes true or false.'],
    ...["gt", "lt", "gte", "lte"].map((op): [unknown, string] => [
      { path: "title", op, value: [] },
      "gt, lt, gte and lte need a number or a text.",
    ]),
    [{ path: "title", op: "eq", value: 1n }, "A value in where at value is a bigint"],
    [{ path: "title", op: "eq", value: "x".repeat(65_536) }, "A value in where is larger than 65536 bytes."],
  ])("that cannot be evaluated is refused: %#", (condition, message) => {
    expect(() => readCondition(condition as Condition)).toThrow(expect.objectContaining({ code: "QUERY_INVALID" }));
    expect(() => readCondition(condition as Condition)).toThrow(message);
  });

  it("does not follow later changes of its value", () => {
    const value = ["five"];
    const test = readCondition({ path: "context.name", op: "in", value });
    value.pop();
    expect(test(record)).toBe(true);
  });
});
