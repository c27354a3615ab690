import { hasOwn, isObject, type JsonObject } from "./util/json.ts";
import { nameOf, type Path, show } from "./validate/issues.ts";
import { type TypeName, unescapePointer } from "./schema/keywords.ts";
import { faultFinderFor } from "./validate/validate.ts";

export interface Repaired {
  readonly value: unknown;
  /** One sentence for each change: "limit: \"5\" was read as 5." Empty where nothing was changed. */
  readonly repairs: readonly string[];
}

/**
 * Reads a value that its schema refuses as the one that was probably meant: JSON text where a list or an object belongs, "5" for 5,
 * "true" for true, 5 for "5" where only a text is allowed, a lone value for a list.
 * Contract: only what the validator finds fault with is changed, in a copy; the copy is used only if it is valid, and otherwise the
 * value comes back as it was.
 */
export function repairValue(schema: unknown, value: unknown): Repaired {
  const { check, faults } = faultFinderFor(schema);
  const repairs: string[] = [];
  const copied = new Set<object>();
  let current = value;
  for (let round = 0; round < maxRounds && !check(current); round++) {
    const before = repairs.length;
    for (const { path: pointer, complaint } of faults(current)) {
      const { path, part } = findPart(current, pointer);
      const meant = readAs(complaint.types ?? [], part);
      if (meant === undefined) continue;
      repairs.push(`${nameOf(path)}: ${show(part)} was read as ${show(meant)}.`);
      current = replacePart(current, path, meant, copied);
    }
    if (repairs.length === before) break;
  }
  return repairs.length > 0 && check(current) ? { value: current, repairs } : { value, repairs: [] };
}

/** What a repair brings to light, such as the items of a list that came as text, is repaired in the next round. */
const maxRounds = 10;

/** The value as one of the types, undefined where nobody could have meant that. */
function readAs(types: readonly TypeName[], value: unknown): unknown {
  const isWanted = (type: TypeName): boolean => types.includes(type);
  if (typeof value === "string") {
    const text = value.trim();
    if ((isWanted("number") || isWanted("integer")) && isNumberText(text)) return Number(text);
    if (isWanted("boolean") && (text === "true" || text === "false")) return text === "true";
    const parsed = parseCompound(text);
    if (Array.isArray(parsed) ? isWanted("array") : isObject(parsed) && isWanted("object")) return parsed;
  }
  if (Number.isFinite(value) && isWanted("string") && types.length === 1) return String(value);
  return isWanted("array") && !Array.isArray(value) && value !== null && value !== undefined ? [value] : undefined;
}

/** The whole text is a number, and one that keeps all its digits: not "5 apples", not a key of twenty digits. */
function isNumberText(text: string): boolean {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return false;
  const number = Number(text);
  return Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number);
}

function parseCompound(text: string): unknown {
  if (!text.startsWith("{") && !text.startsWith("[")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The part is undefined where the pointer leads to something that is missing. */
function findPart(value: unknown, pointer: string): { readonly path: Path; readonly part: unknown } {
  const path: (string | number)[] = [];
  let part = value;
  for (const escaped of pointer.split("/").slice(1)) {
    const key = Array.isArray(part) ? Number(escaped) : unescapePointer(escaped);
    path.push(key);
    part = typeof part === "object" && part !== null && hasOwn(part, key) ? (part as JsonObject)[key] : undefined;
  }
  return { path, part };
}

/** Copies what lies on the way, once: `copied` holds the objects that are ours to change. */
function replacePart(value: unknown, path: Path, part: unknown, copied: Set<object>): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return part;
  const own = copied.has(value as object) ? (value as JsonObject) : copyOf(value as object, copied);
  own[key] = replacePart(own[key], rest, part, copied);
  return own;
}

function copyOf(value: object, copied: Set<object>): JsonObject {
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as JsonObject;
  copied.add(copy);
  return copy;
}
