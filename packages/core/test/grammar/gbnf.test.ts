import { cpuTime } from "@toolrack/testkit/cpu-time";
import { describe, expect, it } from "vitest";
import { toGbnf, toGbnfWithReport } from "../../src/grammar/gbnf.ts";
import { readGbnf } from "./gbnf-recogniser.ts";

type Case = readonly [name: string, schema: unknown, valid: readonly unknown[], invalid: readonly unknown[]];

/** Values are written by JSON.stringify; what is a Raw text is taken as it is. */
class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
const raw = (text: string): Raw => new Raw(text);
const write = (value: unknown): string => (value instanceof Raw ? value.text : JSON.stringify(value));

function judge(cases: readonly Case[]): void {
  it.each(cases)("%s", (_, schema, valid, invalid) => {
    const grammar = readGbnf(toGbnf(schema));
    for (const value of valid) expect(grammar.accepts(write(value)), `should accept ${write(value)}`).toBe(true);
    for (const value of invalid) expect(grammar.accepts(write(value)), `should refuse ${write(value)}`).toBe(false);
  });
}

describe("numbers", () => {
  judge([
    ["any integer", { type: "integer" }, [0, -7, 9007199254740991], [1.5, "1", raw("01"), raw("+1"), raw("1."), raw("")]],
    ["any number", { type: "number" }, [0, -0.5, 1e300, 1.5e-7, raw("2E+5")], [raw(".5"), raw("1e"), raw("00"), raw("NaN")]],
    ["inclusive bounds of integers", { type: "integer", minimum: 1, maximum: 100 }, [1, 9, 10, 99, 100], [0, 101, -1, 1000, 1.5]],
    ["bounds of both signs", { type: "integer", minimum: -25, maximum: 3 }, [-25, -24, -9, -1, 0, 3], [-26, -30, -100, 4, 10]],
    ["exclusive bounds of integers", { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 10 }, [1, 9], [0, 10, -1]],
    ["fractional bounds of integers", { type: "integer", minimum: 0.5, maximum: 2.5 }, [1, 2], [0, 3]],
    ["an open upper end", { type: "integer", minimum: 42 }, [42, 43, 50, 99, 100, 12345678, 1e21], [41, 9, 0, -50]],
    ["an open lower end", { type: "integer", maximum: -5 }, [-5, -6, -10, -123456], [-4, 0, 5, 50]],
    ["bounds of numbers", { type: "number", minimum: 0, maximum: 2 }, [0, 1, 2, 0.5, 1.999, raw("2.0"), 1e-7], [2.01, 2.1, 3, -0.1, 20]],
    ["an excluded limit", { type: "number", exclusiveMinimum: 0 }, [0.01, 5, 1e-9, 1e25], [0, -1, raw("0.0"), raw("0.000")]],
    [
      "fractional bounds of numbers",
      { type: "number", minimum: -0.25, maximum: 1.75 },
      [-0.25, 0, 1.75, 1.7, 1.749, -0.2],
      [-0.26, -0.3, 1.76, 1.8, -1],
    ],
    [
      "excluded fractional limits",
      { type: "number", exclusiveMinimum: 1.5, exclusiveMaximum: 1.75 },
      [1.51, 1.6, 1.7, 1.7499],
      [1.5, 1.75, raw("1.50"), 1, 2],
    ],
    ["multiples of an integer", { type: "integer", multipleOf: 7 }, [0, 7, -14, 700, 7007], [1, 8, 15, 701]],
    ["multiples within bounds", { type: "integer", multipleOf: 25, minimum: 10, maximum: 110 }, [25, 50, 75, 100], [0, 10, 125, 26]],
    [
      "multiples of a fraction",
      { type: "number", multipleOf: 0.25 },
      [0, 0.25, 0.5, 0.75, 3, 10.25, raw("1.50")],
      [0.1, 0.3, 1.26, raw("0.251")],
    ],
    ["multiples of a thousand", { type: "integer", multipleOf: 1000 }, [0, 1000, 25000], [100, 1001, 999]],
    [
      "a range without numbers leaves the property out",
      { type: "object", properties: { a: { type: "integer", minimum: 3, maximum: 2 } } },
      [{}],
      [{ a: 2 }],
    ],
    ["excluded numbers", { type: "integer", minimum: 0, maximum: 9, not: { enum: [3, 7] } }, [0, 2, 4, 9], [3, 7, 10]],
  ]);
});

