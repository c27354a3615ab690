import { hasOwn, isObject, type JsonObject } from "../util/json.ts";
import { unescapePointer } from "./keywords.ts";

/** A schema, what it refers to and what it is made of: all that applies to the same value, each once, the nearest first. */
export function partsOf(schema: unknown, root: unknown, parts: Set<JsonObject> = new Set()): Set<JsonObject> {
  if (!isObject(schema) || parts.has(schema)) return parts;
  parts.add(schema);
  if (typeof schema["$ref"] === "string") partsOf(localTarget(schema["$ref"], root), root, parts);
  if (Array.isArray(schema["allOf"])) for (const part of schema["allOf"]) partsOf(part, root, parts);
  return parts;
}

/** What a reference inside one document leads to: "#" → the document, "#/$defs/a" → its part; undefined for any other. */
export function localTarget(reference: string, root: unknown): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let target: unknown = root;
  for (const part of decode(reference.slice(2)).split("/")) {
    const key = unescapePointer(part);
    if (typeof target !== "object" || target === null || !hasOwn(target, key)) return undefined;
    target = (target as JsonObject)[key];
  }
  return target;
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
