import { ToolError, ToolInputError } from "@toolrack/core";
import { validateValue } from "@toolrack/json-schema";
import { includesText } from "./find-text.ts";

/** Whether a line contains what is looked for. Contract: time linear in the line, whatever the pattern. */
export type LineTest = (line: string) => boolean;

export interface PatternOptions {
  /** Whether the pattern is plain text. @default false, a regular expression */
  readonly isLiteral?: boolean;
  readonly ignoresCase?: boolean;
}

/** Throws for a text that is no regular expression, or one that cannot be run in linear time. */
export function compileLineTest(pattern: string, { isLiteral = false, ignoresCase = false }: PatternOptions = {}): LineTest {
  if (isLiteral) {
    if (!ignoresCase) return (line) => includesText(line, pattern);
    const folded = pattern.toLowerCase();
    return (line) => includesText(line.toLowerCase(), folded);
  }
  // The engine behind schemas is the one that no pattern can stall. Lines that match are the rare ones: only those are faults here.
  const schema = { not: { type: "string", pattern: ignoresCase ? anyCase(pattern) : pattern } };
  try {
    validateValue(schema, "");
  } catch (error) {
    throw ToolError.is(error)
      ? new ToolInputError(`${error.message} Or set literal to true to look for the text itself.`, { cause: error })
      : error;
  }
  return (line) => !validateValue(schema, line).ok;
}

/** "a[b-d]\d" → "[aA][b-dB-D]\d": the engine knows no flags, so each letter is written in both cases. */
export function anyCase(source: string): string {
  let written = "";
  let inClass = false;
  for (let at = 0; at < source.length;) {
    const pattern: RegExp = inClass ? insidePart : outsidePart;
    pattern.lastIndex = at;
    const [part, from, to]: RegExpExecArray = pattern.exec(source)!;
    at += part.length;
    if (from !== undefined && to !== undefined) written += part + otherCaseRanges(from, to);
    else written += [...part].length > 1 ? part : spellings(part, inClass);
    inClass = inClass ? part !== "]" : part === "[";
  }
  return written;
}

const escape = /\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[pPk][{<][^}>]*[}>]|\\[^]/u.source;
/** An escape, the head of a named group, or one character. */
const outsidePart = new RegExp(String.raw`${escape}|\(\?<[^=!>][^>]*>|[^]`, "uy");
/** An escape, a range, or one character. */
const insidePart = new RegExp(String.raw`${escape}|([^\]\\])-([^\]\\])|[^]`, "uy");

function spellings(letter: string, inClass: boolean): string {
  const all = [...new Set([letter, letter.toLowerCase(), letter.toUpperCase()])].filter((one) => [...one].length === 1);
  if (all.length < 2) return letter;
  return inClass ? all.join("") : `[${all.join("")}]`;
}

/** "X"–"c" → "x-z" and "A-C": what the other case of the letters in the range is. */
function otherCaseRanges(from: string, to: string): string {
  const part = (low: string, high: string, shift: number): string => {
    const [first, last] = [from > low ? from : low, to < high ? to : high];
    if (first > last) return "";
    return `${String.fromCharCode(first.charCodeAt(0) + shift)}-${String.fromCharCode(last.charCodeAt(0) + shift)}`;
  };
  return part("a", "z", -32) + part("A", "Z", 32);
}