describe("texts", () => {
  judge([
    [
      "escapes",
      { type: "string" },
      ["", 'a "b" \\ / \n \t', "é中😀", raw('"\\u00e9\\ud83d\\ude00"')],
      [raw('"a'), raw('"\n"'), raw('"\\x"'), raw('"\\ud83d"'), 1],
    ],
    [
      "lengths count characters",
      { type: "string", minLength: 2, maxLength: 3 },
      ["ab", "😀😀", 'a"b', raw('"\\ud83d\\ude00a"')],
      ["a", "abcd", "😀", raw('"\\ud83d\\ude00"')],
    ],
    [
      "anchored patterns",
      { type: "string", pattern: "^[A-Z]{3}-\\d{4}$" },
      ["ABC-1234"],
      ["ABC-123", "abc-1234", "xABC-1234", "ABC-12345"],
    ],
    ["patterns without anchors", { type: "string", pattern: "b[cd]" }, ["bc", "abdz", 'x"bc'], ["", "ab", "cb"]],
    ["patterns with one anchor", { type: "string", pattern: "^/" }, ["/", "/a b", '/"'], ["", "a/"]],
    ["alternation binds weakest", { type: "string", pattern: "^a|b$" }, ["a", "abc", "xxb"], ["ba", "c"]],
    ["quotes and backslashes in patterns", { type: "string", pattern: '^"[a-z]+\\\\$' }, ['"ab\\'], ['"ab', "ab\\", raw('"\\"ab\\"')]],
    ["classes leave the quote to its escape", { type: "string", pattern: "^[^a]$" }, ['"', "\\", "\n", "b", "😀"], ["a", "", "bb"]],
    ["lookahead", { type: "string", pattern: "^(?=.*\\d)(?=.*[a-z]).{4,12}$" }, ["abc1", "1xyz99"], ["abcd", "1234", "a1"]],
    ["negative lookahead", { type: "string", pattern: "^(?!tmp)[a-z]+$" }, ["tm", "tnp", "atmp"], ["tmp", "tmpx"]],
    ["word boundaries", { type: "string", pattern: "\\bcat\\b" }, ["cat", "a cat.", "cat-nap"], ["cats", "concat", "c"]],
    [
      "patterns with lengths",
      { type: "string", pattern: "^[a-z]+(-[a-z]+)*$", maxLength: 5 },
      ["a", "a-b-c", "abcde"],
      ["abcdef", "a-b-cd", "-a"],
    ],
    [
      "a long length in a simple pattern",
      { type: "string", pattern: "^[a-z]+$", maxLength: 1500 },
      ["a".repeat(1500)],
      ["a".repeat(1501), "A"],
    ],
    ["Unicode properties", { type: "string", pattern: "^\\p{Lu}\\p{Ll}+$" }, ["Élan", "Straße"], ["élan", "E1"]],
    ["two patterns", { allOf: [{ type: "string", pattern: "^a" }, { pattern: "z$" }] }, ["az", "abcz"], ["a", "z", "ba"]],
    ["excluded texts", { type: "string", not: { enum: ["root", "admin"] } }, ["roo", "roots", "", "user"], ["root", "admin"]],
    ["excluded patterns", { type: "string", not: { pattern: "^_" } }, ["a_", ""], ["_a"]],
    ["long lengths", { type: "string", maxLength: 2000 }, ["c".repeat(2000)], ["c".repeat(2001)]],
    [
      "very long lengths",
      { type: "string", minLength: 1200, maxLength: 4500 },
      ["c".repeat(1200), "c".repeat(3000), "c".repeat(4500)],
      ["c".repeat(1199), "c".repeat(4501)],
    ],
  ]);
});

