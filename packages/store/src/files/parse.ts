import { JsonError, readJson, readUtf8 } from "@toolrack/core/internal";
import { StoreError } from "../errors.ts";
import { maxDepth } from "../record/limits.ts";

/** A value of a file that may be a record, and where it stands: "tools.json[3] (line 40)". */
export interface PlacedValue {
  readonly place: string;
  readonly value: unknown;
}

/**
 * The values of a file: one, or each item of a list. What other readers of JSON would read differently is refused with its line: a key twice
 * in one object, whole numbers beyond 2^53.
 */
export function parseValues(bytes: Uint8Array, name: string): readonly PlacedValue[] {
  const text = decode(bytes, name);
  const value = parse(text, name);
  if (!Array.isArray(value)) return [{ place: `${name} (line ${lineAt(text, text.search(/\S/))})`, value }];
  const lines = linesOfItems(text);
  return value.map((item: unknown, index) => ({ place: `${name}[${index}] (line ${lines[index]})`, value: item }));
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return readUtf8(bytes, name);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw refused(error, name, lineOfFault(bytes));
  }
}

function parse(text: string, name: string): unknown {
  try {
    return readJson(text, maxDepth + around, name);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw refused(error, name, lineAt(text, error.at ?? 0));
  }
}

/** How deep the context of a record is nested in a file. */
const around = 8;

/** The message begins with the name of the file. */
function refused({ message }: JsonError, name: string, line: number): StoreError {
  return new StoreError("RECORD_INVALID", `${name} (line ${line})${message.slice(name.length)}`);
}

function lineAt(text: string, end: number): number {
  let line = 1;
  for (let index = 0; index < end; index++) if (text.charCodeAt(index) === newline) line++;
  return line;
}

/** The first line that is not UTF-8. */
function lineOfFault(bytes: Uint8Array): number {
  for (let start = 0, line = 1; ; line++) {
    const end = bytes.indexOf(newline, start);
    try {
      readUtf8(bytes.subarray(start, end === -1 ? undefined : end), "");
    } catch {
      return line;
    }
    if (end === -1) return line;
    start = end + 1;
  }
}

/** The line on which each item of the outermost list begins. The text is known to be JSON. */
function linesOfItems(text: string): readonly number[] {
  const lines: number[] = [];
  let [depth, line, isDue] = [0, 1, false];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === newline) line++;
    if (code <= space) continue;
    if (isDue && text[index] !== "]") lines.push(line);
    isDue = false;
    if (text[index] === '"') while (text[++index] !== '"') if (text[index] === "\\") index++;
    if (text[index] === "[" || text[index] === "{") isDue = ++depth === 1;
    else if (text[index] === "]" || text[index] === "}") depth--;
    else if (text[index] === ",") isDue = depth === 1;
  }
  return lines;
}

const newline = 0x0a;
const space = 0x20;
