import { createHash } from "node:crypto";

/** A hash of plain data that does not depend on the order of keys: databases keep JSON in an order of their own. */
export function hashData(data: unknown): string {
  return createHash("sha256").update(canonical(data)).digest("hex");
}

function canonical(data: unknown): string {
  return JSON.stringify(data, (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const names = Object.keys(value);
    if (names.every((name, at) => at === 0 || (names[at - 1] as string) < name)) return value;
    return Object.fromEntries(names.toSorted().map((name) => [name, (value as Record<string, unknown>)[name]]));
  });
}
