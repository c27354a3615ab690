import { hasOwn, isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { metadataFields, type ToolMetadata } from "./metadata.ts";

/**
 * An object in which fields may be spelt in snake_case, as in JSON of other systems: { input_schema } → { inputSchema }. The same value
 * where none is. A field that is there in both spellings stays, so that it is refused as unknown.
 */
export function fromSnakeCase(shape: JsonObject, fields: object): JsonObject {
  let read = shape;
  for (const key of Object.keys(shape)) {
    const name = key.replace(/_[a-z]/g, (part) => part[1]!.toUpperCase());
    if (name === key || !hasOwn(fields, name) || name in shape) continue;
    const { [key]: value, ...rest } = read;
    read = { ...rest, [name]: value };
  }
  return read;
}

/** The metadata of a tool, where it has some, as a member to spread: { usage_hint } → { metadata: { usageHint } }. */
export function ownMetadata({ metadata }: { readonly metadata?: unknown }): { readonly metadata?: ToolMetadata } {
  return metadata === undefined
    ? {}
    : { metadata: (isObject(metadata) ? fromSnakeCase(metadata, metadataFields) : metadata) as ToolMetadata };
}
