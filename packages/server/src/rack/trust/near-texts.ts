/** Finds descriptions that say nearly the same: a letter, a word or a sentence more does not make another tool. */
export interface NearTexts {
  add(name: string, description: unknown): void;
  /** The name that was added with the nearest description; undefined if none is near. */
  find(description: unknown): string | undefined;
}

/** Costs one count for each word that a text shares with one that was added. */
export function createNearTexts(): NearTexts {
  const added: { readonly name: string; readonly size: number }[] = [];
  const byWord = new Map<string, number[]>();
  return {
    add(name, description) {
      const words = wordsOf(description);
      if (words.size < minWords) return;
      for (const word of words) {
        const places = byWord.get(word);
        if (places === undefined) byWord.set(word, [added.length]);
        else places.push(added.length);
      }
      added.push({ name, size: words.size });
    },
    find(description) {
      const words = added.length === 0 ? none : wordsOf(description);
      if (words.size < minWords) return undefined;
      const shared = new Uint16Array(added.length);
      for (const word of words) for (const place of byWord.get(word) ?? []) shared[place]! += 1;
      let nearest: { readonly name: string; readonly share: number } | undefined;
      for (const [place, { name, size }] of added.entries()) {
        const share = shared[place]! / (size + words.size - shared[place]!);
        if (share >= minShare && share > (nearest?.share ?? 0)) nearest = { name, share };
      }
      return nearest?.name;
    },
  };
}

/** Of all words of two texts, those that both have: "Lists orders of a customer." and "Lists the orders of a customer" share five of six. */
const minShare = 0.75;
/** Shorter texts are alike by chance. */
const minWords = 4;
const maxWords = 200;
const none: ReadonlySet<string> = new Set();

function wordsOf(description: unknown): ReadonlySet<string> {
  if (typeof description !== "string") return none;
  const words = new Set<string>();
  for (const [word] of description
    .slice(0, 20_000)
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]+/gu))
    if (words.add(word).size === maxWords) break;
  return words;
}
