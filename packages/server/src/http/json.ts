import { Problem } from "./problem.ts";

/**
 * Reads JSON that has only one reading. JSON.parse keeps the last of two equal keys, rounds large whole numbers and goes as deep as the
 * text; another parser on the way may do otherwise, so such texts are refused.
 */
export function parseJson(text: string, maxDepth: number): unknown {
  const fault = findFault(text, maxDepth);
  if (fault !== undefined) throw new Problem(400, "JSON_INVALID", fault);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Problem(400, "JSON_INVALID", "The body is not valid JSON. Send one JSON value, encoded as UTF-8.");
  }
}

/** One pass over the text. What is not JSON at all is left to JSON.parse to refuse. */
function findFault(text: string, maxDepth: number): string | undefined {
  /** The keys met so far of each object that is open; undefined for a list. */
  const open: (Keys | undefined)[] = [];
  let isKey = false;
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case quote: {
        const end = endOfString(text, index);
        if (isKey) {
          const key = readKey(text, index, end);
          const keys = open.at(-1)!;
          if (!keys.add(key)) return `The key ${JSON.stringify(key.slice(0, 80))} occurs twice in one object. Send it once.`;
          isKey = false;
        }
        index = end;
        break;
      }
      case brace:
      case bracket:
        if (open.length >= maxDepth) return `The body is nested more than ${maxDepth} levels deep.`;
        isKey = text.charCodeAt(index) === brace;
        open.push(isKey ? new Keys() : undefined);
        break;
      case closingBrace:
      case closingBracket:
        open.pop();
        isKey = false;
        break;
      case comma:
        isKey = open.at(-1) !== undefined;
        break;
      default:
        if (isNumberStart(text.charCodeAt(index))) {
          const end = endOfNumber(text, index);
          const number = text.slice(index, end);
          if (isRounded(number)) return `The number ${number.slice(0, 40)} cannot be kept exactly. Send it as a text.`;
          index = end - 1;
        }
    }
  }
  return undefined;
}

/** Most objects have few keys, and those are found in a list before a Set is made. */
class Keys {
  readonly #few: string[] = [];
  #many: Set<string> | undefined;

  /** False where it is there already. */
  add(key: string): boolean {
    if (this.#many?.has(key) === true || this.#few.includes(key)) return false;
    if (this.#few.length < mostFew) this.#few.push(key);
    else (this.#many ??= new Set()).add(key);
    return true;
  }
}

const mostFew = 16;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const bracket = 0x5b;
const closingBracket = 0x5d;
const brace = 0x7b;
const closingBrace = 0x7d;

/** Where the closing quote is; the end of the text where there is none. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === quote) return index;
    if (code === backslash) index++;
  }
  return text.length;
}

/** "\u0061" and "a" are one key. */
function readKey(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end);
  if (!raw.includes("\\")) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return raw;
  }
}

function isNumberStart(code: number): boolean {
  return code === 0x2d || (code >= 0x30 && code <= 0x39);
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && numberCharacters.has(text.charCodeAt(end))) end++;
  return end;
}

const numberCharacters: ReadonlySet<number> = new Set([..."0123456789+-.eE"].map((character) => character.charCodeAt(0)));

/** Whole numbers beyond 2^53 and numbers beyond the largest double; fractions are always near ones. */
function isRounded(number: string): boolean {
  if (number.length < 16 && !/[eE]/.test(number)) return false;
  const value = Number(number);
  return Number.isNaN(value) ? false : !Number.isFinite(value) || (/^-?\d+$/.test(number) && !Number.isSafeInteger(value));
}
