import { Problem } from "./problem.ts";

/**
 * Reads JSON that has only one reading. JSON.parse keeps the last of two equal keys, rounds large whole numbers and goes as deep as the
 * text; another parser on the way may do otherwise, so such texts are refused.
 */
export function parseJson(text: string, maxDepth: number): unknown {
  const members = countMembers(text, maxDepth);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse("The body is not valid JSON. Send one JSON value, encoded as UTF-8.");
  }
  // Where two keys were equal, one of them is missing now.
  if (countKeys(value) !== members) {
    const key = findRepeatedKey(text);
    if (key !== undefined) throw refuse(`The key ${JSON.stringify(key.slice(0, 80))} occurs twice in one object. Send it once.`);
  }
  return value;
}

function refuse(detail: string): Problem {
  return new Problem(400, "JSON_INVALID", detail);
}

/** How many members all objects of the text have together, equal keys included. What is not JSON at all is left to JSON.parse to refuse. */
function countMembers(text: string, maxDepth: number): number {
  let members = 0;
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    switch (code) {
      case quote:
        index = endOfString(text, index);
        break;
      case brace:
      case bracket:
        if (++depth > maxDepth) throw refuse(`The body is nested more than ${maxDepth} levels deep.`);
        break;
      case closingBrace:
      case closingBracket:
        depth--;
        break;
      case colon:
        members++;
        break;
      default:
        if (isDigit(code) || code === minus) index = passNumber(text, index) - 1;
    }
  }
  return members;
}

function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += countKeys(item);
  // What was read inherits nothing that could be met here; if it did, the search for the key would have the last word.
  else for (const key in value) count += 1 + countKeys((value as Record<string, unknown>)[key]);
  return count;
}

/** Of a text that is JSON: the first key that its object had before. */
function findRepeatedKey(text: string): string | undefined {
  /** The keys met so far of each object that is open; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  let isKey = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      const end = endOfString(text, index);
      if (isKey) {
        const key = JSON.parse(text.slice(index, end + 1)) as string; // "\u0061" and "a" are one key.
        if (open.at(-1)!.has(key)) return key;
        open.at(-1)!.add(key);
        isKey = false;
      }
      index = end;
    } else if (code === brace || code === bracket) {
      isKey = code === brace;
      open.push(isKey ? new Set() : undefined);
    } else if (code === closingBrace || code === closingBracket) {
      open.pop();
      isKey = false;
    } else if (code === comma) isKey = open.at(-1) !== undefined;
  }
  return undefined;
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
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before--;
    // An even number of backslashes stands for themselves.
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

/** Where the number ends; refuses one that would be rounded. */
function passNumber(text: string, start: number): number {
  let hasExponent = false;
  let end = start + 1;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === 0x65 || code === 0x45) hasExponent = true;
    else if (!isDigit(code) && code !== point && code !== minus && code !== plus) break;
  }
  if (hasExponent || end - start >= shortestDoubtful) checkNumber(text.slice(start, end));
  return end;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Shorter ones without an exponent are always kept. */
const shortestDoubtful = 16;

/** Refuses whole numbers beyond 2^53 and numbers beyond the largest double; fractions are always near ones. */
function checkNumber(number: string): void {
  const value = Number(number);
  const isRounded = !Number.isFinite(value) || (/^-?\d+$/.test(number) && !Number.isSafeInteger(value));
  if (isRounded && !Number.isNaN(value)) throw refuse(`The number ${number.slice(0, 40)} cannot be kept exactly. Send it as a text.`);
}
