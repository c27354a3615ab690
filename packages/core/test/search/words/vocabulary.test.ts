import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { termsOf } from "../../../src/search/tables/fields.ts";
import { createTermList, createVocabulary } from "../../../src/search/words/vocabulary.ts";

const letters = fc.constantFrom(..."aAbBsSeE19_ .-éß東");
const text = fc.array(letters, { maxLength: 40 }).map((said) => said.join(""));

function read(vocabulary: ReturnType<typeof createVocabulary>, said: string): number[] {
  const into = createTermList();
  vocabulary.read(said, into);
  return [...into.items.subarray(0, into.count)];
}

describe("a vocabulary", () => {
  it("reads the terms of a text, each as its number, and knows them again", () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 20 }), (texts) => {
        const vocabulary = createVocabulary();
        for (const said of [...texts, ...texts]) expect(read(vocabulary, said)).toEqual(termsOf(said).map((term) => vocabulary.find(term)));
        expect(vocabulary.size).toBe(new Set(texts.flatMap(termsOf)).size);
      }),
      { numRuns: 100 },
    );
  });

  it("keeps thousands of words apart, also long ones", () => {
    const vocabulary = createVocabulary();
    const words = Array.from({ length: 5_000 }, (_, number) => `q${number.toString(36).replaceAll(/\d/g, "z")}${"x".repeat(number % 60)}`);
    for (const word of words) read(vocabulary, word);
    for (const word of words) expect(read(vocabulary, word)).toEqual(termsOf(word).map((term) => vocabulary.find(term)));
  });

  it("forgets the terms that are taken out, and gives their numbers to the others", () => {
    const vocabulary = createVocabulary();
    const [mail, , hotel] = read(vocabulary, "mail weather hotel");
    const hash = vocabulary.hashOf(hotel!);
    vocabulary.compact(Int32Array.of(0, -1, 1));
    expect([vocabulary.find("mail"), vocabulary.find("weather"), vocabulary.find("hotel")]).toEqual([mail, -1, 1]);
    expect(vocabulary.hashOf(1)).toBe(hash);
    expect(read(vocabulary, "hotel weather mail")).toEqual([1, 2, 0]);
  });
});
