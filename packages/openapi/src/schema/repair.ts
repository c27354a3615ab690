import { unseenIn } from "@toolrack/core/internal";
import { canonicalJson, compilePattern } from "@toolrack/json-schema";

/** Each value once, as JSON compares them; undefined for what is no list, or an empty one. */
export function repairEnum(values: unknown, types: readonly string[] | undefined, isNullable: boolean): readonly unknown[] | undefined {
  if (!Array.isArray(values) || values.length === 0) return undefined;
  const isText = types?.length === 1 && types[0] === "string";
  const found = new Map<string, unknown>();
  for (const value of isNullable ? [...values, null] : values) {
    if (value === undefined) continue;
    // A list of texts may have lost its quotes: [yes, 1.0] in YAML.
    const meant = isText && (typeof value === "number" || typeof value === "boolean") ? String(value) : (value as unknown);
    found.set(canonicalJson(meant), meant);
  }
  return found.size === 0 ? undefined : [...found.values()];
}

/** A number, also where it was written as a text. */
export function repairNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

export function repairCount(value: unknown): number | undefined {
  const number = repairNumber(value);
  return number !== undefined && Number.isInteger(number) && number >= 0 ? number : undefined;
}

export function repairText(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" ? value : undefined;
}

const judged = new Map<string, boolean>();

/** Whether a pattern is valid with the flag `u`, and can be run in linear time. */
export function isPatternUsable(source: string): boolean {
  const known = judged.get(source);
  if (known !== undefined) return known;
  let isUsable = true;
  try {
    compilePattern(source);
  } catch {
    isUsable = false;
  }
  if (judged.size >= 5_000) judged.clear();
  judged.set(source, isUsable);
  return isUsable;
}

/** A text of at most `most` characters: cut at a word, with a mark. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  const word = cut.search(/\s\S*$/);
  return `${(word > most / 2 ? cut.slice(0, word) : cut).trimEnd()}…`;
}

/** Whether an example is short enough to be worth its tokens, and shows all of its characters. */
export function isExampleUsable(value: unknown): boolean {
  if (typeof value === "string" && value.length > 200) return false;
  const text = JSON.stringify(value);
  return text !== undefined && text.length <= 200 && !/\\u00[01]/.test(text) && unseenIn(text).length === 0;
}
