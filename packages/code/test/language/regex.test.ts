import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "@toolrack/testkit/sized";
import { compileRegExp } from "../../src/regex/compile.ts";
import { findMatch } from "../../src/regex/match.ts";

/** Patterns from parts, so that they are valid. */
const atom = fc.constantFrom(
  "a",
  "b",
  "\\d",
  "\\w",
  "\\s",
  ".",
  "[ab]",
  "[^a]",
  "[a-c1]",
  "(?:ab|b)",
  "(a)",
  "(b|)",
  "(?=a)",
  "(?!b)",
  "(?<=a)",
  "(?<!b)",
  "\\b",
  "\\B",
  "^",
  "$",
  "\\1",
  "(?<n>c)",
  "\\k<n>",
  "1",
  "\\u0062",
);
const quantifier = fc.constantFrom("", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,2}?", "{2,}");
const piece = fc.tuple(atom, quantifier).map(([one, many]) => (/^(?:\^|\$|\\b|\\B|\(\?<?[=!])/i.test(one) ? one : one + many));
const group = fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => `(${parts.join("")})`);
const pattern = fc
  .array(fc.oneof({ weight: 4, arbitrary: piece }, { weight: 1, arbitrary: fc.tuple(group, quantifier).map((parts) => parts.join("")) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.join(""));
const text = fc.array(fc.constantFrom("a", "b", "c", "1", " ", "\n", "A", "B", "_"), { maxLength: 14 }).map((parts) => parts.join(""));
const flags = fc.subarray(["i", "m", "s", "u"]).map((chosen) => chosen.join(""));

test("a pattern matches what it matches in Node, with the same groups", () => {
  fc.assert(
    fc.property(pattern, text, flags, (source, given, chosen) => {
      let host: RegExp;
      try {
        host = new RegExp(source, chosen);
      } catch {
        return;
      }
      const expected = host.exec(given);
      const found = findMatch(compileRegExp(source, chosen), given, 0, false, () => {});
      const groups =
        found === undefined
          ? null
          : Array.from({ length: found.length / 2 }, (_, at) =>
              found[at * 2] === -1 ? undefined : given.slice(found[at * 2], found[at * 2 + 1]),
            );
      expect(groups, `/${source}/${chosen} on ${JSON.stringify(given)}`).toEqual(expected === null ? null : [...expected]);
      if (expected !== null) expect(found?.[0]).toBe(expected.index);
    }),
    { numRuns: sized(3_000, 200_000) },
  );
});