describe("formats", () => {
  const formats: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ["date", ["2024-02-29", "1999-12-31"], ["2023-02-29", "2024-13-01", "2024-04-31", "24-01-01", "1900-02-29"]],
    ["time", ["10:05:00Z", "23:59:60Z", "08:30:06.283-01:00"], ["24:00:00Z", "10:05:00", "10:60:00Z", "not a time"]],
    ["date-time", ["1963-06-19T08:30:06Z", "2024-02-29t00:00:00.5+02:00"], ["1963-06-19", "1963-06-19 08:30:06Z", "2023-02-29T00:00:00Z"]],
    ["duration", ["P3Y6M4DT12H30M5S", "P2W", "PT1S"], ["P", "PT", "3Y", "P1S"]],
    ["uuid", ["2EB8AA08-AA98-11EA-B4AA-73B441D16380"], ["2EB8AA08AA9811EAB4AA73B441D16380", "2eb8aa08-aa98-11ea-b4aa-73b441d1638"]],
    ["ipv4", ["127.0.0.1", "255.255.255.255"], ["256.0.0.1", "127.0.0", "01.2.3.4"]],
    [
      "ipv6",
      ["::1", "::", "fe80::1ff:fe23:4567:890a", "2001:0db8:85a3:0000:0000:8a2e:0370:7334", "::ffff:1.2.3.4"],
      ["::X", "1::2::3", "12345::", "1:2:3:4:5:6:7"],
    ],
    ["hostname", ["localhost", "a-b.c1.io"], ["localhost_", "-a", "a-", "", `${"a".repeat(64)}.com`]],
    ["email", ["joe.bloggs@example.com", "a+b@c.io"], ["joe", "@b.c", "a@", "a..b@c.io", "a b@c.io"]],
    ["uri", ["https://example.com/a?b=1#c", "urn:isbn:1", "http://[::1]:80/"], ["/a", "no scheme", "http://a b"]],
    ["uri-reference", ["/a?b", "a/b#c", "https://x.y"], ["a b", "\\\\host"]],
    ["json-pointer", ["", "/a~1b/0"], ["a", "/~2"]],
  ];
  it.each(formats)("%s", (format, valid, invalid) => {
    const grammar = readGbnf(toGbnf({ type: "string", format }));
    for (const text of valid) expect(grammar.accepts(JSON.stringify(text)), `should accept ${text}`).toBe(true);
    for (const text of invalid) expect(grammar.accepts(JSON.stringify(text)), `should refuse ${text}`).toBe(false);
  });

  it("records what a grammar cannot say of a format", () => {
    expect(toGbnfWithReport({ type: "string", format: "regex" }).losses).toEqual([
      { path: "", keyword: "format", note: '"regex" cannot be said in a grammar' },
    ]);
    expect(toGbnfWithReport({ type: "string", format: "made-up" }).losses).toEqual([]);
  });
});

