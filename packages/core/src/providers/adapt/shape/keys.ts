import { isObject, rewriteSchema } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import { contentHash } from "../../../util/hash.ts";

/** A vendor's name for each key: itself where that is legal, otherwise its legal characters and a few digits that depend on the key alone. */
export function legalKeys(keys: readonly string[], legal: RegExp | undefined): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set(keys);
  for (const key of keys) {
    if (legal === undefined || legal.test(key)) names.set(key, key);
    else names.set(key, legalKey(key, taken));
  }
  return names;
}

export function hasIllegalKey(schema: JsonSchema, legal: RegExp): boolean {
  let found = false;
  rewriteSchema(schema, (node) => {
    found ||= isObject(node["properties"]) && Object.keys(node["properties"]).some((key) => !legal.test(key));
    return node;
  });
  return found;
}

function legalKey(key: string, taken: Set<string>): string {
  const digits = contentHash(key).slice("sha256:".length);
  const words =
    key
      .replace(/[^A-Za-z0-9_-]+/g, "_")
      .replace(/^_+/, "")
      .slice(0, 40) || "key";
  let length = 4;
  let name = `${words}_${digits.slice(0, length)}`;
  while (taken.has(name)) name = `${words}_${digits.slice(0, ++length)}`;
  taken.add(name);
  return name;
}
