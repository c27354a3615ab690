import { latinTwin } from "../../util/look-alikes.ts";

/** A text as it is read, and what was in the way. */
export interface Folded {
  readonly text: string;
  /** Texts that were hidden in invisible or reversed characters. */
  readonly revealed: readonly { readonly text: string; readonly how: string; readonly start: number; readonly end: number }[];
  /** Invisible and reordering characters, in the order of the text. */
  readonly hidden: readonly HiddenCharacter[];
  /** Words that mix scripts so that they look like Latin ones. */
  readonly mixed: readonly { readonly start: number; readonly end: number }[];
  /** Latin letters in forms of other blocks: mathematical, full width, enclosed. */
  readonly styled: number;
  /** Escape sequences of terminals. */
  readonly escapes: readonly { readonly start: number; readonly end: number; readonly conceals: boolean; readonly isColour: boolean }[];
  /** Where a place of `text` is in the text as it was given. */
  placeOf(index: number): number;
}

export interface HiddenCharacter {
  readonly at: number;
  readonly code: number;
  readonly kind: "tag" | "override" | "zero-width" | "mark" | "control";
}

/** Most texts are made of nothing else: nothing is hidden in them. */
export const plainText: RegExp = /^[\t\n\r -~]*$/;
const none: readonly never[] = [];
const samePlace = (index: number): number => index;

/** Removes invisible characters and escape sequences, and writes letters that look like Latin ones in Latin. Linear in the text's length. */
export function foldText(raw: string): Folded {
  if (plainText.test(raw)) return { text: raw, revealed: none, hidden: none, mixed: none, styled: 0, escapes: none, placeOf: samePlace };
  const hidden: HiddenCharacter[] = [];
  const escapes: { start: number; end: number; conceals: boolean; isColour: boolean }[] = [];
  const revealed: { text: string; how: string; start: number; end: number }[] = [];
  const pieces: string[] = [];
  const places: number[] = [];
  const put = (piece: string, at: number): void => {
    pieces.push(piece);
    for (let index = 0; index < piece.length; index++) places.push(at);
  };
  const hasRightToLeft = /[\u0590-\u08ff]/.test(raw);
  let tags = "";
  let tagStart = 0;
  let styled = 0;
  let index = 0;
  const endTags = (at: number): void => {
    if (tags.length > 0) revealed.push({ text: tags, how: "tag characters", start: tagStart, end: at });
    tags = "";
  };
  while (index < raw.length) {
    const code = raw.codePointAt(index)!;
    const width = code > 0xffff ? 2 : 1;
    if (code === 0x1b || code === 0x9b) {
      const end = endOfEscape(raw, index);
      const sequence = raw.slice(index, end);
      escapes.push({ start: index, end, conceals: /\[(?:\d+;)*8(?:;\d+)*m$/.test(sequence), isColour: sequence.endsWith("m") });
      index = end;
      continue;
    }
    const kind = kindOf(code);
    if (kind === undefined || isNeeded(code, kind, raw, index, hasRightToLeft)) {
      endTags(index);
      const character = raw.slice(index, index + width);
      const read = code > 0x7e ? readAs(code, character) : character;
      if (read !== character) styled++;
      put(read, index);
    } else {
      if (kind === "tag" && code >= 0xe0020 && code <= 0xe007e) {
        if (tags === "") tagStart = index;
        tags += String.fromCharCode(code - 0xe0000);
      }
      hidden.push({ at: index, code, kind });
    }
    index += width;
  }
  endTags(raw.length);
  const folded = pieces.join("");
  const { text, mixed } = foldMixed(folded, places);
  revealReversed(raw, hidden, revealed);
  revealSelectors(hidden, revealed);
  return {
    text,
    revealed,
    hidden,
    mixed,
    styled,
    escapes,
    placeOf: (at) => (at >= places.length ? raw.length : places[at]!),
  };
}

/** The end of an escape sequence: CSI up to its last byte, OSC up to BEL or ST, other ones two characters. */
function endOfEscape(raw: string, start: number): number {
  let index = raw.charCodeAt(start) === 0x9b ? start + 1 : start + 2;
  const kind = raw[start + 1];
  if (raw.charCodeAt(start) === 0x9b || kind === "[") {
    while (index < raw.length && index - start < 64 && !/[@-~]/.test(raw[index]!)) index++;
    return Math.min(raw.length, index + 1);
  }
  if (kind !== "]") return Math.min(raw.length, start + 2);
  while (index < raw.length && index - start < 2048) {
    if (raw.charCodeAt(index) === 7) return index + 1;
    if (raw.charCodeAt(index) === 0x1b) return Math.min(raw.length, index + 2);
    index++;
  }
  return index;
}

const ignorable = /\p{Default_Ignorable_Code_Point}/u;
const bidi = /\p{Bidi_Control}/u;
const formats = /[\p{Cf}\p{Co}]/u;

function kindOf(code: number): HiddenCharacter["kind"] | undefined {
  if (code >= 0x20 && code <= 0x7e) return undefined;
  if (code === 9 || code === 10 || code === 13 || code === 12) return undefined;
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return "control";
  if (code < 0x300) return code === 0xad ? "zero-width" : undefined;
  if (code >= 0xe0000 && code <= 0xe0fff) return "tag";
  const character = String.fromCodePoint(code);
  if (bidi.test(character)) return code === 0x200e || code === 0x200f || code === 0x61c ? "mark" : "override";
  return ignorable.test(character) ||
    code === 0x2028 ||
    code === 0x2029 ||
    (code >= 0xfff0 && code <= 0xfffb) ||
    (code < 0x10000 && formats.test(character) && !/[\u0600-\u0605\u06dd\u070f]/.test(character) && !(code >= 0xe000 && code <= 0xf8ff))
    ? "zero-width"
    : undefined;
}

const emoji = /\p{ExtPict}/u;
const emojiEnd = /[\p{ExtPict}\p{EMod}\uFE0F\p{RI}]/u;
const joining =
  /[\p{sc=Arabic}\p{sc=Syriac}\p{sc=Mongolian}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Gurmukhi}\p{sc=Gujarati}\p{sc=Oriya}\p{sc=Tamil}\p{sc=Telugu}\p{sc=Kannada}\p{sc=Malayalam}\p{sc=Sinhala}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}\p{sc=Thai}\p{sc=Lao}]/u;