describe("objects", () => {
  const object = (properties: unknown, more: object = {}): object => ({ type: "object", properties, ...more });
  const [text, whole] = [{ type: "string" }, { type: "integer" }];
  judge([
    [
      "any subset of optional properties, in declared order",
      object({ a: whole, b: whole, c: whole }),
      [{}, { a: 1 }, { b: 1 }, { a: 1, c: 2 }, { a: 1, b: 2, c: 3 }],
      [{ b: 1, a: 2 }, { d: 1 }, raw('{"a":1,}'), raw('{,"a":1}'), raw('{"a":1 "b":2}')],
    ],
    [
      "required among optional ones",
      object({ a: whole, b: whole, c: whole, d: whole }, { required: ["b", "d"] }),
      [
        { b: 1, d: 2 },
        { a: 0, b: 1, d: 2 },
        { b: 1, c: 2, d: 3 },
      ],
      [{}, { b: 1 }, { d: 1 }, { a: 1, d: 2 }],
    ],
    ["an object that names nothing is open", { type: "object" }, [{}, { a: 1 }, { a: { b: [null] } }], [[], "x"]],
    ["a closed object that names nothing", { type: "object", additionalProperties: false }, [{}], [{ a: 1 }]],
    ["a typed map", { type: "object", additionalProperties: whole }, [{}, { x: 1, y: 2 }], [{ x: "1" }]],
    [
      "further keys beside named ones",
      object({ name: text }, { additionalProperties: whole }),
      [{ name: "x" }, { nam: 1 }, { name: "x", names: 2 }, { nan: 0, namely: 1 }],
      [{ name: 1 }, { nam: "x" }, { other: "x" }],
    ],
    ["an open map of anything", object({ a: whole }, { additionalProperties: {} }), [{ a: 1, b: "x", c: [1] }, { b: {} }], [{ a: "1" }]],
    [
      "patterns of keys",
      object({ a: whole }, { patternProperties: { "^n_": { type: "number" }, "^s_": text }, additionalProperties: false }),
      [{ a: 1, n_x: 1.5, s_y: "z" }],
      [{ n_x: "1" }, { s_y: 2 }, { z: 1 }],
    ],
    [
      "keys that match two patterns",
      { type: "object", patternProperties: { "^a": { minimum: 1 }, z$: { maximum: 5 } }, additionalProperties: { type: "boolean" } },
      [{ ab: 9 }, { xz: 0 }, { az: 3 }, { q: true }],
      [{ ab: 0 }, { az: 9 }, { q: 1 }],
    ],
    [
      "names of keys",
      { type: "object", propertyNames: { pattern: "^[a-z]+$", maxLength: 3 }, additionalProperties: whole },
      [{ abc: 1 }],
      [{ abcd: 1 }, { A: 1 }],
    ],
    ["required keys that nothing declares", object({ a: text }, { required: ["a", "b"] }), [{ a: "x", b: 1 }], [{ a: "x" }]],
    ["at least one property", object({ a: whole, b: whole }, { minProperties: 1 }), [{ a: 1 }, { b: 1 }], [{}]],
    [
      "counts of properties",
      object({ a: whole, b: whole, c: whole }, { minProperties: 2, maxProperties: 2 }),
      [
        { a: 1, b: 1 },
        { a: 1, c: 1 },
        { b: 1, c: 1 },
      ],
      [{ a: 1 }, { a: 1, b: 1, c: 1 }],
    ],
    [
      "keys that a careless reader takes for something else",
      object({ constructor: text, __proto__x: text, "": whole, 'q"\\\n': whole, $ref: text }, { required: ["constructor"] }),
      [{ constructor: "x" }, { constructor: "x", "": 1, 'q"\\\n': 2, $ref: "y" }],
      [{}, { "": 1 }],
    ],
    [
      "dependentRequired",
      object({ card: text, cvv: text, zip: text }, { dependentRequired: { card: ["cvv"] } }),
      [{}, { cvv: "1" }, { card: "x", cvv: "1" }, { zip: "z" }],
      [{ card: "x" }, { card: "x", zip: "z" }],
    ],
    [
      "dependentSchemas",
      object({ a: whole, b: whole }, { dependentSchemas: { a: { properties: { b: { minimum: 10 } }, required: ["b"] } } }),
      [{}, { b: 1 }, { a: 1, b: 10 }],
      [{ a: 1 }, { a: 1, b: 9 }],
    ],
    [
      "if and then on a constant",
      object(
        { kind: { enum: ["a", "b"] }, x: whole },
        { required: ["kind"], if: { properties: { kind: { const: "a" } } }, then: { required: ["x"] }, else: { properties: { x: false } } },
      ),
      [{ kind: "a", x: 1 }, { kind: "b" }],
      [{ kind: "a" }, { kind: "b", x: 1 }, {}],
    ],
    [
      "two conditions",
      object(
        { kind: { enum: ["a", "b", "c"] }, x: whole, y: whole },
        {
          required: ["kind"],
          allOf: [
            { if: { properties: { kind: { const: "a" } } }, then: { required: ["x"] } },
            { if: { properties: { kind: { const: "b" } } }, then: { required: ["y"] } },
          ],
        },
      ),
      [{ kind: "a", x: 1 }, { kind: "b", y: 1 }, { kind: "c" }],
      [{ kind: "a" }, { kind: "b", x: 1 }],
    ],
    [
      "one of two is required",
      object({ id: whole, name: text }, { anyOf: [{ required: ["id"] }, { required: ["name"] }] }),
      [{ id: 1 }, { name: "x" }, { id: 1, name: "x" }],
      [{}],
    ],
    [
      "exactly one of two",
      object({ id: whole, name: text }, { oneOf: [{ required: ["id"] }, { required: ["name"] }] }),
      [{ id: 1 }, { name: "x" }],
      [{}, { id: 1, name: "x" }],
    ],
    ["not both", object({ a: whole, b: whole }, { not: { required: ["a", "b"] } }), [{}, { a: 1 }, { b: 1 }], [{ a: 1, b: 1 }]],
    [
      "properties beside a union",
      object(
        { base: text, mode: { enum: ["a", "b"] } },
        {
          required: ["base"],
          anyOf: [
            { properties: { mode: { const: "a" }, x: whole }, required: ["mode", "x"] },
            { properties: { mode: { const: "b" }, y: text }, required: ["mode", "y"] },
          ],
        },
      ),
      [
        { base: "s", mode: "a", x: 1 },
        { base: "s", mode: "b", y: "t" },
      ],
      [{ base: "s" }, { base: "s", mode: "a", y: "t" }, { mode: "a", x: 1 }],
    ],
  ]);

  it("keeps objects with named keys to them, unless it is told to read silence as permission", () => {
    const schema = object({ a: whole });
    expect(readGbnf(toGbnf(schema)).accepts('{"a":1,"b":2}')).toBe(false);
    const open = readGbnf(toGbnf(schema, { extraKeys: "schema" }));
    expect(open.accepts('{"a":1,"b":2}')).toBe(true);
    expect(open.accepts('{"a":"x"}')).toBe(false);
  });

  it("takes compact, spaced and indented writing, and no endless space", () => {
    const grammar = readGbnf(toGbnf(object({ a: { type: "array", items: whole }, b: object({ c: text }) })));
    const value = { a: [1, 2], b: { c: "x" } };
    expect(grammar.accepts(JSON.stringify(value))).toBe(true);
    expect(grammar.accepts(JSON.stringify(value, undefined, 2))).toBe(true);
    expect(grammar.accepts('{"a": [1, 2], "b": {"c": "x"}}')).toBe(true);
    expect(grammar.accepts('{"a":     [1]}')).toBe(false);
  });

  it("stays linear in the number of optional properties", () => {
    const wide = (count: number): object =>
      object(Object.fromEntries(Array.from({ length: count }, (_, index) => [`field_${index}`, whole])));
    expect(toGbnf(wide(200)).length).toBeLessThan(2.5 * toGbnf(wide(100)).length);
  });
});

