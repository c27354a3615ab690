/** FNV-1a over the first so many letters; digits count as one kind of letter. */
export function hashOfWord(word: string, length: number = word.length): number {
  let hash = 2166136261;
  for (let index = 0; index < length; index++) {
    const code = word.charCodeAt(index);
    hash ^= code >= 48 && code <= 57 ? 48 : code;
    hash = Math.imul(hash, 16777619);
  }
  return hash;
}

/** So many letters are the beginning of a word, by which its forms are known. */
export const stemLetters = 5;
/** Longer words are addresses and names, which say nothing about other texts. */
const maxLetters = 24;

/** The hash of a word; 0 for one that is too long to mean anything. */
export function hashOfShort(word: string): number {
  return word.length > maxLetters ? 0 : hashOfWord(word) || 1;
}

/** The hash of the beginning of a word; 0 for a word that is hardly longer than that, or too long. */
export function hashOfStem(word: string): number {
  return word.length > maxLetters || word.length <= stemLetters + 1 ? 0 : hashOfWord(word, stemLetters) || 1;
}
