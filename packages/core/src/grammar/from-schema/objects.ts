import type { JsonSchema } from "@toolrack/json-schema";
import { space } from "../tree/json-text.ts";
import { type DeclaredKey, keysOf } from "./keys.ts";
import type { Location } from "../loss.ts";
import type { PartBuilder } from "./part-builder.ts";
import { countOf } from "./strings.ts";
import type { Node } from "../tree/tree.ts";

const maxCounted = 600;

/**
 * The objects that a schema allows: its properties in declared order with any subset of the optional ones, then further keys.
 * Each position is built once: "this property, then optionally a comma and the rest; or the rest".
 */
export function objectNode(build: PartBuilder, schema: JsonSchema, location: Location): Node {
  const { tree } = build;
  const keys = keysOf(schema, build.extraKeys);
  if (keys.impossible) return tree.nothing;
  if (keys.lostPatterns > 0) location.lose("patternProperties", `${keys.lostPatterns} of its patterns are more than can be told apart`);
  const ws = space(tree);
  const comma = tree.sequence(tree.text(","), ws);
  const member = ({ key, schema: value }: DeclaredKey): Node =>
    tree.sequence(tree.text(`${JSON.stringify(key)}:`), ws, build.value(value, location.inside("properties", key)));
  const further = tree.choice(
    ...keys.open.map(({ names, value }) => {
      const name = build.value(names, location.inside("propertyNames"));
      return tree.sequence(name, tree.text(":"), ws, build.value(value, location.inside("additionalProperties")));
    }),
  );

  const { declared } = keys;
  const requiredFrom = requiredCounts(declared);
  const counts = countsOf(schema, declared, further !== tree.nothing, location);
  const members = declared.map((one) => ({ node: member(one), required: one.required }));
  const known = new Map<string, Node>();

  /** One or more members from `index` on, at least `need` and at most `left` of them. */
  function from(index: number, need: number, left: number): Node {
    if (left <= 0) return tree.nothing;
    const key = `${index} ${need} ${left}`;
    let node = known.get(key);
    if (node === undefined) known.set(key, (node = fromAnew(index, need, left)));
    return node;
  }

  function fromAnew(index: number, need: number, left: number): Node {
    const one = members[index];
    if (one === undefined) {
      const rest = tree.repeat(tree.sequence(comma, further), Math.max(0, need - 1), left - 1);
      return tree.sequence(further, rest);
    }
    const needAfter = Math.max(0, need - 1);
    const more = tree.sequence(comma, from(index + 1, needAfter, left - 1));
    const mayEnd = needAfter === 0 && requiredFrom[index + 1] === 0;
    const taken = tree.sequence(one.node, mayEnd ? tree.optional(more) : more);
    return one.required && one.node !== tree.nothing
      ? taken
      : tree.choice(taken, one.required ? tree.nothing : from(index + 1, need, left));
  }

  const body = from(0, counts.min, counts.max);
  const full = tree.sequence(tree.text("{"), ws, body, ws, tree.text("}"));
  const mayBeEmpty = requiredFrom[0] === 0 && counts.min === 0;
  return mayBeEmpty ? tree.choice(tree.text("{}"), full) : full;
}

/** How many required members there are at or after each position. */
function requiredCounts(declared: readonly DeclaredKey[]): number[] {
  const counts = Array.from({ length: declared.length + 1 }, () => 0);
  for (let index = declared.length - 1; index >= 0; index--) counts[index] = counts[index + 1]! + (declared[index]!.required ? 1 : 0);
  return counts;
}

/** minProperties and maxProperties, as far as they say more than `required` and fit. */
function countsOf(
  schema: JsonSchema,
  declared: readonly DeclaredKey[],
  isOpen: boolean,
  location: Location,
): { readonly min: number; readonly max: number } {
  const required = declared.filter((one) => one.required).length;
  const asked = countOf(schema["minProperties"], 0);
  const min = asked <= required ? 0 : asked;
  const most = countOf(schema["maxProperties"], Infinity);
  const max = !isOpen && most >= declared.length ? Infinity : most;
  if (isOpen && min > 1) location.lose("minProperties", "a key that is written twice counts twice");
  if (max !== Infinity && max > maxCounted) {
    location.lose("maxProperties", `more than ${maxCounted} members are not counted`);
    return { min: Math.min(min, maxCounted), max: Infinity };
  }
  const states = (declared.length + 1) * (min + 1) * (max === Infinity ? 1 : max + 1);
  if (states <= 20 * maxCounted) return { min, max };
  for (const keyword of ["minProperties", "maxProperties"])
    if (keyword in schema) location.lose(keyword, "too many combinations of members");
  return { min: 0, max: Infinity };
}
