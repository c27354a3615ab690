type Range = readonly [first: number, last: number];

/** Serve only to hide something, also in the text of a result; what writing needs of them stays (`isNeeded`). */
const smuggling: readonly Range[] = [
  [0x180e, 0x180e], // a separator without width
  [0x200b, 0x200d], // space and joiners without width
  [0x202a, 0x202e], // embeddings and overrides of direction
  [0x2060, 0x206f], // word joiner, invisible operators, isolates
  [0xfe00, 0xfe0f], // variation selectors
  [0xfeff, 0xfeff], // byte order mark
  [0xfff9, 0xfffb], // interlinear annotation
  [0x1bca0, 0x1bca3], // shorthand format controls
  [0x1d173, 0x1d17a], // musical format controls
  [0xe0000, 0xe0fff], // tags, and more variation selectors
];

/** Have no place in prose either, and are data in the text of a result. Tab and line feed are not among them. */
const unseen: readonly Range[] = [
  [0x00, 0x08], // control characters
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad], // soft hyphen
  [0x034f, 0x034f], // grapheme joiner
  [0x061c, 0x061c], // marks of direction
  [0x200e, 0x200f],
  [0x115f, 0x1160], // fillers
  [0x3164, 0x3164],
  [0xffa0, 0xffa0],
  [0x17b4, 0x17b5], // vowels without a form
  [0x180b, 0x180f], // Mongolian selectors
  [0x2028, 0x2029], // separators of lines and paragraphs
  [0xfff0, 0xfff8], // unassigned specials
];

/** Characters that a person does not see and a model reads. */
const hidden: RegExp = toPattern([...unseen, ...smuggling]);
const smuggled: RegExp = toPattern(smuggling);

function toPattern(ranges: readonly Range[]): RegExp {
  const point = (code: number): string => `\\u{${code.toString(16)}}`;
  return new RegExp(`[${ranges.map(([first, last]) => `${point(first)}-${point(last)}`).join("")}]`, "gu");
}

/** Takes hidden characters out of prose: a description, a title, a question. Joiners and selectors stay where writing needs them. */
export function cleanText(text: string): string {
  return withoutHidden(text, hidden);
}

/** Takes out of a result's text what serves only to hide something there. Control characters, marks of direction and soft hyphens stay. */
export function cleanResultText(text: string): string {
  return withoutHidden(text, smuggled);
}

/** The hidden characters of a text, each once, as "U+202E"; empty for nearly all texts. */
export function hiddenIn(text: string): readonly string[] {
  const found = new Set<string>();
  withoutHidden(text, hidden, found);
  return [...found];
}

/** As `hiddenIn`, without the control characters that JSON writes visibly. */
export function unseenIn(text: string): readonly string[] {
  return hiddenIn(text).filter((point) => Number.parseInt(point.slice(2), 16) > 0x1f);
}

function withoutHidden(text: string, which: RegExp, found?: Set<string>): string {
  if (plain.test(text) || text.search(which) < 0) return text;
  return text.replace(which, (character, index: number) => {
    if (isNeeded(character, text, index)) return character;
    found?.add(`U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`);
    return "";
  });
}

/** What most texts are made of. */
const plain = /^[\t\n -~]*$/;

/** A joiner between two letters of a script that has them or between two emoji, and the selector of an emoji's form or an ideograph's. */
function isNeeded(character: string, text: string, index: number): boolean {
  const before = characterBefore(text, index);
  if (character === "\u200C" || character === "\u200D") {
    const after = String.fromCodePoint(text.codePointAt(index + 1) ?? 0);
    if (joinedScripts.test(before) && joinedScripts.test(after)) return true;
    return character === "\u200D" && emojiEnd.test(before) && emoji.test(after);
  }
  if (character === "\uFE0E" || character === "\uFE0F") return emoji.test(before) || /[0-9#*]/.test(before);
  const point = character.codePointAt(0)!;
  return point >= 0xe0100 && point <= 0xe01ef && /\p{Ideographic}/u.test(before);
}

function characterBefore(text: string, index: number): string {
  const last = text.charCodeAt(index - 1);
  return text.slice(last >= 0xdc00 && last <= 0xdfff ? index - 2 : Math.max(0, index - 1), index);
}

const emoji = /\p{ExtPict}/u;
const emojiEnd = /[\p{ExtPict}\p{EMod}\uFE0F]/u;
const joinedScripts =
  /[\p{sc=Arabic}\p{sc=Syriac}\p{sc=Mongolian}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Gurmukhi}\p{sc=Gujarati}\p{sc=Oriya}\p{sc=Tamil}\p{sc=Telugu}\p{sc=Kannada}\p{sc=Malayalam}\p{sc=Sinhala}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]/u;
