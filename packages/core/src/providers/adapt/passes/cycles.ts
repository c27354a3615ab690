import { isObject, type Place, rewriteSchema } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import { type AdaptContext, type AdaptPass, when } from "../pass.ts";

/** For vendors that unroll references: a reference is allowed only inside a property that is not required. */
export const optionalCycles: AdaptPass = when(["$ref"], (schema, context) => {
  const definitions = isObject(schema["$defs"]) ? schema["$defs"] : {};
  return Object.keys(definitions).length === 0 ? schema : relax(schema, undefined, false, definitions, context, 0);
});

/** Walks down. Below an optional property references stay; elsewhere they are replaced once, and further in only the type is kept. */
function relax(
  node: JsonSchema,
  place: Place | undefined,
  isOptional: boolean,
  definitions: JsonSchema,
  context: AdaptContext,
  opened: number,
): JsonSchema {
  if (typeof node["$ref"] === "string") {
    if (isOptional) return { $ref: node["$ref"] };
    const target = definitions[node["$ref"].slice("#/$defs/".length)];
    if (opened === 0 && isObject(target)) return relax(target, place, false, definitions, context, 1);
    context.lose(place, "$ref", "a schema that contains itself where a value is required was opened to any value");
    return {};
  }
  const inner = (schema: unknown, at: Place, optional: boolean): unknown =>
    isObject(schema) ? relax(schema, at, optional, definitions, context, opened) : schema;
  const required = Array.isArray(node["required"]) ? (node["required"] as string[]) : [];
  const next: Record<string, unknown> = { ...node };
  for (const keyword of ["items", "additionalProperties"]) {
    if (Object.hasOwn(node, keyword)) next[keyword] = inner(node[keyword], { key: keyword, within: place }, isOptional);
  }
  for (const keyword of ["anyOf", "prefixItems"]) {
    const list = node[keyword];
    if (Array.isArray(list))
      next[keyword] = list.map((item, index) => inner(item, { key: String(index), within: { key: keyword, within: place } }, isOptional));
  }
  for (const keyword of ["properties", "$defs"]) {
    const map = node[keyword];
    if (!isObject(map)) continue;
    const within = { key: keyword, within: place };
    next[keyword] = Object.fromEntries(
      Object.entries(map).map(([key, item]) => [
        key,
        inner(item, { key, within }, keyword === "properties" && (isOptional || !required.includes(key))),
      ]),
    );
  }
  return next;
}

/** Removes definitions that are no longer referred to. */
export const dropUnusedDefinitions: AdaptPass = (schema) => {
  const definitions = schema["$defs"];
  if (!isObject(definitions)) return schema;
  const used = new Set<string>();
  const follow = (node: JsonSchema): JsonSchema => {
    const name = typeof node["$ref"] === "string" ? node["$ref"].slice("#/$defs/".length) : undefined;
    if (name !== undefined && !used.has(name) && isObject(definitions[name])) {
      used.add(name);
      rewriteSchema(definitions[name], follow);
    }
    return node;
  };
  const { $defs: _, ...root } = schema;
  rewriteSchema(root, follow);
  const kept = Object.entries(definitions).filter(([name]) => used.has(name));
  return kept.length === 0 ? root : { ...root, $defs: Object.fromEntries(kept) };
};
