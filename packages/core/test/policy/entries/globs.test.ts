import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createGlobFinder, matchGlobs } from "../../../src/policy/entries/_globs.ts";
import { compileGlob, matchesGlob } from "../../../src/util/glob.ts";

const word = fc.stringMatching(/^[ab_]{0,3}$/);
const pattern = fc.oneof(
  word.map((text) => `${text}*`),
  word.map((text) => `*${text}`),
  fc.tuple(word, word, word).map((parts) => parts.join("*")),
);
/** Few are tried one by one; more than thirty are looked up by their parts. */
const patterns = fc.oneof(fc.array(pattern, { maxLength: 6 }), fc.array(pattern, { minLength: 31, maxLength: 40 }));
const names = fc.array(fc.stringMatching(/^[ab_]{1,6}$/), { maxLength: 12 });

describe("the globs that a name matches", () => {
  it("are those that match it one by one, for any number of globs and names", () => {
    fc.assert(
      fc.property(patterns, names, (texts, all) => {
        const globs = texts.map(compileGlob);
        const { setOf, sets } = matchGlobs(globs, all);
        const find = createGlobFinder(globs, all.length);
        const findOne = createGlobFinder(globs);
        expect(sets[0]).toEqual([]);
        for (const [position, name] of all.entries()) {
          const expected = globs.flatMap((glob, number) => (matchesGlob(glob, name) ? [number] : []));
          expect([...sets[setOf[position]!]!], name).toEqual(expected);
          expect([...find(name)], name).toEqual(expected);
          expect([...findOne(name)], name).toEqual(expected);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("are one set for all names that match the same ones", () => {
    const globs = Array.from({ length: 40 }, (_, index) => compileGlob(`web${index === 7 ? "" : index}_*`));
    const { setOf, sets } = matchGlobs(globs, ["web_a", "other", "web_b", "web12_a"]);
    expect([...setOf].map((set) => sets[set])).toEqual([[7], [], [7], [12]]);
    expect(setOf[0]).toBe(setOf[2]);
    expect(sets).toHaveLength(3);
  });

  it("are refused where they are too alike to be held against many names, and found for one name", () => {
    const globs = Array.from({ length: 3_000 }, (_, index) => compileGlob(`*a*${"b".repeat(index % 3)}*`));
    const all = Array.from({ length: 3_000 }, (_, index) => `ab${index}`);
    expect(() => matchGlobs(globs, all)).toThrow(expect.objectContaining({ code: "POLICY_INVALID" }));
    expect(createGlobFinder(globs)("abb").length).toBe(3_000);
  });
});
