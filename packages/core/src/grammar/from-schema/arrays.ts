import { both, isObject } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import { counted, largestCount } from "../tree/counted.ts";
import { space } from "../tree/json-text.ts";
import type { Location } from "../loss.ts";
import type { PartBuilder } from "./part-builder.ts";
import { countOf } from "./strings.ts";
import type { Node } from "../tree/tree.ts";
import { valueNode } from "./values.ts";

const maxUniqueValues = 7;
const maxFollowed = 64;

/** The lists that a schema allows: fixed first items, then any number of the rest within the bounds. */
export function arrayNode(build: PartBuilder, schema: JsonSchema, location: Location): Node {
  const { tree } = build;
  const prefix = Array.isArray(schema["prefixItems"]) ? (schema["prefixItems"] as JsonSchema[]) : [];
  const rest = isObject(schema["items"]) ? schema["items"] : {};
  const min = countOf(schema["minItems"], 0);
  const max = countOf(schema["maxItems"], Infinity);
  if (min > max) return tree.nothing;
  if (max > largestCount && max !== Infinity) location.lose("maxItems", `more than ${largestCount} items are not counted`);
  const body =
    uniqueBody(build, schema, rest, prefix.length, min, max, location) ??
    containsBody(build, schema, rest, prefix.length, min, max, location) ??
    plainBody(build, prefix, rest, min, max, location);
  const ws = space(tree);
  const full = tree.sequence(tree.text("["), ws, body, ws, tree.text("]"));
  return min === 0 && !demandsItem(schema) ? tree.choice(tree.text("[]"), full) : full;
}

/** One or more items. */
function plainBody(
  build: PartBuilder,
  prefix: readonly JsonSchema[],
  rest: JsonSchema,
  min: number,
  max: number,
  location: Location,
): Node {
  const { tree } = build;
  if (max === 0) return tree.nothing;
  const comma = tree.sequence(tree.text(","), space(tree));
  const fixed = prefix.slice(0, max).map((item, index) => build.value(item, location.inside("prefixItems", String(index))));
  const further = max > fixed.length ? build.value(rest, location.inside("items")) : tree.nothing;
  const restMin = Math.max(0, min - fixed.length);
  const restMax = max - fixed.length;
  if (fixed.length === 0)
    return tree.sequence(further, counted(tree, tree.sequence(comma, further), Math.max(0, restMin - 1), restMax - 1));
  let tail = counted(tree, tree.sequence(comma, further), restMin, restMax);
  for (let index = fixed.length - 1; index > 0; index--) {
    const more = tree.sequence(comma, fixed[index]!, tail);
    tail = min > index ? more : tree.optional(more);
  }
  return tree.sequence(fixed[0]!, tail);
}

/** Distinct items, where there are few values to choose from: after each one, the others remain. */
function uniqueBody(
  build: PartBuilder,
  schema: JsonSchema,
  rest: JsonSchema,
  fixed: number,
  min: number,
  max: number,
  location: Location,
): Node | undefined {
  if (schema["uniqueItems"] !== true || max <= 1) return undefined;
  const values = fixed > 0 || isObject(schema["contains"]) ? undefined : fewValues(rest);
  if (values === undefined || values.length > maxUniqueValues) {
    location.lose("uniqueItems", "that items differ can only be said of a few fixed values");
    return undefined;
  }
  const { tree } = build;
  const comma = tree.sequence(tree.text(","), space(tree));
  const known = new Map<number, Node>();
  const from = (used: number, length: number): Node => {
    const before = known.get(used);
    if (before !== undefined) return before;
    const options = values.flatMap((value, index) => {
      if (used & (1 << index)) return [];
      const more = length + 1 < max ? tree.sequence(comma, from(used | (1 << index), length + 1)) : tree.nothing;
      return [tree.sequence(valueNode(tree, value), length + 1 >= min ? tree.optional(more) : more)];
    });
    const node = tree.choice(...options);
    known.set(used, node);
    return node;
  };
  return from(0, 0);
}

function fewValues(schema: JsonSchema): readonly unknown[] | undefined {
  const onlyValues = Object.keys(schema).every((keyword) =>
    ["enum", "type", "title", "description", "default", "examples"].includes(keyword),
  );
  if (!onlyValues) return undefined;
  if (Array.isArray(schema["enum"])) {
    const type = schema["type"];
    return type === undefined || type === "string"
      ? schema["enum"].filter((value) => type === undefined || typeof value === "string")
      : undefined;
  }
  return schema["type"] === "boolean" ? [true, false] : schema["type"] === "null" ? [null] : undefined;
}

/** At least one item that `contains` asks for, wherever it stands. */
function containsBody(
  build: PartBuilder,
  schema: JsonSchema,
  rest: JsonSchema,
  fixed: number,
  min: number,
  max: number,
  location: Location,
): Node | undefined {
  const { contains, minContains, maxContains } = schema;
  if (!isObject(contains) || minContains === 0) {
    if (isObject(contains) && maxContains !== undefined) location.lose("maxContains", "it cannot be counted in a grammar");
    return undefined;
  }
  if (maxContains !== undefined) location.lose("maxContains", "it cannot be counted in a grammar");
  const needed = countOf(minContains, 1);
  const isCounted = max !== Infinity || min > needed;
  if (fixed > 0 || (isCounted && Math.max(max === Infinity ? min : max, needed) > maxFollowed) || needed > maxFollowed) {
    location.lose("contains", "together with these bounds it cannot be counted in a grammar");
    return undefined;
  }
  const { tree } = build;
  const item = build.value(rest, location.inside("items"));
  const wanted = build.value(both(rest, contains), location.inside("contains"));
  const comma = tree.sequence(tree.text(","), space(tree));
  if (!isCounted) {
    const free = tree.repeat(tree.sequence(item, comma), 0, Infinity);
    const later = tree.repeat(tree.sequence(comma, item), 0, Infinity);
    const group = tree.sequence(free, wanted);
    return tree.sequence(group, tree.repeat(tree.sequence(comma, group), needed - 1, needed - 1), later);
  }
  const known = new Map<string, Node>();
  /** The items after `length` of them, of which `missing` must still be found. */
  const from = (length: number, missing: number): Node => {
    const key = `${Math.min(length, max === Infinity ? min : length)} ${missing}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const ended = (left: number): Node => (length + 1 >= min && left === 0 ? tree.empty : tree.nothing);
    const onward = (left: number): Node => {
      if (length + 1 >= max || (max === Infinity && length + 1 > min + needed)) return tree.nothing;
      return tree.sequence(comma, from(length + 1, left));
    };
    const free = max === Infinity && length + 1 >= min && missing === 0;
    const after = (left: number): Node => tree.choice(ended(left), onward(left));
    const node = free
      ? tree.sequence(item, tree.repeat(tree.sequence(comma, item), 0, Infinity))
      : tree.choice(...(missing > 0 ? [tree.sequence(wanted, after(missing - 1))] : []), tree.sequence(item, after(missing)));
    known.set(key, node);
    return node;
  };
  return from(0, needed);
}

function demandsItem(schema: JsonSchema): boolean {
  return isObject(schema["contains"]) && schema["minContains"] !== 0;
}
