/**
 * The words of a text, in lower case: split where letters and digits meet, at camelCase, snake_case and every other mark.
 * "getHTTPStatus_v2 of an URL" → get, http, status, v, 2, of, an, url. Accents are taken off. Scripts that put no space between words
 * come as pairs of neighbouring characters.
 */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  const isAscii = eachAsciiWord(text, (start, end) => words.push(text.slice(start, end).toLowerCase()));
  return isAscii ? words : splitUnicode(text);
}

/** Tells where each word of a text begins and ends. False, and then what was told does not count, where the text is not all ASCII. */
export function eachAsciiWord(text: string, visit: (start: number, end: number) => void): boolean {
  let start = 0;
  let before = other;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 127) return false;
    const kind = kinds[code]!;
    if (kind === before && kind !== other) continue;
    if (kind === other) {
      if (index > start) visit(start, index);
      start = index + 1;
    } else if (before !== other) {
      // "getStatus", "v2" and "2d" are cut here; in "HTTPStatus" the last capital goes with what follows.
      const cut = before === upper && kind === lower ? index - 1 : index;
      if (cut > start) visit(start, cut);
      start = cut;
    }
    before = kind;
  }
  if (text.length > start) visit(start, text.length);
  return true;
}

const other = 0;
const lower = 1;
const upper = 2;
const digit = 3;

const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return lower;
  if (code >= 65 && code <= 90) return upper;
  return code >= 48 && code <= 57 ? digit : other;
});

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
