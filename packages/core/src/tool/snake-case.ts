import { hasOwn, isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { metadataFields } from "./metadata.ts";

/**
 * An object in which fields may be spelt in snake_case, as in JSON of other systems: { input_schema } → { inputSchema }. The same value
 * where none is. A field that is there in both spellings stays, so that it is refused as unknown.
 */
export function fromSnakeCase(shape: JsonObject, fields: object): JsonObject {
  let read = shape;
  for (const key of Object.keys(shape)) {
    if (!key.includes("_")) continue;
    const name = key.replace(/_[a-z]/g, (part) => part[1]!.toUpperCase());
    if (!hasOwn(fields, name) || name in shape) continue; // a name that is not changed is there, too
    const { [key]: value, ...rest } = read;
    read = { ...rest, [name]: value };
  }
  return read;
}

/** The metadata of a tool, in our spelling: { usage_hint } → { usageHint }. */
export function ownMetadata({ metadata }: { readonly metadata?: unknown }): unknown {
  return isObject(metadata) ? fromSnakeCase(metadata, metadataFields) : metadata;
}
