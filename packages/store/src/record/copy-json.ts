import { StoreError } from "../errors.ts";
import type { JsonObject } from "./breadcrumb.ts";
import { maxDepth } from "./limits.ts";

/**
 * A frozen copy of a JSON object in which nothing is lost or changed on the way to any database or language.
 * Refused: what JSON cannot hold, half surrogate pairs, the character U+0000, whole numbers beyond 2^53, more than 64 levels, more
 * than `maxBytes`. `__proto__` is a key like any other.
 */
export function copyJson(value: unknown, what: string, maxBytes: number): JsonObject {
  const budget = { left: maxBytes };
  return copyObject(value, [], { what, budget, maxBytes });
}

interface Copying {
  readonly what: string;
  readonly maxBytes: number;
  readonly budget: { left: number };
}

function copyObject(value: unknown, path: string[], copying: Copying): JsonObject {
  const prototype: unknown = typeof value === "object" && value !== null ? Object.getPrototypeOf(value) : undefined;
  if (prototype === undefined || (prototype !== null && Object.getPrototypeOf(prototype) !== null)) {
    throw refuse(copying, path, "must be a plain object");
  }
  if (path.length > maxDepth) throw refuse(copying, path.slice(0, 3), `is circular, or nested more than ${maxDepth} deep`);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value as object)) {
    const inner = (value as JsonObject)[key];
    if (inner === undefined) continue;
    spend(copying, checkedText(key, path, copying).length + 3);
    path.push(key);
    const copied = copyValue(inner, path, copying);
    path.pop();
    if (key === "__proto__") Object.defineProperty(copy, key, { value: copied, enumerable: true });
    else copy[key] = copied;
  }
  return Object.freeze(copy);
}

/** `path` is the way to the value, and the same list for all of them: it is read only where something is refused. */
function copyValue(value: unknown, path: string[], copying: Copying): unknown {
  switch (typeof value) {
    case "string":
      spend(copying, Buffer.byteLength(checkedText(value, path, copying)) + 2);
      return value;
    case "boolean":
      spend(copying, 5);
      return value;
    case "number":
      spend(copying, 8);
      return checkedNumber(value, path, copying);
    case "object":
      spend(copying, 2);
      if (value === null) return null;
      return Array.isArray(value) ? copyArray(value, path, copying) : copyObject(value, path, copying);
    default:
      throw refuse(copying, path, `is a ${typeof value}, which JSON cannot hold. Write it as text`);
  }
}

function copyArray(value: readonly unknown[], path: string[], copying: Copying): readonly unknown[] {
  if (path.length > maxDepth) throw refuse(copying, path.slice(0, 3), `is circular, or nested more than ${maxDepth} deep`);
  const copy = value.map((item, index) => {
    path.push(String(index));
    const copied = copyValue(item ?? null, path, copying);
    path.pop();
    return copied;
  });
  return Object.freeze(copy);
}

function checkedText(text: string, path: readonly string[], copying: Copying): string {
  if (!isWellFormed(text)) throw refuse(copying, path, "contains half a surrogate pair, which is no text in other languages");
  if (text.includes("\u0000")) throw refuse(copying, path, "contains the character U+0000");
  return text;
}

/** A number that JSON would print as digits must be one that every reader reads as the same digits. */
function checkedNumber(value: number, path: readonly string[], copying: Copying): number {
  if (!Number.isFinite(value)) throw refuse(copying, path, `is ${value}, which JSON cannot hold`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21) {
    throw refuse(copying, path, "is a whole number beyond 2^53, which is rounded on the way. Write it as text");
  }
  return value;
}

function spend(copying: Copying, bytes: number): void {
  copying.budget.left -= bytes;
  if (copying.budget.left < 0) {
    throw new StoreError(
      "RECORD_TOO_LARGE",
      `${copying.what} is larger than ${copying.maxBytes} bytes. Keep large data elsewhere and store a reference.`,
    );
  }
}

function refuse({ what }: Copying, path: readonly string[], fact: string): StoreError {
  const where = path.length === 0 ? "" : ` at ${path.slice(0, 8).join(".")}`;
  return new StoreError("RECORD_INVALID", `${what}${where} ${fact}.`);
}

/** String.prototype.isWellFormed, which the type library of our floor does not know yet. */
export function isWellFormed(text: string): boolean {
  return !/[\ud800-\udfff]/.test(text) || (text as string & { isWellFormed(): boolean }).isWellFormed();
}
