import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { JsonError, readJson, readUtf8 } from "../../src/util/strict-json.ts";

const refusal = (text: string, depth = 64): string | undefined => {
  try {
    readJson(text, depth, "The body");
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(JsonError);
    return (error as JsonError).message;
  }
};

describe("readJson", () => {
  it("reads what JSON.parse reads, for any value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(readJson(text, 64, "The body")).toEqual(JSON.parse(text));
      }),
    );
  });

  it("never does anything but read or refuse, whatever the text", () => {
    const pieces = fc.constantFrom("{", "}", "[", "]", ",", ":", '"', "\\", '"a"', "1", "-", "e9", "true", " ", "\\u0061", "\u0000");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const text = parts.join("");
        const mine = refusal(text);
        if (mine === undefined) expect(() => JSON.parse(text) as unknown).not.toThrow();
      }),
    );
  });

  it.each([
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '[{"b":{"c":1,"c":1}}]',
    '{"a":{"x":1},"b":2,"a":3}',
    '{ "__proto__" : 1 , "__proto__" : 2 }',
  ])("refuses a key that occurs twice in one object: %s", (text) => expect(refusal(text)).toMatch(/occurs twice/));

  it("refuses a text exactly where one of its objects has two equal keys, however they are written", () => {
    const key = fc.constantFrom("a", "b", '"', "\\", '\\"', "__proto__", "1", "é", ":", "{");
    const escaped = (name: string): string =>
      `"${[...name].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"`;
    const { tree } = fc.letrec<{ tree: { text: string; repeats: boolean } }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom("1", '"a:b,{"', "null", '"\\\\"').map((text) => ({ text, repeats: false })),
        fc.array(tie("tree"), { maxLength: 3 }).map((items) => ({
          text: `[${items.map(({ text }) => text).join(" , ")}]`,
          repeats: items.some(({ repeats }) => repeats),
        })),
        fc.array(fc.tuple(key, fc.boolean(), tie("tree")), { maxLength: 4 }).map((members) => ({
          text: `{${members.map(([name, isEscaped, { text }]) => `${isEscaped ? escaped(name) : JSON.stringify(name)}: ${text}`).join(",")}}`,
          repeats: new Set(members.map(([name]) => name)).size < members.length || members.some(([, , { repeats }]) => repeats),
        })),
      ),
    }));
    fc.assert(
      fc.property(tree, ({ text, repeats }) => {
        expect(refusal(text)?.includes("occurs twice") ?? false).toBe(repeats);
      }),
      { numRuns: 1_000 },
    );
  });

  it("gives back what was written, escaped or not, whatever was read before", () => {
    const text = fc.constantFrom("a", "é", "\\", '"', "1", "__proto__", "a\nb", "\u4e2d", "");
    const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.integer(),
        fc.constantFrom(null, true, 0.5),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(text, tie("value"), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    const escapeAll = (json: string): string =>
      json.replaceAll(/"((?:[^"\\]|\\.)*)"/g, (quoted) => `"${[...(JSON.parse(quoted) as string)].map(toEscape).join("")}"`);
    const toEscape = (one: string): string => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;
    fc.assert(
      fc.property(values, (value) => {
        const json = JSON.stringify(value, null, 1);
        expect(readJson(json, 64, "The body")).toStrictEqual(value);
        expect(readJson(escapeAll(json), 64, "The body")).toStrictEqual(value);
      }),
      { numRuns: 1_000 },
    );
  });

  it("accepts the same key in different objects, and equal texts that are no keys", () => {
    expect(readJson('{"a":{"a":"a"},"b":["a","a",{"a":1}]}', 64, "The body")).toEqual({ a: { a: "a" }, b: ["a", "a", { a: 1 }] });
  });

  it.each(["9007199254740993", "-9007199254740993", '{"id":12345678901234567890}', "1e400", "-1e999"])(
    "refuses a number that would be rounded: %s",
    (text) => expect(refusal(text)).toMatch(/cannot be represented exactly/),
  );

  it("accepts numbers that are kept, and digits inside of texts", () => {
    expect(readJson('[9007199254740991, 0.1, 1e21, "12345678901234567890"]', 64, "The body")).toEqual([
      9_007_199_254_740_991,
      0.1,
      1e21,
      "12345678901234567890",
    ]);
  });

  it("refuses nesting beyond the limit, also a million levels of it", () => {
    expect(refusal("[[[1]]]", 3)).toBeUndefined();
    expect(refusal("[[[[1]]]]", 3)).toMatch(/more than 3 levels/);
    expect(refusal("[".repeat(1_000_000))).toMatch(/more than 64 levels/);
  });

  it("keeps __proto__ and constructor as plain data", () => {
    const read = readJson('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}', 64, "The body") as object;
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(Object.keys(read)).toEqual(["__proto__", "constructor"]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("readUtf8", () => {
  it("reads UTF-8, with or without a byte order mark, and refuses every other byte", () => {
    expect(readUtf8(Buffer.from("é 中 🙂"), "The body")).toBe("é 中 🙂");
    expect(readUtf8(Buffer.from("\uFEFF{}"), "The body")).toBe("{}");
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf]])
      expect(() => readUtf8(Uint8Array.from(bytes), "The body")).toThrow("The body is not valid UTF-8.");
  });
});

it("SD8: looks at each character once, and never searches the rest of the text for the next quote", () => {
  const searched = vi.spyOn(String.prototype, "indexOf");
  const cut = vi.spyOn(String.prototype, "includes");
  try {
    readJson(`{"a":"b\\"","list":[${"1,".repeat(1_000)}1]}`, 64, "The body");
    expect(searched).not.toHaveBeenCalled();
    expect(cut).not.toHaveBeenCalled();
  } finally {
    searched.mockRestore();
    cut.mockRestore();
  }
});

it("SD8: refuses more values than are allowed before it makes them", () => {
  const made = vi.spyOn(JSON, "parse");
  try {
    expect(readJson('{"a":[1,2,3]}', 64, "The body", 5)).toEqual({ a: [1, 2, 3] });
    made.mockClear();
    expect(() => readJson('{"a":[1,2,3,4]}', 64, "The body", 5)).toThrow("The body has more than 5 values. Send fewer");
    expect(made).not.toHaveBeenCalled();
  } finally {
    made.mockRestore();
  }
});
