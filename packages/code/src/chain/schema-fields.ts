import { append } from "../lists.ts";
import type { JsonSchema } from "@toolrack/json-schema";
import { isObject, listOf } from "./read.ts";

/** A place of a schema. References inside lead to the root. */
export interface SchemaPlace {
  readonly schema: unknown;
  readonly root: JsonSchema;
}

export type JsonType = "string" | "number" | "integer" | "boolean" | "null" | "array" | "object";

type Types = ReadonlySet<JsonType> | undefined;

/** What was found for the parts of a schema that one question leads to: several references may lead to one part, and a part back to itself. */
interface Known {
  readonly types: Map<object, Types>;
  readonly fields: Map<object, FieldOf>;
}

const nothingKnown = (): Known => ({ types: new Map(), fields: new Map() });

/** The types that a value of this schema can have; undefined: any. Only what is certain is left out. */
export function typesOf(place: SchemaPlace): Types {
  return typesIn(place, nothingKnown(), 0);
}

function typesIn(place: SchemaPlace, known: Known, depth: number): Types {
  const { schema } = followed(place);
  if (!isObject(schema) || depth > maximumDepth) return undefined;
  if (known.types.has(schema)) return known.types.get(schema);
  known.types.set(schema, undefined);
  const types = typesOfParts({ schema, root: place.root }, known, depth);
  known.types.set(schema, types);
  return types;
}

function typesOfParts(place: SchemaPlace, known: Known, depth: number): Types {
  const { root } = place;
  const schema = place.schema as Readonly<Record<string, unknown>>;
  const here: Types[] = [declaredTypes(schema)];
  const inside = (list: unknown): Types[] => (list as unknown[]).map((one) => typesIn({ schema: one, root }, known, depth + 1));
  for (const key of ["anyOf", "oneOf"]) if (Array.isArray(schema[key])) here.push(union(inside(schema[key])));
  if (Array.isArray(schema["allOf"])) append(here, inside(schema["allOf"]));
  return here.reduce(intersection, undefined);
}

/** Whether a value of one kind can be a value of the other. */
export function canBe(given: Types, wanted: Types): boolean {
  return given === undefined || wanted === undefined || (intersection(given, wanted)?.size ?? 1) > 0;
}

export type FieldOf = { readonly place: SchemaPlace } | { readonly fault: string };

/** The schema of a field, or why there cannot be one. A schema that says nothing about its fields lets every field be. */
export function fieldOf(place: SchemaPlace, key: string | number): FieldOf {
  return fieldIn(place, key, nothingKnown(), 0);
}

function fieldIn(place: SchemaPlace, key: string | number, known: Known, depth: number): FieldOf {
  const { schema, root } = followed(place);
  const anything: FieldOf = { place: { schema: true, root } };
  if (!isObject(schema) || depth > maximumDepth) return anything;
  const found = known.fields.get(schema);
  if (found !== undefined) return found;
  known.fields.set(schema, anything);
  const field = fieldOfParts({ schema, root }, key, known, depth);
  known.fields.set(schema, field);
  return field;
}

function fieldOfParts(place: SchemaPlace, key: string | number, known: Known, depth: number): FieldOf {
  const { root } = place;
  const schema = place.schema as Readonly<Record<string, unknown>>;
  const anything: FieldOf = { place: { schema: true, root } };
  for (const union of ["anyOf", "oneOf"]) {
    const list = schema[union];
    if (!Array.isArray(list) || list.length === 0 || isObject(schema["properties"])) continue;
    const found = list.map((one) => fieldIn({ schema: one, root }, key, known, depth + 1));
    const right = found.flatMap((one) => ("place" in one ? [one.place.schema] : []));
    return right.length === 0 ? found[0]! : { place: { schema: { anyOf: right }, root } };
  }
  const types = typesIn(place, known, 0);
  if (key === "length" && types !== undefined && [...types].every((type) => type === "array" || type === "string"))
    return { place: { schema: { type: "integer" }, root } };
  if (types !== undefined && !types.has("object") && !types.has("array")) return { fault: `is ${wordsOf(types)}, which has no fields` };
  if (typeof key === "number" && (types === undefined || types.has("array"))) {
    const { prefixItems, items } = schema;
    if (Array.isArray(prefixItems) && key < prefixItems.length) return { place: { schema: prefixItems[key], root } };
    return items === undefined ? anything : { place: { schema: items, root } };
  }
  if (types !== undefined && !types.has("object")) return { fault: "is a list: take one of its values by its number, such as [0]" };
  return propertyOf({ schema, root }, String(key)) ?? anything;
}

/** Undefined: the schema does not say. */
function propertyOf({ schema, root }: SchemaPlace, key: string): FieldOf | undefined {
  const { properties, additionalProperties, patternProperties, allOf } = schema as Readonly<Record<string, unknown>>;
  if (isObject(properties) && Object.hasOwn(properties, key)) return { place: { schema: properties[key], root } };
  if (isObject(additionalProperties)) return { place: { schema: additionalProperties, root } };
  if (patternProperties !== undefined || allOf !== undefined || additionalProperties === true) return undefined;
  if (!isObject(properties)) return additionalProperties === false ? { fault: `has no field "${key.slice(0, 80)}"` } : undefined;
  return { fault: `has no field "${key.slice(0, 80)}"; its fields are ${listOf(Object.keys(properties))}` };
}

/** Through references inside of the same schema. */
export function followed({ schema, root }: SchemaPlace): SchemaPlace {
  let at: unknown = schema;
  for (let turn = 0; turn < maximumDepth && isObject(at) && typeof at["$ref"] === "string"; turn++) at = targetOf(root, at["$ref"]);
  return { schema: isObject(at) && at["$ref"] !== undefined ? true : at, root };
}

const maximumDepth = 32;

function targetOf(root: unknown, reference: string): unknown {
  if (!reference.startsWith("#")) return true;
  let at: unknown = root;
  for (const part of reference.slice(1).split("/").slice(1)) {
    const key = decode(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return true;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function declaredTypes({ type, const: only, enum: values, ...rest }: Readonly<Record<string, unknown>>): Types {
  if (typeof type === "string") return new Set([type as JsonType]);
  if (Array.isArray(type)) return new Set(type as JsonType[]);
  if (Array.isArray(values)) return new Set(values.map(typeOfValue));
  if (only !== undefined) return new Set([typeOfValue(only)]);
  return isObject(rest["properties"]) ? new Set(["object"]) : undefined;
}

export function typeOfValue(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as JsonType;
}

function union(all: readonly Types[]): Types {
  return all.some((one) => one === undefined) ? undefined : new Set(all.flatMap((one) => [...one!]));
}

/** An integer is a number. */
function intersection(a: Types, b: Types): Types {
  if (a === undefined || b === undefined) return a ?? b;
  const has = (types: ReadonlySet<JsonType>, type: JsonType): boolean => types.has(type) || (type === "integer" && types.has("number"));
  return new Set([...[...a].filter((type) => has(b, type)), ...[...b].filter((type) => has(a, type))]);
}

const words: Readonly<Record<JsonType, string>> = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  null: "null",
  array: "a list",
  object: "an object",
};

/** "a text or null" */
export function wordsOf(types: ReadonlySet<JsonType>): string {
  return [...types].map((type) => words[type] ?? String(type)).join(" or ");
}
