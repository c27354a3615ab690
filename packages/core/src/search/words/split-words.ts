/**
 * The words of a text, in lower case: split where letters and digits meet, at camelCase, snake_case and every other mark.
 * "getHTTPStatus_v2 of an URL" → get, http, status, v, 2, of, an, url. Accents are removed. Scripts without spaces between words
 * are split into pairs of neighbouring characters.
 */
export function splitWords(text: string): string[] {
  const count = findAsciiWords(text, bounds);
  if (count < 0) return splitUnicode(text);
  const words: string[] = [];
  for (let word = 0; word < count; word++) words.push(text.slice(bounds.starts[word], bounds.ends[word]).toLowerCase());
  return words;
}

/** Where the words of a text begin and end. */
export interface WordBounds {
  starts: Int32Array;
  ends: Int32Array;
}

export function createWordBounds(): WordBounds {
  return { starts: new Int32Array(256), ends: new Int32Array(256) };
}

const bounds = createWordBounds();

/** Stores the bounds of each word, and returns the number of words; -1 if the text is not all ASCII. */
export function findAsciiWords(text: string, found: WordBounds): number {
  // There is at most one word for each character.
  if (found.starts.length < text.length) {
    found.starts = new Int32Array(text.length);
    found.ends = new Int32Array(text.length);
  }
  const { starts, ends } = found;
  let count = 0;
  let start = 0;
  let before = other;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 127) return -1;
    const kind = kinds[code]!;
    if (kind === before && kind !== other) continue;
    let end = index;
    if (kind === other) {
      if (end > start) {
        starts[count] = start;
        ends[count++] = end;
      }
      start = index + 1;
    } else if (before !== other) {
      // "getStatus", "v2" and "2d" are cut here; in "HTTPStatus" the last capital goes with what follows.
      if (before === upper && kind === lower) end = index - 1;
      if (end > start) {
        starts[count] = start;
        ends[count++] = end;
      }
      start = end;
    }
    before = kind;
  }
  if (text.length > start) {
    starts[count] = start;
    ends[count++] = text.length;
  }
  return count;
}

const other = 0;
const lower = 1;
const upper = 2;
const digit = 3;

/** By character code: a-z, A-Z, 0-9. */
const kinds = new Uint8Array(128).fill(lower, 97, 123).fill(upper, 65, 91).fill(digit, 48, 58);

export function splitUnicode(text: string): string[] {
  const spaced = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/(\p{Ll})(?=\p{Lu})|(\p{L})(?=\p{N})|(\p{N})(?=\p{L})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, "$& ")
    .toLowerCase();
  return (spaced.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((word) => (unspaced.test(word) ? pairsOf(word) : [word]));
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

function pairsOf(word: string): string[] {
  const characters = [...word.normalize("NFC")];
  return characters.length < 2 ? characters : characters.slice(1).map((character, index) => characters[index]! + character);
}
