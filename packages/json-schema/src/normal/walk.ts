import { isObject, type JsonObject } from "../util/json.ts";
import { escapePointer, keywords } from "../schema/keywords.ts";
import type { JsonSchema } from "../schema/schema.ts";

/** Called once per change; `path` is a JSON pointer. */
export type Note = (path: string, note: string) => void;

/** A pass keeps the meaning of a schema. It is skipped when the schema uses none of the words in `needs`. */
export interface NormalPass {
  readonly pass: string;
  readonly needs: readonly string[];
  run(schema: JsonSchema, note: Note): JsonSchema;
}

/** Where a schema stands, from the inside out; written as text only when somebody asks. */
export interface Place {
  readonly key: string;
  readonly within: Place | undefined;
}

/** { key: "a/b", within: { key: "properties" } } → "/properties/a~1b" */
export function pointerTo(place: Place | undefined): string {
  let pointer = "";
  for (let step = place; step !== undefined; step = step.within) pointer = `/${escapePointer(step.key)}${pointer}`;
  return pointer;
}

export type Visit = (schema: JsonSchema, place: Place | undefined) => JsonSchema;

/** The keywords that hold schemas, and how. */
const holders: ReadonlyMap<string, string> = new Map(
  [...keywords].filter(([, { kind }]) => kind.startsWith("schema")).map(([keyword, { kind }]) => [keyword, kind]),
);

/** Rebuilds a schema from the leaves up. Whatever `visit` leaves alone keeps its identity; `true` and `false` are not visited. */
export function rewriteSchema(schema: JsonSchema, visit: Visit, place?: Place): JsonSchema {
  return visit(
    rewriteChildren(schema, (inner, at) => rewriteSchema(inner, visit, at), place),
    place,
  );
}

/** Replaces each schema that stands directly inside another, and copies the outer one only if something changed. */
export function rewriteChildren(schema: JsonSchema, replace: Visit, place?: Place): JsonSchema {
  let copy: JsonObject | undefined;
  for (const keyword of Object.keys(schema)) {
    const kind = holders.get(keyword);
    if (kind === undefined) continue;
    const before = schema[keyword];
    if (typeof before !== "object" || before === null) continue;
    const at = { key: keyword, within: place };
    let after: unknown;
    if (Array.isArray(before)) after = rewriteList(before, replace, at);
    else if (kind === "schemaMap" || kind === "schemaOrStringsMap") after = rewriteMap(before as JsonObject, replace, at);
    else after = replace(before as JsonSchema, at);
    if (after !== before) (copy ??= { ...schema })[keyword] = after;
  }
  return copy ?? schema;
}

function rewriteList(list: readonly unknown[], replace: Visit, place: Place): readonly unknown[] {
  let changed = false;
  const next = list.map((inner, index) => {
    const after = isObject(inner) ? replace(inner, { key: String(index), within: place }) : inner;
    changed ||= after !== inner;
    return after;
  });
  return changed ? next : list;
}

function rewriteMap(map: JsonObject, replace: Visit, place: Place): JsonObject {
  let changed = false;
  const next: [string, unknown][] = Object.keys(map).map((key) => {
    const inner = map[key];
    const after = isObject(inner) ? replace(inner, { key, within: place }) : inner;
    changed ||= after !== inner;
    return [key, after];
  });
  return changed ? Object.fromEntries(next) : map;
}

/**
 * Every keyword that the schema or a schema inside it uses, "true" and "false" where one of those stands for a schema
 * (a closed object apart), and "items[]" and "type[]" for lists in `items` and `type`.
 */
export function usedKeywords(schema: JsonSchema, used: Set<string> = new Set()): Set<string> {
  for (const keyword of Object.keys(schema)) {
    used.add(keyword);
    const argument = schema[keyword];
    if (keyword === "type" && typeof argument === "object") used.add("type[]");
    const kind = holders.get(keyword);
    if (kind === undefined) continue;
    if (typeof argument === "boolean") {
      if (argument || keyword !== "additionalProperties") used.add(String(argument));
    } else if (Array.isArray(argument)) {
      if (keyword === "items") used.add("items[]");
      for (const inner of argument) collect(inner, used);
    } else if (!isObject(argument)) continue;
    else if (kind === "schemaMap" || kind === "schemaOrStringsMap") for (const key of Object.keys(argument)) collect(argument[key], used);
    else usedKeywords(argument, used);
  }
  return used;
}

function collect(inner: unknown, used: Set<string>): void {
  if (typeof inner === "boolean") used.add(String(inner));
  else if (isObject(inner)) usedKeywords(inner, used);
}

/** A copy without some keywords, or the schema itself if it has none of them. */
export function without(schema: JsonSchema, ...dropped: readonly string[]): JsonSchema {
  if (!dropped.some((keyword) => Object.hasOwn(schema, keyword))) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !dropped.includes(keyword)));
}

/** What describes a schema to a reader and constrains nothing. */
export const annotationKeywords: ReadonlySet<string> = new Set(
  "title description default examples example deprecated readOnly writeOnly $comment discriminator externalDocs xml".split(" "),
);

/** The schema that accepts nothing. */
export function isImpossible(schema: JsonSchema): boolean {
  return isObject(schema["not"]) && Object.keys(schema["not"]).length === 0;
}
