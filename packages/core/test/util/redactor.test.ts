import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFieldCheck, createRedactor } from "../../src/util/redactor.ts";
import { secretForms } from "../../src/util/secret-forms.ts";
import { createTextFinder } from "../../src/util/text-finder.ts";

const secret = fc.string({ minLength: 4, maxLength: 40, unit: "grapheme" }).filter((text) => text.length >= 4);
const text = fc.string({ maxLength: 30 });

/** Ways to write a text down by which it can be read again. */
const encodings: Record<string, (text: string) => string> = {
  "as it is": (given) => given,
  JSON: (given) => JSON.stringify(given),
  "a URL": (given) => encodeURIComponent(given),
  "a form": (given) => new URLSearchParams({ q: given }).toString(),
  base64: (given) => Buffer.from(given).toString("base64"),
  base64url: (given) => Buffer.from(given).toString("base64url"),
  hex: (given) => Buffer.from(given).toString("hex"),
  "hex in capitals": (given) => Buffer.from(given).toString("hex").toUpperCase(),
};

describe("a secret", () => {
  for (const [name, encode] of Object.entries(encodings)) {
    it(`S28: is taken out of a text in which it stands in ${name}, wherever it begins`, () => {
      fc.assert(
        fc.property(secret, text, text, (value, before, after) => {
          const redacted = createRedactor({ secrets: [value] }).text(encode(before + value + after));
          expect(redacted).toContain("[redacted]");
        }),
      );
    });
  }

  it("S28: is taken out of names of properties, of numbers and of what a value becomes as JSON", () => {
    const { value } = createRedactor({ secrets: ["12345678"] });
    expect(value({ "id 12345678": 1 })).toEqual({ "id [redacted]": 1 });
    expect(value([12_345_678, 12_345_678n, 1])).toEqual(["[redacted]", "[redacted]", 1]);
    expect(value({ inner: { toJSON: () => ({ id: "12345678" }) } })).toEqual({ inner: { id: "[redacted]" } });
  });

  it("of fewer than four characters is not looked for", () => {
    expect([...secretForms(["", "abc"])]).toEqual([]);
    expect(createRedactor({ secrets: ["abc"] }).text("abcd")).toBe("abcd");
  });

  it("is told from everything else: what holds none is the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(createRedactor({ secrets: ["Xq9-never-there"] }).value(value)).toBe(value);
        expect(createRedactor({ secrets: ["Xq9-never-there"], asJson: true }).value(value)).toBe(value);
      }),
    );
  });
});

describe("a text finder", () => {
  it("replaces as a search for each needle would, the longest first", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "\u{1F600}"), maxLength: 60 });
    const needles = fc.array(fc.string({ unit: fc.constantFrom("a", "b"), minLength: 4, maxLength: 6 }), { maxLength: 5 });
    fc.assert(
      fc.property(letters, needles, (given, wanted) => {
        const finder = createTextFinder(wanted);
        const ordered = [...wanted].sort((one, other) => other.length - one.length);
        let expected = "";
        for (let at = 0; at < given.length;) {
          const found = ordered.find((needle) => given.startsWith(needle, at));
          expected += found === undefined ? given[at]! : "#";
          at += found?.length ?? 1;
        }
        expect(finder.replaceAll(given, "#")).toBe(expected);
        expect(finder.isIn(given)).toBe(expected !== given);
      }),
    );
  });
});

describe("a redactor", () => {
  it("hides fields whatever their case, dashes and underscores", () => {
    const isHidden = createFieldCheck(["api_key"]);
    expect(["apiKey", "API-Key", "api_key", "api key", "apikeys"].map(isHidden)).toEqual([true, true, true, true, false]);
    expect(createRedactor({ isHidden, searchesJsonText: true }).text('{"apiKey":"x"}')).toBe('{"apiKey":"[redacted]"}');
  });

  it("searches texts and numbers in boxes, too, and hands on what was in the box", () => {
    const { value } = createRedactor({ secrets: ["hunter22", "12345678"] });
    const boxed = { a: new String("the key is hunter22"), b: new Number(12345678), c: [Object(12345678n)], d: new String("fine") };
    expect(value(boxed)).toEqual({ a: "the key is [redacted]", b: "[redacted]", c: ["[redacted]"], d: "fine" });
  });

  it("keeps circles and bytes as they are, except where plain JSON is wanted", () => {
    const bytes = new Uint8Array(3);
    const circle: Record<string, unknown> = { secret: "hunter22", bytes };
    circle["self"] = circle;
    const shown = createRedactor({ secrets: ["hunter22"] }).value(circle) as Record<string, unknown>;
    expect(shown).toMatchObject({ secret: "[redacted]", bytes });
    expect(shown["self"]).toBe(shown);
    expect(JSON.stringify(createRedactor({ secrets: ["hunter22"], asJson: true }).value(circle))).toContain("nested too deeply");
    expect(createRedactor({ asJson: true }).value({ bytes, big: 1n, list: [() => 1] })).toEqual({
      bytes: "[3 bytes]",
      big: "1",
      list: [null],
    });
  });
});
