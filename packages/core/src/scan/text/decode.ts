/** A text that was found encoded in another. */
export interface DecodedText {
  readonly text: string;
  /** The encoding: "base64". */
  readonly how: string;
  readonly start: number;
  readonly end: number;
}

/** Texts are decoded up to here; a longer one is cut. */
const maxLength = 200_000;
/** Encoded pieces of one text that are looked at. */
const maxPieces = 64;

/** Every piece that can be decoded into words, by family of encodings. Data (images, keys, signed tokens, JSON) is not words. */
export function decodedTexts(text: string): readonly DecodedText[] {
  const found: DecodedText[] = [];
  if (text.length < 20) return found;
  const add = (how: string, start: number, end: number, decoded: string | undefined, test: (text: string) => boolean = isProse): void => {
    if (decoded !== undefined && found.length < maxPieces && test(decoded))
      found.push({ text: decoded.slice(0, maxLength), how, start, end });
  };
  const shape = shapeOf(text);
  let tried = 0;
  for (const match of shape.longest < 16 ? [] : text.matchAll(/[A-Za-z0-9+/_-]{16,}={0,2}/g)) {
    if (++tried > 4 * maxPieces) break;
    const [start, end] = [match.index, match.index + match[0].length];
    const piece = match[0];
    if (isPath(piece)) continue;
    if (/^[0-9a-fA-F]{24,}$/.test(piece) && piece.length % 2 === 0) add("hex", start, end, fromHex(piece));
    if (/^[A-Z2-7]{24,}=*$/.test(piece)) add("base32", start, end, fromBase32(piece));
    add("base64", start, end, fromBase64(piece));
  }
  if (text.includes("&"))
    add("HTML entities", ...wholeRange(text, /(?:&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-z]{2,8});[^&\n]{0,3}){6,}/g, fromEntities));
  if (text.includes("%")) add("percent encoding", ...wholeRange(text, /(?:%[0-9a-fA-F]{2}[A-Za-z0-9.~_-]{0,8}){4,}/g, fromPercent));
  if (text.includes("\\"))
    add("escapes", ...wholeRange(text, /(?:\\(?:u\{?[0-9a-fA-F]{2,6}\}?|x[0-9a-fA-F]{2}|[0-7]{3})[ .,]?){6,}/g, fromEscapes));
  if (shape.digits >= 16) add("character codes", ...wholeRange(text, /(?:\b\d{2,3}[, ]{1,2}){7,}\d{2,3}\b/g, fromCodes));
  if (shape.pairs >= 12 && shape.digits > 0) {
    add(
      "hex",
      ...wholeRange(text, /(?:\b(?:0x)?[0-9a-fA-F]{2}[ :,]{1,2}){11,}(?:0x)?[0-9a-fA-F]{2}\b/g, (piece) =>
        fromHex(piece.replaceAll(/0x|[ :,]/g, "")),
      ),
    );
  }
  if (shape.digits >= 48) add("binary", ...wholeRange(text, /(?:\b[01]{8}[ ,]?){6,}/g, fromBits));
  if (shape.mixed >= 3) add("digits for letters", ...whole(text, fromDigits));
  if (shape.singles >= 10) {
    add(
      "spaced letters",
      ...wholeRange(
        text,
        /(?:\b[A-Za-z][ .\-_*]{1,2}){9,}[A-Za-z]\b/g,
        (piece) =>
          piece
            .replaceAll(/ {2,}/g, "\u0000")
            .replaceAll(/[ .\-_*]/g, "")
            .replaceAll("\u0000", " "),
        isLong,
      ),
    );
  }
  if (scrambledWords.test(text)) {
    add("rot13", ...whole(text, fromRot13));
    add("reversed letters", ...whole(text, fromReversed));
  }
  return found;
}

/** What pieces a text has, in one pass: most texts have none that could be encoded. */
interface TextShape {
  /** The longest run of characters that base64 has. */
  longest: number;
  digits: number;
  /** Words that have both letters and digits. */
  mixed: number;
  /** Letters that stand alone. */
  singles: number;
  /** Runs of two letters or digits, or of four. */
  pairs: number;
}

function shapeOf(text: string): TextShape {
  const shape = { longest: 0, digits: 0, mixed: 0, singles: 0, pairs: 0 };
  let [run, word, before] = [0, 0, 0];
  for (let index = 0; index <= text.length; index++) {
    const code = index < text.length ? text.charCodeAt(index) : 0;
    const isDigit = code >= 48 && code <= 57;
    if (isDigit) shape.digits++;
    if (isDigit || (code >= 97 && code <= 122) || (code >= 65 && code <= 90)) {
      word++;
      run++;
      continue;
    }
    const digits = shape.digits - before;
    before = shape.digits;
    if (digits > 0 && digits < word) shape.mixed++;
    if (word === 1) shape.singles++;
    else if (word === 2 || word === 4) shape.pairs++;
    word = 0;
    if (code === 43 || code === 47 || code === 95 || code === 45) {
      run++;
      continue;
    }
    if (run > shape.longest) shape.longest = run;
    run = 0;
  }
  return shape;
}

type Piece = [start: number, end: number, decoded: string | undefined, test?: (text: string) => boolean];

/** All matches together: an order may be encoded word by word. */
function wholeRange(text: string, pattern: RegExp, decode: (piece: string) => string | undefined, test?: (text: string) => boolean): Piece {
  const matches = [...text.matchAll(pattern)].slice(0, maxPieces);
  if (matches.length === 0) return [0, 0, undefined];
  const decoded = matches.map((match) => decode(match[0]) ?? "").join(" ");
  const last = matches.at(-1)!;
  return [matches[0]!.index, last.index + last[0].length, decoded, ...(test ? [test] : [])] as Piece;
}

