import { isCopied } from "../util/private-copy.ts";

/** How many keys all objects of an input may have together. Every step of a call looks at each of them. */
export const defaultInputKeys = 20_000;

/** What a record has of a large input whose call did not run. */
export interface InputInBrief {
  readonly truncated: true;
  /** How many keys or items the outermost object or list has. */
  readonly keys: number;
  /** The first values; long texts are replaced by their length, since a secret that is cut in two would not be redacted. */
  readonly beginning: unknown;
}

/** Whether the objects of an input have more keys together than allowed. It stops at the limit. An input that cannot be read has none. */
export function hasMoreKeys(input: unknown, most: number): boolean {
  try {
    return !isSmall(input, Math.min(most, smallValues)) && countsMore(input, most);
  } catch {
    return false;
  }
}

function countsMore(input: unknown, most: number): boolean {
  const seen = new Set<object>();
  const open: unknown[] = [input];
  let keys = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (!isCopied(value) || seen.has(value)) continue;
    seen.add(value);
    if (Array.isArray(value)) for (const item of value) open.push(item);
    else
      for (const key in value) {
        if (++keys > most) return true;
        open.push((value as Record<string, unknown>)[key]);
      }
  }
  return false;
}

export function tooManyKeys(tool: string, most: number): string {
  const limit = most.toLocaleString("en");
  return `The input of tool "${tool}" has more than ${limit} keys. Split it over several calls, or raise limits.inputKeys.`;
}

/** A small input as it is, and the beginning of any other, so that recording a refused call costs the same whatever its size. */
export function inBrief(input: unknown): unknown {
  try {
    return isSmall(input, smallValues) ? input : toBrief(input);
  } catch {
    return input;
  }
}

function toBrief(input: unknown): InputInBrief {
  const keys = isCopied(input) ? Object.keys(input).length : 0;
  return { truncated: true, keys, beginning: beginningOf(input, { left: shownValues }) };
}

function isSmall(input: unknown, most: number): boolean {
  return leftAfter(input, most) >= 0;
}

const smallValues = 1_000;
const shownValues = 100;
const shownCharacters = 200;

/** What is left of a budget after each value took one of it, and a text one more for each 64 characters. Negative: there were more. */
function leftAfter(value: unknown, budget: number): number {
  let left = budget - 1;
  if (typeof value === "string") return left - (value.length >> 6);
  if (left < 0 || !isCopied(value)) return left;
  if (Array.isArray(value)) {
    for (const item of value) if ((left = leftAfter(item, left)) < 0) return left;
    return left;
  }
  for (const key in value) {
    left = leftAfter((value as Record<string, unknown>)[key], left - (key.length >> 6));
    if (left < 0) return left;
  }
  return left;
}

function beginningOf(value: unknown, budget: { left: number }): unknown {
  if (typeof value === "string") return shortText(value);
  if (!isCopied(value)) return value;
  const entries: [string, unknown][] = [];
  for (const key in value) {
    if (budget.left-- <= 0) break;
    entries.push([shortText(key), beginningOf((value as Record<string, unknown>)[key], budget)]);
  }
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

function shortText(text: string): string {
  return text.length > shownCharacters ? `[${text.length} characters]` : text;
}
