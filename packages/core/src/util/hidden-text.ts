/**
 * Characters that a person does not see and a model reads: control characters (but tab and line feed), marks that turn the direction of
 * text round, characters without width, fillers, variation selectors, tags.
 */
const hidden =
  /[\0-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB]|[\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/gu;

/** The part of them that has no place in the text of a result either; the rest is data there. */
const smuggled =
  /[\u180E\u200B-\u200D\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF\uFFF9-\uFFFB]|[\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/gu;

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

const emoji = /\p{Extended_Pictographic}/u;
const emojiEnd = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]/u;
const joinedScripts =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