/** Joiners between letters of scripts that have them and between emoji, selectors of an emoji's form, flags made of tags, marks in text that runs both ways. */
function isNeeded(code: number, kind: HiddenCharacter["kind"], raw: string, index: number, hasRightToLeft: boolean): boolean {
  const before = characterBefore(raw, index);
  if (kind === "tag") {
    if (code >= 0xe0100 && code <= 0xe01ef) return /\p{Ideographic}/u.test(before);
    return isFlag(raw, index);
  }
  if (kind === "mark") return hasRightToLeft;
  if (kind === "override") return hasRightToLeft && code !== 0x202d && code !== 0x202e;
  if (kind === "control") return false;
  if (code === 0x200c || code === 0x200d || code === 0x200b) {
    const after = String.fromCodePoint(raw.codePointAt(index + 1) ?? 0);
    if (joining.test(before) && joining.test(after)) return true;
    return code === 0x200d && emojiEnd.test(before) && emoji.test(after);
  }
  if (code === 0xfe0e || code === 0xfe0f) return emoji.test(before) || /[0-9#*]/.test(before) || /\p{So}|\p{Sm}|\p{Po}/u.test(before);
  if (code >= 0xfe00 && code <= 0xfe0d) return /[\p{Ideographic}\p{Sm}]/u.test(before);
  if (code === 0xfeff) return index === 0;
  return code >= 0x1780 && code <= 0x180f && joining.test(before);
}

/** A flag is U+1F3F4, a few tags, and U+E007F. */
function isFlag(raw: string, index: number): boolean {
  let from = index;
  for (let steps = 0; steps < 8 && from >= 2; steps++) {
    const before = raw.codePointAt(from - 2) ?? 0;
    if (before === 0x1f3f4) return /^(?:\udb40[\udc30-\udc39\udc61-\udc7a]){2,6}\udb40\udc7f/.test(raw.slice(from, from + 16));
    if (before < 0xe0020 || before > 0xe007e) return false;
    from -= 2;
  }
  return false;
}

function characterBefore(text: string, index: number): string {
  const last = text.charCodeAt(index - 1);
  return text.slice(last >= 0xdc00 && last <= 0xdfff ? index - 2 : Math.max(0, index - 1), index);
}

/** 𝐢 → i; ｉ → i; ⓘ → i: a Latin letter or digit in another form. Letters of other scripts stay. */
function readAs(code: number, character: string): string {
  const isForm =
    (code >= 0xff01 && code <= 0xff5e) ||
    (code >= 0x1d400 && code <= 0x1d7ff) ||
    (code >= 0x2460 && code <= 0x24ff) ||
    (code >= 0x1f110 && code <= 0x1f189) ||
    (code >= 0x2100 && code <= 0x214f);
  if (!isForm) return character;
  const square = code >= 0x1f130 && code <= 0x1f189 ? String.fromCharCode(65 + ((code - 0x1f130) % 32)) : character.normalize("NFKC");
  return /^[A-Za-z0-9]$/.test(square) ? square : character;
}

/** Writes words that mix Latin letters with look-alikes of other scripts in Latin. Length and places stay. */
function foldMixed(text: string, places: readonly number[]): { text: string; mixed: { start: number; end: number }[] } {
  const mixed: { start: number; end: number }[] = [];
  if (!/[\u0250-\u02af\u0370-\u058f\u1d00-\u1dbf\ua730-\ua7ff]/.test(text)) return { text, mixed };
  const pieces: string[] = [];
  let done = 0;
  for (const match of text.matchAll(/[\p{L}\p{M}\p{N}_]+/gu)) {
    const word = match[0];
    if (!/[A-Za-z]/.test(word) && !isLatinNeighbour(text, match.index, word)) continue;
    if (!/[\u0250-\u02af\u0370-\u058f\u1d00-\u1dbf\ua730-\ua7ff]/.test(word)) continue;
    const latin = Array.from(word, latinTwin).join("");
    if (latin === word || /[\u0250-\uffff]/.test(latin)) continue;
    if (/[A-Za-z]/.test(word)) mixed.push({ start: places[match.index]!, end: places[match.index + word.length - 1]! + 1 });
    pieces.push(text.slice(done, match.index), latin);
    done = match.index + word.length;
  }
  pieces.push(text.slice(done));
  return { text: pieces.join(""), mixed };
}

/** A word of look-alikes only ("оре") that stands between Latin words. */
function isLatinNeighbour(text: string, index: number, word: string): boolean {
  return (
    /[A-Za-z]\W{0,2}$/.test(text.slice(Math.max(0, index - 3), index)) &&
    /^\W{0,2}[A-Za-z]/.test(text.slice(index + word.length, index + word.length + 3))
  );
}

/** What stands between an override to the left and its end, read from behind. */
function revealReversed(
  raw: string,
  hidden: readonly HiddenCharacter[],
  revealed: { text: string; how: string; start: number; end: number }[],
): void {
  let tries = 0;
  for (const [position, { at, code }] of hidden.entries()) {
    if (code !== 0x202e) continue;
    // Each one may reach to the end of the text.
    if (++tries > 16) return;
    const close = hidden
      .slice(position + 1, position + 4000)
      .find((other) => other.code === 0x202c || other.code === 0x2069 || other.code === 0x202e);
    const end = close?.at ?? raw.length;
    const text = Array.from(raw.slice(at + 1, end))
      .toReversed()
      .join("");
    if (text.length > 2) revealed.push({ text, how: "reversed direction", start: at, end });
  }
}

/** Bytes that are written as variation selectors, and bits that are written as two kinds of characters without width. */
function revealSelectors(hidden: readonly HiddenCharacter[], revealed: { text: string; how: string; start: number; end: number }[]): void {
  const bytes = hidden.filter(({ code }) => (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef));
  if (bytes.length >= 4) {
    const text = String.fromCharCode(...bytes.slice(0, 10_000).map(({ code }) => (code >= 0xe0100 ? code - 0xe0100 + 16 : code - 0xfe00)));
    if (isReadable(text)) revealed.push({ text, how: "variation selectors", start: bytes[0]!.at, end: bytes.at(-1)!.at + 1 });
  }
  const bits = hidden.filter(({ kind, code }) => kind === "zero-width" && code >= 0x200b && code <= 0x2064).slice(0, 80_000);
  if (bits.length < 32) return;
  const codes = [...new Set(bits.map(({ code }) => code))];
  if (codes.length < 2 || codes.length > 3) return;
  for (const [zero, one] of [
    [codes[0], codes[1]],
    [codes[1], codes[0]],
  ]) {
    const digits = bits.filter(({ code }) => code === zero || code === one).map(({ code }) => (code === one ? "1" : "0"));
    const text = Array.from({ length: Math.floor(digits.length / 8) }, (_, place) =>
      String.fromCharCode(Number.parseInt(digits.slice(place * 8, place * 8 + 8).join(""), 2)),
    ).join("");
    if (isReadable(text)) revealed.push({ text, how: "characters without width", start: bits[0]!.at, end: bits.at(-1)!.at + 1 });
  }
}

function isReadable(text: string): boolean {
  const readable = text.replaceAll(/[^\t\n -~]/g, "").length;
  return text.length >= 4 && readable >= text.length * 0.9;
}