function whole(text: string, decode: (text: string) => string | undefined): Piece {
  return [0, text.length, decode(text)];
}

/** Words, not data: mostly letters and spaces, with words of usual lengths. */
function isProse(text: string): boolean {
  if (text.length < 8 || /^\s*[{[<]/.test(text)) return false;
  let [letters, spaces, strange] = [0, 0, 0];
  const length = Math.min(text.length, 2000);
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 0xc0 && code < 0xd800)) letters++;
    else if (code === 32 || code === 10) spaces++;
    else if (code < 32 || code === 0xfffd || (code >= 0x7f && code < 0xc0)) strange++;
  }
  return strange === 0 && letters >= length * 0.55 && spaces >= 1 && (letters + spaces) / (spaces + 1) < 16;
}

function isLong(text: string): boolean {
  return text.length >= 10;
}

/** "src/components/menu-bar/index" is no base64. */
function isPath(piece: string): boolean {
  const parts = piece.split(/[/_-]/);
  return parts.length > 1 && parts.every((part) => /^(?:[a-z]*|[A-Z]*|[A-Z][a-z]+|[a-z]+(?:[A-Z][a-z]+)+|\d+)$/.test(part));
}

const utf8 = new TextDecoder("utf-8");

const base64Values = new Int8Array(128).fill(-1);
for (const [value, character] of [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].entries())
  base64Values[character.charCodeAt(0)] = value;
base64Values[45] = 62;
base64Values[95] = 63;

/** Stops at the first bytes that are no text: most pieces are names, paths or hashes. */
function fromBase64(piece: string): string | undefined {
  const bytes = new Uint8Array(Math.min(piece.length, maxLength));
  let [length, value, bits, odd] = [0, 0, 0, 0];
  for (let index = 0; index < piece.length && index < maxLength; index++) {
    const digit = base64Values[piece.charCodeAt(index)]!;
    if (digit < 0) break;
    value = ((value << 6) | digit) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    const byte = (value >> (bits -= 8)) & 0xff;
    if (byte < 32 && byte !== 10 && byte !== 9 && byte !== 13) return undefined;
    if (byte < 65 && byte !== 32) odd++;
    bytes[length++] = byte;
    if (length === 12 && odd > 6) return undefined;
  }
  return utf8.decode(bytes.subarray(0, length));
}

function fromBase32(piece: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bytes: number[] = [];
  let [value, bits] = [0, 0];
  for (const character of piece.slice(0, maxLength)) {
    if (character === "=") break;
    value = ((value << 5) | alphabet.indexOf(character)) & 0xfff;
    bits += 5;
    if (bits >= 8) bytes.push((value >> (bits -= 8)) & 0xff);
  }
  return utf8.decode(Uint8Array.from(bytes));
}

function fromHex(piece: string): string {
  const digits = piece.slice(0, maxLength);
  return utf8.decode(
    Uint8Array.from({ length: Math.floor(digits.length / 2) }, (_, index) => Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16)),
  );
}

const namedEntities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  period: ".",
  comma: ",",
  colon: ":",
  semi: ";",
  sol: "/",
  lowbar: "_",
};

function fromEntities(piece: string): string {
  return piece.replaceAll(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,8}));/g,
    (all, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return Object.hasOwn(namedEntities, name) ? namedEntities[name]! : all;
      return character(decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal));
    },
  );
}

function fromPercent(piece: string): string | undefined {
  try {
    return decodeURIComponent(piece.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

function fromEscapes(piece: string): string {
  return piece.replaceAll(
    /\\(?:u\{?([0-9a-fA-F]{2,6})\}?|x([0-9a-fA-F]{2})|([0-7]{3}))[.,]?/g,
    (_, unicode?: string, hex?: string, octal?: string) =>
      character(octal === undefined ? Number.parseInt(unicode ?? hex!, 16) : Number.parseInt(octal, 8)),
  );
}

function fromCodes(piece: string): string {
  return piece
    .split(/[, ]+/)
    .map((code) => character(Number(code)))
    .join("");
}

function fromBits(piece: string): string {
  return (piece.match(/[01]{8}/g) ?? []).map((bits) => character(Number.parseInt(bits, 2))).join("");
}

function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

/** "1gn0r3 4ll" → "ignore all": where several words are written so. */
function fromDigits(text: string): string | undefined {
  const words = text.match(/\b(?=\w*[a-z])(?=\w*[013457])[a-z013457]{4,}\b/gi) ?? [];
  if (words.length < 3 || words.length > 2000) return undefined;
  const letters: Readonly<Record<string, string>> = { "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t" };
  return text.replaceAll(/[a-z013457]*[a-z][a-z013457]*/gi, (word) => word.replaceAll(/[013457]/g, (digit) => letters[digit]!));
}

/** One word of either kind: most texts have none. */
const scrambledWords = /\b(?:gur|naq|lbh|lbhe|hfre|guvf|gung|vtaber|nyy|abg|gbby|eht|dna|uoy|ruoy|resu|siht|taht|erongi|lla|ton|loot)\b/i;
const rotatedWords = /\b(?:gur|naq|lbh|lbhe|hfre|guvf|gung|sebz|jvgu|abg|vafgehpgvbaf|gbby|vtaber|nyy)\b/gi;

function fromRot13(text: string): string | undefined {
  if ((text.match(rotatedWords) ?? []).length < 2) return undefined;
  return text.replaceAll(/[a-z]/gi, (letter) => {
    const base = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}

const reversedWords = /\b(?:eht|dna|uoy|ruoy|resu|siht|taht|morf|htiw|ton|snoitcurtsni|loot|erongi|lla)\b/gi;

function fromReversed(text: string): string | undefined {
  if ((text.match(reversedWords) ?? []).length < 2) return undefined;
  return Array.from(text).toReversed().join("");
}
