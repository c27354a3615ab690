import type { JsonSchema } from "../schema/schema.ts";
import { type NormalPass, type Note, type Place, pointerTo, rewriteSchema, without } from "./walk.ts";

/** Draft-07's { items: [a, b], additionalItems: c } → { prefixItems: [a, b], items: c }; `items: false` becomes a greatest length. */
export const moveTuples: NormalPass = {
  pass: "tuples",
  needs: ["items[]", "false", "additionalItems"],
  run: (schema, note) => rewriteSchema(schema, (node, place) => closeTuple(moveTuple(node, place, note), place, note)),
};

function moveTuple(node: JsonSchema, place: Place | undefined, note: Note): JsonSchema {
  const { items, additionalItems } = node;
  if (Array.isArray(items)) {
    note(pointerTo(place), "a list in items became prefixItems");
    const rest = without(node, "items", "additionalItems");
    return { ...rest, ...(items.length > 0 && { prefixItems: items }), ...(additionalItems !== undefined && { items: additionalItems }) };
  }
  return additionalItems === undefined ? node : without(node, "additionalItems"); // without a tuple it says nothing
}

function closeTuple(node: JsonSchema, place: Place | undefined, note: Note): JsonSchema {
  if (node["items"] !== false) return node;
  const length = Array.isArray(node["prefixItems"]) ? node["prefixItems"].length : 0;
  const { maxItems } = node;
  note(pointerTo(place), "items: false became maxItems");
  return { ...without(node, "items"), maxItems: typeof maxItems === "number" ? Math.min(maxItems, length) : length };
}
