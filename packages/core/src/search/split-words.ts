/**
 * The words of a text, in lower case: split where letters and digits meet, at camelCase, snake_case and every other mark.
 * "getHTTPStatus_v2 of an URL" → get, http, status, v, 2, of, an, url. Accents are taken off. Scripts that put no space between words
 * come as pairs of neighbouring characters.
 */
export function splitWords(text: string): string[] {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return splitUnicode(text);
  return splitAscii(text);
}

const other = 0;
const lower = 1;
const upper = 2;
const digit = 3;

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return lower;
  if (code >= 65 && code <= 90) return upper;
  return code >= 48 && code <= 57 ? digit : other;
}

function splitAscii(text: string): string[] {
  const words: string[] = [];
  let start = 0;
  let before = other;
  const end = (index: number): void => {
    if (index > start) words.push(text.slice(start, index).toLowerCase());
    start = index;
  };
  for (let index = 0; index < text.length; index++) {
    const kind = kindOf(text.charCodeAt(index));
    if (kind === other) {
      end(index);
      start = index + 1;
    } else if (kind !== before && before !== other) {
      // "getStatus", "v2" and "2d" are cut here; in "HTTPStatus" the last capital goes with what follows.
      if (!(before === upper && kind === lower)) end(index);
      else if (index - 1 > start) end(index - 1);
    }
    before = kind;
  }
  end(text.length);
  return words;
}

function splitUnicode(text: string): string[] {
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
