import { type Issue, validatorFor } from "@toolrack/json-schema";
import { nearestNames } from "@toolrack/json-schema/internal";
import { referencesOf } from "./order.ts";
import { type InputNode, isObject, listOf } from "./read.ts";
import type { Reference } from "./references.ts";
import { canBe, fieldOf, followed, type JsonType, type SchemaPlace, typesOf, wordsOf } from "./schema-fields.ts";

export interface InputCheck {
  /** The tool that takes the input. */
  readonly tool: string;
  /** What a reference can give; undefined where nothing is known about it. */
  readonly resultOf: (reference: Reference) => SchemaPlace | undefined;
  /** A sentence without the name of the step. */
  readonly add: (fact: string) => void;
}

/** Compares an input with the schema of its tool. Reports what is certain to be refused, whatever the steps before answer. */
export function checkInput(node: InputNode, wanted: SchemaPlace, check: InputCheck, at = "input"): void {
  const { tool, add } = check;
  const place = followed(wanted);
  const { schema } = place;
  if (schema === false) return add(`"${tool}" takes nothing at ${at}. Take it out.`);
  if (!isObject(schema)) return;
  if ([...referencesOf(node)].length === 0) return checkValue(node, place, check, at);
  const types = typesOf(place);
  const given = givenTypes(node, check);
  if (!canBe(given, types))
    return add(
      `${at} is ${wordsOf(given!)}${originOf(node)}, and "${tool}" takes ${wordsOf(types!)} there. Refer to another value, or change the type.`,
    );
  if (node.kind === "list" && isObject(schema["items"]) && schema["prefixItems"] === undefined)
    for (const [index, item] of node.items.entries()) checkInput(item, { ...place, schema: schema["items"] }, check, `${at}[${index}]`);
  if (node.kind === "object") checkProperties(node, place, check, at);
}

function checkProperties(node: Extract<InputNode, { kind: "object" }>, place: SchemaPlace, check: InputCheck, at: string): void {
  const { tool, add } = check;
  const { properties, required = [], additionalProperties } = place.schema as Readonly<Record<string, unknown>>;
  const known = isObject(properties) ? properties : {};
  const given = new Map(node.entries);
  for (const name of Array.isArray(required) ? (required as string[]) : []) {
    const schema = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!given.has(name) && !(isObject(schema) && Object.hasOwn(schema, "default")))
      add(`${at}.${name} is missing, and "${tool}" requires it. Add it: a value, or a reference such as "\${input.${name}}".`);
  }
  for (const [name, value] of given) {
    if (Object.hasOwn(known, name)) checkInput(value, { ...place, schema: known[name] }, check, `${at}.${name}`);
    else if (additionalProperties === false && (place.schema as { patternProperties?: unknown }).patternProperties === undefined) {
      const [near] = nearestNames(name, Object.keys(known), 1);
      add(
        `"${tool}" has no parameter ${at}.${name.slice(0, 80)}. ${near === undefined ? `Its parameters are ${listOf(Object.keys(known))}.` : `Did you mean "${near}"?`}`,
      );
    }
  }
}

/** A part without references is checked like the input of any call. */
function checkValue(node: InputNode, { schema, root }: SchemaPlace, { tool, add }: InputCheck, at: string): void {
  const { $defs, definitions } = root as Readonly<Record<string, unknown>>;
  const own =
    schema === root
      ? schema
      : { ...($defs !== undefined && { $defs }), ...(definitions !== undefined && { definitions }), ...(schema as object) };
  let issues: readonly Issue[];
  try {
    const validator = validatorFor(own);
    const filled = validator.fill(valueOf(node));
    issues = validator.check(filled) ? [] : validator.explain(filled);
  } catch {
    return; // A reference that leads out of this part: the call itself is checked against the whole.
  }
  for (const { message } of issues.slice(0, 3)) add(`${at} does not match what "${tool}" takes: ${message}`);
}

function valueOf(node: InputNode): unknown {
  if (node.kind === "value") return node.value;
  if (node.kind === "text") return node.parts.join("");
  if (node.kind === "list") return node.items.map(valueOf);
  return Object.fromEntries(node.entries.map(([key, value]) => [key, valueOf(value)]));
}

function givenTypes(node: InputNode, { resultOf }: InputCheck): ReadonlySet<JsonType> | undefined {
  if (node.kind === "list") return new Set(["array"]);
  if (node.kind === "object") return new Set(["object"]);
  const only = node.kind === "text" && node.parts.length === 1 ? node.parts[0] : "";
  if (typeof only === "string") return new Set(["string"]);
  const place = only === undefined ? undefined : resultOf(only);
  return place && typesOf(place);
}

function originOf(node: InputNode): string {
  const only = node.kind === "text" && node.parts.length === 1 ? node.parts[0] : undefined;
  return typeof only === "object" ? ` (${only.text.slice(0, 80)})` : "";
}

/** The place that a path leads to, or why it leads nowhere. */
export function placeAt(place: SchemaPlace, path: Reference["path"]): { readonly place: SchemaPlace } | { readonly fault: string } {
  let at: { readonly place: SchemaPlace } | { readonly fault: string } = { place };
  for (const key of path) {
    if ("fault" in at) return at;
    at = fieldOf(at.place, key);
  }
  return at;
}
