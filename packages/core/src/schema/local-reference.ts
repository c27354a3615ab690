import { hasOwn, type JsonObject } from "../util/json.ts";
import { unescapePointer } from "./keywords.ts";

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
