import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { members, own, ownList, ownText } from "../document/json.ts";
import type { DocumentScope, References } from "../document/references.ts";
import { OperationFault, OperationLimit } from "../fault.ts";
import type { Direction, Located } from "./context.ts";

/** Follows the reference of a schema, if it is one: what it says itself. */
export function resolveSchema(located: Located, references: References): { readonly schema: JsonObject; readonly scope: DocumentScope } {
  const { value, scope } = references.follow(located.schema, located.scope);
  return { schema: isObject(value) ? value : {}, scope };
}

/** The properties of an object schema, through references and allOf. */
export function propertiesOf(located: Located, references: References): ReadonlyMap<string, Located> {
  const found = new Map<string, Located>();
  visit(located, references, (schema, scope) => {
    for (const [name, inner] of counted(schema, references)) if (!found.has(name)) found.set(name, { schema: inner, scope });
  });
  return found;
}

/** The names of all properties that a value may have or need, through references, allOf, anyOf and oneOf. */
export function memberNames(located: Located, references: References): ReadonlySet<string> {
  const names = new Set<string>();
  const each = (schema: JsonObject): void => {
    for (const [name] of counted(schema, references)) names.add(name);
    for (const name of ownList(schema, "required")) if (typeof name === "string") names.add(name);
  };
  visit(located, references, each, ["allOf", "anyOf", "oneOf"], 10_000);
  return names;
}

/** The names of properties that a direction leaves out, through references and allOf: the same component has two forms. */
export function hiddenNames(located: Located, direction: Direction, references: References): ReadonlySet<string> {
  const names = new Set<string>();
  visit(located, references, (schema, scope) => {
    for (const [name, inner] of counted(schema, references)) if (isHidden({ schema: inner, scope }, direction, references)) names.add(name);
  });
  return names;
}

export function isHidden(located: Located, direction: Direction, references: References): boolean {
  const flag = direction === "input" ? "readOnly" : "writeOnly";
  const { schema: given } = located;
  if (own(given, "$ref") === undefined && own(given, "allOf") === undefined) return own(given, flag) === true;
  let isFlagged = false;
  try {
    visit(located, references, (schema) => {
      if (own(schema, flag) === true) isFlagged = true;
    });
  } catch (error) {
    if (error instanceof OperationLimit) throw error;
    return false; // a broken reference is told where the property itself is converted
  }
  return isFlagged;
}

/** The properties that a schema has itself. Looking at each one is a step. */
function counted(schema: JsonObject, { work }: References): readonly (readonly [string, unknown])[] {
  const found = members(own(schema, "properties"));
  work.spend(found.length);
  return found;
}

const maxParts = 1_000;

/** Calls back for a schema and all that it consists of: what its references and allOf lead to. */
function visit(
  located: Located,
  references: References,
  each: (schema: JsonObject, scope: DocumentScope) => void,
  keys: readonly string[] = ["allOf"],
  most: number = maxParts,
): void {
  const seen = new Set<unknown>();
  const waiting: Located[] = [located];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { schema, scope } = next;
    if (!isObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    references.work.spend(1);
    if (seen.size > most)
      throw new OperationFault(`A schema consists of more than ${most.toLocaleString("en")} schemas, by references and allOf or choices.`);
    each(schema, scope);
    const reference = ownText(schema, "$ref");
    if (reference !== undefined) {
      const { value, scope: inner } = references.target(reference, scope);
      waiting.push({ schema: value, scope: inner });
    }
    for (const branch of keys.flatMap((key) => ownList(schema, key)).toReversed()) waiting.push({ schema: branch, scope });
  }
}