describe("lists, unions and values", () => {
  const whole = { type: "integer" };
  judge([
    [
      "bounds of lists",
      { type: "array", items: whole, minItems: 1, maxItems: 3 },
      [[1], [1, 2, 3]],
      [[], [1, 2, 3, 4], ["1"], raw("[1,]")],
    ],
    ["long bounds of lists", { type: "array", items: whole, maxItems: 2500 }, [[], Array(2500).fill(1)], [Array(2501).fill(1)]],
    [
      "closed tuples",
      { type: "array", prefixItems: [{ type: "string" }, whole], items: false, minItems: 2 },
      [["a", 1]],
      [["a"], ["a", 1, 2], [1, "a"]],
    ],
    [
      "open tuples",
      { type: "array", prefixItems: [{ type: "string" }, whole], items: { type: "boolean" } },
      [[], ["a"], ["a", 1], ["a", 1, true, false]],
      [["a", 1, 2], [1]],
    ],
    [
      "tuples of draft-07",
      { $schema: "http://json-schema.org/draft-07/schema#", type: "array", items: [whole, whole], additionalItems: false },
      [[1, 2], [1]],
      [[1, 2, 3]],
    ],
    [
      "distinct items of a few values",
      { type: "array", items: { enum: ["a", "b", "c"] }, uniqueItems: true, maxItems: 2 },
      [[], ["b", "a"]],
      [
        ["a", "a"],
        ["a", "b", "c"],
      ],
    ],
    [
      "an item that must be there",
      { type: "array", items: { type: "string" }, contains: { const: "admin" } },
      [["admin"], ["x", "admin", "y"]],
      [[], ["x"], [1, "admin"]],
    ],
    [
      "an item that must be there, within bounds",
      { type: "array", items: whole, contains: { minimum: 10 }, minItems: 2, maxItems: 3 },
      [
        [1, 10],
        [10, 1, 2],
        [1, 2, 30],
      ],
      [[10], [1, 2], [1, 2, 3, 10]],
    ],
    [
      "two items that must be there",
      { type: "array", items: whole, contains: { minimum: 10 }, minContains: 2 },
      [
        [10, 11],
        [1, 10, 2, 11, 3],
      ],
      [[10], [1, 10]],
    ],
    [
      "values of all kinds",
      { enum: ["auto", 0, true, null, { a: [1] }, 'q"\\\n😀'] },
      ["auto", 0, true, null, { a: [1] }, 'q"\\\n😀'],
      ["aut", 1, false, { a: [2] }],
    ],
    [
      "many values",
      { enum: Array.from({ length: 300 }, (_, index) => `country_${index}`) },
      ["country_0", "country_29", "country_299"],
      ["country_", "country_300", "country"],
    ],
    ["values that the type excludes", { type: ["string", "null"], enum: ["a", null, 3], maxLength: 2 }, ["a", null], [3]],
    ["several types", { type: ["string", "null", "boolean"] }, ["x", null, true], [1, {}]],
    ["unions", { anyOf: [{ type: "integer", minimum: 5 }, { type: "null" }] }, [5, null], [4, "x"]],
    [
      "overlapping branches of oneOf",
      {
        oneOf: [
          { type: "integer", minimum: 0 },
          { type: "integer", maximum: 10 },
        ],
      },
      [-1, 11],
      [5, 0, 10],
    ],
    ["merged allOf", { allOf: [{ type: "integer", minimum: 0, maximum: 100 }, { minimum: 50 }] }, [50, 100], [49, 101]],
    [
      "a reference with neighbours",
      { type: "object", properties: { a: { $ref: "#/$defs/Text", maxLength: 3 } }, $defs: { Text: { type: "string" } } },
      [{ a: "abc" }],
      [{ a: "abcd" }],
    ],
    [
      "recursion",
      {
        $ref: "#/$defs/Node",
        $defs: {
          Node: {
            type: "object",
            properties: { value: whole, children: { type: "array", items: { $ref: "#/$defs/Node" } } },
            required: ["value"],
          },
        },
      },
      [{ value: 1 }, { value: 1, children: [{ value: 2, children: [] }] }],
      [{ children: [] }, { value: 1, children: [{}] }],
    ],
    [
      "recursion through the root",
      { type: "object", properties: { left: { $ref: "#" }, leaf: whole }, additionalProperties: false },
      [{ left: { left: { leaf: 1 } } }],
      [{ left: { right: {} } }],
    ],
    ["anything", {}, [1, "x", [], {}, null, { a: [true] }], [raw("x"), raw("{"), raw("")]],
    ["true and false as schemas", { type: "object", properties: { any: true, none: false } }, [{ any: [1] }, {}], [{ none: 1 }]],
    ["what is no integer", { not: { type: "integer" } }, [1.5, -0.25, "x", null], [1, -3, raw("2.0")]],
    ["an integer or else a large number", { oneOf: [{ type: "integer" }, { type: "number", minimum: 2 }] }, [1, 2.5], [2, 1.5]],
    [
      "what no branch of oneOf has named",
      {
        type: "object",
        oneOf: [
          { properties: { a: whole }, required: ["a"] },
          { properties: { b: whole }, required: ["b"] },
        ],
        unevaluatedProperties: false,
      },
      [{ a: 1 }, { b: 1 }],
      [{ a: 1, c: 1 }, { c: 1 }],
    ],
    ["negated types", { not: { type: ["string", "null"] } }, [1, [], true], ["x", null]],
  ]);

  it("keeps what it can of conditions that multiply, and does not stall over them", () => {
    const keys = Array.from({ length: 20 }, (_, index) => `k${index}`);
    const properties = Object.fromEntries(keys.map((key) => [key, { enum: ["a", "b"] }]));
    const allOf = keys.map((key, index) => ({
      if: { properties: { [key]: { const: "a" } }, required: [key] },
      then: { required: [keys[(index + 1) % 20]] },
    }));
    const start = cpuTime();
    const { grammar, losses } = toGbnfWithReport({ type: "object", properties, allOf });
    expect(cpuTime() - start).toBeLessThan(20_000);
    expect(losses.map(({ keyword }) => keyword)).toContain("allOf");
    const recogniser = readGbnf(grammar);
    expect(recogniser.accepts('{"k0":"b"}')).toBe(true);
    expect(recogniser.accepts('{"k1":"a"}')).toBe(false);
    expect(recogniser.accepts('{"k0":"c"}')).toBe(false);
  });

  it("writes no rule that begins with itself", () => {
    const text = { type: "string" };
    for (const schema of [
      { $ref: "#/$defs/A", $defs: { A: { anyOf: [{ $ref: "#/$defs/A" }, text] } } },
      {
        $ref: "#/$defs/A",
        $defs: {
          A: { anyOf: [{ $ref: "#/$defs/B" }, text] },
          B: { anyOf: [{ $ref: "#/$defs/A" }, { type: "array", items: { $ref: "#/$defs/A" } }] },
        },
      },
    ]) {
      const { grammar, losses } = toGbnfWithReport(schema);
      expect(readGbnf(grammar).accepts('"x"')).toBe(true);
      expect(losses.map(({ keyword }) => keyword)).toContain("$ref");
    }
  });

  it("reads true as anything, and says of false that a grammar must allow something", () => {
    expect(readGbnf(toGbnf(true)).accepts("[1]")).toBe(true);
    expect(toGbnfWithReport(false).losses).toHaveLength(1);
  });

  it("names what it had to give up, with its place", () => {
    const schema = { type: "object", properties: { tags: { type: "array", items: { type: "string" }, uniqueItems: true } } };
    expect(toGbnfWithReport(schema).losses).toEqual([
      { path: "/properties/tags", keyword: "uniqueItems", note: "that items differ can only be said of a few fixed values" },
    ]);
    expect(toGbnfWithReport({ type: "string", pattern: "(?<=a)b" }).losses).toMatchObject([{ path: "", keyword: "pattern" }]);
  });

  it("writes the same bytes for the same schema", () => {
    const schema = { type: "object", properties: { a: { type: "number", minimum: 1.5 }, b: { type: "string", pattern: "x+y" } } };
    expect(toGbnf(structuredClone(schema))).toBe(toGbnf(schema));
  });
});
