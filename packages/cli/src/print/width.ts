import { stripVTControlCharacters } from "node:util";

/** How many columns of a terminal a text takes: East Asian letters and emoji take two, marks on a letter none. Colours do not count. */
export function widthOf(text: string): number {
  const plain = stripVTControlCharacters(text);
  if (/^[\x20-\x7e]*$/.test(plain)) return plain.length;
  let width = 0;
  for (const character of plain) width += columnsOf(character);
  return width;
}

/** The beginning of a text that fits, with "…" where something is missing. A text that is cut loses its colours. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let [cut, left] = ["", width - 1];
  for (const character of stripVTControlCharacters(text)) {
    left -= columnsOf(character);
    if (left < 0) break;
    cut += character;
  }
  return `${cut}…`;
}

function columnsOf(character: string): number {
  if (/\p{M}|\u200d|\ufe0f/u.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u;
