/** A word without its ending, so that "searching", "searches" and "search" are one. Only common English endings. */
export function stem(word: string): string {
  let known = stems.get(word);
  if (known === undefined) {
    known = stemOnce(word);
    if (stems.size >= maxKept) stems.clear();
    stems.set(word, known);
  }
  return known;
}

/** Texts repeat their words, so stems are cached, up to a bound. */
const stems = new Map<string, string>();
const maxKept = 8_192;

/** An ending, and how many letters must be left before it. */
const endings: readonly (readonly [ending: string, left: number])[] = [
  ["ization", 3],
  ["isation", 3],
  ["ational", 3],
  ["fulness", 3],
  ["iveness", 3],
  ["ousness", 3],
  ["ation", 3],
  ["ating", 4],
  ["izing", 3],
  ["ising", 3],
  ["ional", 3],
  ["ator", 3],
  ["ated", 4],
  ["ment", 4],
  ["ness", 3],
  ["able", 4],
  ["ible", 4],
  ["ance", 4],
  ["ence", 4],
  ["ical", 3],
  ["ally", 3],
  ["ized", 3],
  ["ised", 3],
  ["izer", 3],
  ["ion", 3],
  ["ize", 3],
  ["ise", 4],
  ["ity", 4],
  ["ive", 4],
  ["ful", 3],
  ["ing", 3],
  ["ate", 4],
  ["ly", 3],
  ["al", 4],
  ["ic", 4],
  ["er", 3],
  ["or", 4],
  ["ed", 3],
];

const byLastLetter: (readonly (readonly [string, number])[])[] = Array.from({ length: 128 }, (_, code) =>
  endings.filter(([ending]) => ending.charCodeAt(ending.length - 1) === code),
);

/** As `stem`, without the cache: for words that are cached elsewhere or rarely repeat. */
export function stemOnce(word: string): string {
  if (word.length < 4 || !isPlain(word)) return word;
  let left = withoutPlural(word);
  for (const [ending, least] of byLastLetter[left.charCodeAt(left.length - 1)]!) {
    if (left.length - ending.length < least || !left.endsWith(ending)) continue;
    const base = left.slice(0, -ending.length);
    if (!/[aeiouy]/.test(base)) continue;
    left = base;
    break;
  }
  const last = left.at(-1)!;
  if (left.length > 3 && last === left.at(-2) && !"aeiouls".includes(last)) left = left.slice(0, -1);
  if (left.length > 3 && left.endsWith("e")) left = left.slice(0, -1);
  return left.length > 3 && (left.endsWith("i") || left.endsWith("y")) ? left.slice(0, -1) : left;
}

function isPlain(word: string): boolean {
  for (let index = 0; index < word.length; index++) if (word.charCodeAt(index) < 97 || word.charCodeAt(index) > 122) return false;
  return true;
}

/** "cities" → "city", "boxes" → "box", "prices" → "price"; "news", "status" and "class" stay. */
function withoutPlural(word: string): string {
  if (!word.endsWith("s") || /(?:ss|us|is|news)$/.test(word)) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  return /(?:x|ch|sh|ss|z)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}
