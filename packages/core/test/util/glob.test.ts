import fc from "fast-check";
import { cpuTime } from "@toolrack/testkit/cpu-time";
import { sized } from "@toolrack/testkit/sized";
import { describe, expect, it } from "vitest";
import { compileGlob, matchesGlob } from "../../src/util/glob.ts";
import { matchGlobs } from "../../src/policy/entries/_globs.ts";

const matches = (glob: string, text: string): boolean => matchesGlob(compileGlob(glob), text);

/** The definition, spelled out: a star takes any number of characters. Exponential, and fit for short texts only. */
function matchesByDefinition(glob: string, text: string): boolean {
  if (glob === "") return text === "";
  if (glob[0] === "*") return matchesByDefinition(glob.slice(1), text) || (text !== "" && matchesByDefinition(glob, text.slice(1)));
  return text[0] === glob[0] && matchesByDefinition(glob.slice(1), text.slice(1));
}

const shortGlob = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 7 }).map((text) => `${text}*`);
const shortText = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 8 });

describe("a glob", () => {
  it.each([
    ["web_*", "web_search", true],
    ["web_*", "xweb_search", false],
    ["*_search", "web_search", true],
    ["*_search", "web_searches", false],
    ["sess*list", "sessions_list", true],
    ["ab*ba", "aba", false],
    ["*b*", "abc", true],
    ["**", "", true],
    ["a*", "a", true],
    ["[rw]*", "read", false],
    ["a.*", "ab", false],
  ])("%s on %s: %s", (glob, text, expected) => {
    expect(matches(glob, text)).toBe(expected);
  });

  it("agrees with the definition", () => {
    fc.assert(
      fc.property(shortGlob, shortText, (glob, text) => matches(glob, text) === matchesByDefinition(glob, text)),
      { numRuns: sized(500, 2_000) },
    );
  });

  it("with many stars costs one pass", () => {
    const glob = compileGlob(`${"a*".repeat(2_000)}b`);
    const started = cpuTime();
    expect(matchesGlob(glob, "a".repeat(20_000))).toBe(false);
    expect(matchesGlob(glob, `${"a".repeat(20_000)}b`)).toBe(true);
    expect(cpuTime() - started).toBeLessThan(20_000);
  });
});

describe("many globs", () => {
  it("match exactly what each of them matches alone", () => {
    const lists = fc.record({
      globs: fc.uniqueArray(shortGlob, { minLength: 31, maxLength: 60 }),
      names: fc.array(shortText, { maxLength: 20 }),
    });
    fc.assert(
      fc.property(lists, ({ globs, names }) => {
        const { setOf, sets } = matchGlobs(globs.map(compileGlob), names);
        const found = names.map((_, name) => sets[setOf[name]!]);
        expect(found).toEqual(names.map((name) => globs.flatMap((glob, number) => (matches(glob, name) ? [number] : []))));
      }),
    );
  });

  it("match exactly what each of them matches alone where they are few", () => {
    const lists = fc.record({ globs: fc.uniqueArray(shortGlob, { maxLength: 30 }), names: fc.array(shortText, { maxLength: 20 }) });
    fc.assert(
      fc.property(lists, ({ globs, names }) => {
        const { setOf, sets } = matchGlobs(globs.map(compileGlob), names);
        const found = names.map((_, name) => sets[setOf[name]!]);
        expect(found).toEqual(names.map((name) => globs.flatMap((glob, number) => (matches(glob, name) ? [number] : []))));
      }),
    );
  });
});
