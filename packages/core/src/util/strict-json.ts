/** Why a text or a message is refused. The message begins with what it is about: "The body is not valid UTF-8." */
export class JsonError extends Error {
  override readonly name: string = "JsonError";
  readonly reason: JsonFault;
  /** Where in the text the fault was found, if that is known. */
  readonly at: number | undefined;
  constructor(reason: JsonFault, message: string, at?: number) {
    super(message);
    this.reason = reason;
    this.at = at;
  }
}

export type JsonFault = "encoding" | "syntax" | "depth" | "values" | "duplicate-key" | "number";

/**
 * Reads JSON that has only one reading. JSON.parse keeps the last of two equal keys, rounds large whole numbers and goes as deep as the
 * text; another parser on the way may do otherwise, so such texts are refused with a JsonError. So is one with more than `maxValues` values,
 * before they are made: every later step looks at each of them.
 * `takesAnyNumber`: rounded numbers are no fault.
 */
export function readJson(
  text: string,
  maxDepth: number,
  what: string,
  maxValues: number = Infinity,
  takesAnyNumber: boolean = false,
): unknown {
  const { members, escapesKeys } = scan(text, maxDepth, what, maxValues, takesAnyNumber);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const position = /at position (\d+)/.exec((error as Error).message)?.[1];
    const at = position === undefined ? text.length : Number(position);
    throw new JsonError("syntax", `${what} is not valid JSON. Send one JSON value, encoded as UTF-8.`, at);
  }
  // Where two keys were equal, one of them is missing now. Keys with escapes are never left to JSON.parse: that of Node 24 may take "\u0061"
  // for a backslash, once it has seen an object with such a key.
  return escapesKeys || countKeys(value) !== members ? readValue({ text, at: 0, what }) : value;
}

/** Bytes as text. Others would put a replacement character where bytes are not UTF-8, and so read a text that was not sent. */
export function readUtf8(bytes: Uint8Array, what: string): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new JsonError("encoding", `${what} is not valid UTF-8.`);
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true });

interface Scanned {
  /** How many members all objects of the text have together, equal keys included. */
  members: number;
  escapesKeys: boolean;
}

/**
 * What is not JSON at all is left to JSON.parse to refuse. It looks at one character after another and never calls `indexOf`: V8 counts that
 * as free of effects, and its optimised code may call it for every character of the loop, which takes minutes for a body without quotes.
 */
function scan(text: string, maxDepth: number, what: string, maxValues: number, takesAnyNumber: boolean): Scanned {
  const found: Scanned = { members: 0, escapesKeys: false };
  let isEscaped = false;
  let depth = 0;
  // Each value is the outermost, the first in its list or object, or behind a comma.
  let values = 1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    switch (code) {
      case quote: {
        isEscaped = false;
        for (index++; index < text.length && text.charCodeAt(index) !== quote; index++) {
          if (text.charCodeAt(index) !== backslash) continue;
          isEscaped = true;
          index++;
        }
        break;
      }
      case brace:
      case bracket:
        if (++depth > maxDepth) throw new JsonError("depth", `${what} is nested more than ${maxDepth} levels deep.`, index);
        values++;
        break;
      case comma:
        if (++values > maxValues)
          throw new JsonError(
            "values",
            `${what} has more than ${maxValues.toLocaleString("en")} values. Send fewer: numbers and small items of a list count one each.`,
            index,
          );
        break;
      case closingBrace:
      case closingBracket:
        depth--;
        break;
      case colon:
        found.members++;
        if (isEscaped) found.escapesKeys = true;
        break;
      default:
        if (!takesAnyNumber && (isDigit(code) || code === minus)) index = passNumber(text, index, what) - 1;
    }
  }
  return found;
}

function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += countKeys(item);
  // What was read inherits nothing that could be met here; if it did, reading part by part would have the last word.
  else for (const key in value) count += 1 + countKeys((value as Record<string, unknown>)[key]);
  return count;
}

/** A place in a text that is known to be JSON. */
interface Place {
  readonly text: string;
  readonly what: string;
  at: number;
}

/** The value that begins here, read part by part; refuses a key that its object had before. Ends behind the value. */
function readValue(place: Place): unknown {
  const { text } = place;
  skipSpace(place);
  const code = text.charCodeAt(place.at);
  if (code === brace) return readObject(place);
  if (code === bracket) return readList(place);
  const start = place.at;
  if (code === quote) place.at = endOfString(text, start) + 1;
  else while (place.at < text.length && !endsScalar(text.charCodeAt(place.at))) place.at++;
  return JSON.parse(text.slice(start, place.at));
}

function readObject(place: Place): unknown {
  const made: Record<string, unknown> = {};
  while (goesOn(place)) {
    const key = readValue(place) as string;
    if (Object.hasOwn(made, key))
      throw new JsonError(
        "duplicate-key",
        `${place.what} has the key ${JSON.stringify(key.slice(0, 80))}, which occurs twice in one object. Send it once.`,
        place.at,
      );
    skipSpace(place);
    place.at++; // the colon
    Object.defineProperty(made, key, { value: readValue(place), writable: true, enumerable: true, configurable: true });
  }
  return made;
}

function readList(place: Place): unknown {
  const made: unknown[] = [];
  while (goesOn(place)) made.push(readValue(place));
  return made;
}

/** Passes the opening bracket or a comma; false behind the closing one. */
function goesOn(place: Place): boolean {
  skipSpace(place);
  const code = place.text.charCodeAt(place.at++);
  if (code === closingBrace || code === closingBracket) return false;
  if (code === comma) return true;
  skipSpace(place);
  const next = place.text.charCodeAt(place.at);
  if (next !== closingBrace && next !== closingBracket) return true;
  place.at++;
  return false;
}

function skipSpace(place: Place): void {
  while (isSpace(place.text.charCodeAt(place.at))) place.at++;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function endsScalar(code: number): boolean {
  return code === comma || code === closingBrace || code === closingBracket || isSpace(code);
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const bracket = 0x5b;
const closingBracket = 0x5d;
const brace = 0x7b;
const closingBrace = 0x7d;
const minus = 0x2d;
const plus = 0x2b;
const point = 0x2e;

/** Where the closing quote is; the end of the text where there is none. */
function endOfString(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && text.charCodeAt(end) !== quote) end += text.charCodeAt(end) === backslash ? 2 : 1;
  return Math.min(end, text.length);
}

/** Where the number ends; refuses one that would be rounded. */
function passNumber(text: string, start: number, what: string): number {
  let hasExponent = false;
  let end = start + 1;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === 0x65 || code === 0x45) hasExponent = true;
    else if (!isDigit(code) && code !== point && code !== minus && code !== plus) break;
  }
  if (hasExponent || end - start >= shortestDoubtful) checkNumber(text.slice(start, end), what, start);
  return end;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Shorter ones without an exponent are always kept. */
const shortestDoubtful = 16;

/** Refuses whole numbers beyond 2^53 and numbers beyond the largest double; fractions are always near ones. */
function checkNumber(number: string, what: string, at: number): void {
  const value = Number(number);
  const isRounded = !Number.isFinite(value) || (/^-?\d+$/.test(number) && !Number.isSafeInteger(value));
  if (isRounded && !Number.isNaN(value))
    throw new JsonError(
      "number",
      `${what} has the number ${number.slice(0, 40)}, which cannot be represented exactly. Send it as text.`,
      at,
    );
}
