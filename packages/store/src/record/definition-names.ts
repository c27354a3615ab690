import { fromSnakeCase, metadataFields } from "@toolrack/core/internal";
import { StoreError } from "../errors.ts";
import type { JsonObject } from "./breadcrumb.ts";

/** The context of a definition, or a change of it, under the names of this store: { usage_hint } → { usageHint }. */
export function inOwnNames(context: JsonObject): JsonObject {
  const read = fromSnakeCase(context, fields) as JsonObject;
  for (const name of Object.keys(fields)) {
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (snake === name || !Object.hasOwn(read, snake)) continue;
    throw new StoreError("RECORD_INVALID", `context has both ${name} and ${snake}. Remove one of them.`);
  }
  return read === context ? context : Object.freeze(read);
}

const fields: object = { inputSchema: true, outputSchema: true, ...metadataFields };
