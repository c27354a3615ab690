import { fromSnakeCase, metadataFields } from "@toolrack/core/internal";
import { StoreError } from "../errors.ts";
import type { JsonObject } from "./breadcrumb.ts";

/** The context of a definition, or a change of it, under the names of this store: { usage_hint } → { usageHint }. */
export function inOwnNames(context: JsonObject): JsonObject {
  const read = fromSnakeCase(context, fields) as JsonObject;
  for (const key of Object.keys(read)) {
    const name = inBothSpellings.get(key);
    if (name !== undefined) throw new StoreError("RECORD_INVALID", `context has both ${name} and ${key}. Remove one of them.`);
  }
  return read === context ? context : Object.freeze(read);
}

const fields: object = { inputSchema: true, outputSchema: true, ...metadataFields };

/** "usage_hint" → "usageHint": what is still spelt so after it was read is there in both spellings. */
const inBothSpellings: ReadonlyMap<string, string> = new Map(
  Object.keys(fields)
    .map((name) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), name] as const)
    .filter(([snake, name]) => snake !== name),
);
