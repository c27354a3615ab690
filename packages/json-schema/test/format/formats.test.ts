import { fullFormats } from "ajv-formats/dist/formats.js";
import fc from "fast-check";
import { cpuTime } from "@toolrack/testkit/cpu-time";
import { describe, expect, it } from "vitest";
import { formats } from "../../src/format/formats.ts";
import { table } from "./formats-table.ts";

describe("formats", () => {
  it("has exactly the formats of the table", () => {
    expect([...formats.keys()].sort()).toEqual(Object.keys(table).sort());
  });

  for (const [name, { valid, invalid }] of Object.entries(table)) {
    it(`${name} accepts what is valid and refuses what is not`, () => {
      const check = formats.get(name)!;
      expect(valid.filter((text) => !check(text))).toEqual([]);
      expect(invalid.filter((text) => check(text))).toEqual([]);
    });

    it(`${name} takes any text and answers long ones at once`, () => {
      const check = formats.get(name)!;
      fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 30 }), (text) => typeof check(text) === "boolean"));
      const start = cpuTime();
      for (const text of [...valid.slice(0, 2), ...invalid.slice(0, 2), "a.", "1:", "9", "%41", "/a", "{a}", "-", "@", '"\\"', "P1"]) {
        check(`${valid[0]!}${text.repeat(20_000)}`);
        check(`${text.repeat(20_000)}!`);
      }
      expect(cpuTime() - start).toBeLessThan(20_000);
    });
  }

  /** Where two readings of a standard differ, the text is left out. */
  const differs: Record<string, RegExp> = {
    "date-time": /^.{10}\s|[+-]\d\d(?:\d\d)?$|:60/,
    time: /[+-]\d\d(?:\d\d)?$|:60/,
    hostname: /\.$/,
    uuid: /^urn:/,
    uri: /^[^:]*:(?:[?#]|$)/,
    "uri-template": /\.|\x7f/,
    "relative-json-pointer": /^\d+[+-]/,
  };
  /** Formats of which ajv-formats lets more pass: "https://a@b@c/" is no URI. */
  const isLaxer = (name: string): boolean => name.startsWith("uri") && name !== "uri-template";
  const compared = [
    "date",
    "time",
    "date-time",
    "duration",
    "ipv4",
    "ipv6",
    "hostname",
    "uuid",
    "uri",
    "uri-reference",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
  ] as const;

  it.each(compared)("%s agrees with ajv-formats on small changes of known texts", (name) => {
    const check = formats.get(name)!;
    const theirs = fullFormats[name] as RegExp | ((text: string) => boolean) | { validate: (text: string) => boolean };
    const validate = (text: string): boolean =>
      theirs instanceof RegExp ? theirs.test(text) : typeof theirs === "function" ? theirs(text) : theirs.validate(text);
    const known = [...table[name]!.valid, ...table[name]!.invalid];
    const change = fc.record({
      at: fc.nat(40),
      drop: fc.nat(2),
      add: fc.string({ unit: fc.constantFrom(..."0123456789abcfTZPWYMDHS:/?#[]@%.-+~{},*_ =&"), maxLength: 2 }),
    });
    const property = fc.property(fc.constantFrom(...known), fc.array(change, { maxLength: 3 }), (text, changes) => {
      const changed = changes.reduce((before, { at, drop, add }) => before.slice(0, at) + add + before.slice(at + drop), text);
      fc.pre(!differs[name]?.test(changed));
      if (isLaxer(name)) expect(!check(changed) || validate(changed), changed).toBe(true);
      else expect(check(changed), changed).toBe(validate(changed));
    });
    fc.assert(property, { numRuns: 1_000 });
  });
});
