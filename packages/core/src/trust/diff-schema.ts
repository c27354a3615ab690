import { canonicalJson } from "@toolrack/json-schema";
import { escapePointer, isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { type AddChange, addCompared } from "./change.ts";
import { diffText } from "./diff-text.ts";

/** Compares two schemas keyword by keyword: what accepts more is widening, what accepts less is narrowing. Both are in their pinned form. */
export function diffSchema(before: unknown, after: unknown, path: string, add: AddChange): void {
  if (canonicalJson(before) === canonicalJson(after)) return;
  if (!isObject(before) || !isObject(after)) return diffWhole(before, after, path, add);
  for (const key of unionOf(before, after)) {
    const [old, now] = [ownValue(before, key), ownValue(after, key)];
    if (canonicalJson(old) === canonicalJson(now) && (old === undefined) === (now === undefined)) continue;
    const at = `${path}/${escapePointer(key)}`;
    addCompared({ path: at, key, was: old, is: now }, add, (tell) => diffKeyword(key, old, now, at, tell, after));
  }
}

/** `true`, `false`, a schema, or nothing, which accepts everything. */
function diffWhole(before: unknown, after: unknown, path: string, add: AddChange): void {
  const width = (schema: unknown): number => (schema === false ? 0 : isObject(schema) ? 1 : 2);
  const [from, to] = [width(before), width(after)];
  if (from === to) add(path, "behaviour", "The schema changed.", before, after);
  else if (from < to) add(path, "widening", "More is accepted.", before, after);
  else add(path, "narrowing", "Less is accepted.", before, after);
}

function diffKeyword(key: string, old: unknown, now: unknown, path: string, add: AddChange, after: JsonObject): void {
  switch (key) {
    case "description":
    case "title":
    case "$comment":
      return diffText(textOf(old), textOf(now), path, add);
    case "examples":
    case "example":
      return diffText(textOf(old), textOf(now), path, add);
    case "default":
      return add(path, "behaviour", "Another default is used where a value is missing.", old, now);
    case "enum":
      return diffSet(listOf(old), listOf(now), path, add, "values");
    case "const":
      return diffSet(old === undefined ? undefined : [old], now === undefined ? undefined : [now], path, add, "values");
    case "type":
      return diffTypes(old, now, path, add);
    case "required":
      return diffRequired(listOf(old) ?? [], listOf(now) ?? [], path, add);
    case "properties":
      return diffProperties(recordOf(old), recordOf(now), path, add, after);
    case "patternProperties":
    case "dependentSchemas":
    case "$defs":
    case "definitions":
      return diffMap(recordOf(old), recordOf(now), path, add);
    case "items":
    case "additionalItems":
    case "additionalProperties":
    case "unevaluatedProperties":
    case "unevaluatedItems":
    case "propertyNames":
    case "contains":
    case "contentSchema":
      return isObject(old) && isObject(now) ? diffSchema(old, now, path, add) : diffWhole(old, now, path, add);
    case "anyOf":
    case "oneOf":
      return diffAlternatives(listOf(old), listOf(now), path, add, "widening");
    case "allOf":
      return diffAlternatives(listOf(old), listOf(now), path, add, "narrowing");
    case "prefixItems":
      return diffPlaces(listOf(old) ?? [], listOf(now) ?? [], path, add);
    case "deprecated":
    case "readOnly":
    case "writeOnly":
      return add(path, "behaviour", `"${key}" changed.`, old, now);
    default:
      return diffLimit(key, old, now, path, add);
  }
}

const lowest = new Set(["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"]);
const highest = new Set(["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"]);
const assertions = new Set([
  "pattern",
  "format",
  "multipleOf",
  "uniqueItems",
  "contentEncoding",
  "contentMediaType",
  "dependentRequired",
  "dependencies",
  "$ref",
  "$dynamicRef",
  "$recursiveRef",
  // What references mean, and by which rules a schema is read.
  "$id",
  "$anchor",
  "$dynamicAnchor",
  "$recursiveAnchor",
  "$schema",
  "not",
  "if",
  "then",
  "else",
]);

function diffLimit(key: string, old: unknown, now: unknown, path: string, add: AddChange): void {
  if (lowest.has(key) || highest.has(key)) {
    const limit = (value: unknown): number => (typeof value === "number" ? value : lowest.has(key) ? -Infinity : Infinity);
    const isWider = lowest.has(key) ? limit(now) < limit(old) : limit(now) > limit(old);
    return add(path, isWider ? "widening" : "narrowing", isWider ? "A limit is looser." : "A limit is tighter.", old, now);
  }
  if (assertions.has(key)) {
    if (now === undefined || now === false) return add(path, "widening", `"${key}" is no longer required.`, old, now);
    add(path, "narrowing", `"${key}" is checked anew.`, old, now);
    if (old !== undefined && old !== false) add(path, "widening", `The former "${key}" is no longer checked.`, old, now);
    return;
  }
  if ((typeof old === "string" || old === undefined) && (typeof now === "string" || now === undefined))
    return diffText(textOf(old), textOf(now), path, add);
  add(path, "behaviour", `"${key}" changed.`, old, now);
}

function diffTypes(old: unknown, now: unknown, path: string, add: AddChange): void {
  const typesOf = (type: unknown): Set<unknown> | undefined => {
    if (type === undefined) return undefined;
    const types = new Set<unknown>(Array.isArray(type) ? type : [type]);
    // Every integer is a number.
    if (types.has("number")) types.add("integer");
    return types;
  };
  const [before, after] = [typesOf(old), typesOf(now)];
  if (before === undefined || after === undefined)
    return add(
      path,
      before === undefined ? "narrowing" : "widening",
      before === undefined ? "Only some types are accepted." : "Every type is accepted.",
      old,
      now,
    );
  if ([...after].some((type) => !before.has(type))) add(path, "widening", "Values of another type are accepted.", old, now);
  if ([...before].some((type) => !after.has(type))) add(path, "narrowing", "Values of a type are no longer accepted.", old, now);
}

function diffRequired(old: readonly unknown[], now: readonly unknown[], path: string, add: AddChange): void {
  const gained = now.filter((name) => !old.includes(name));
  const lost = old.filter((name) => !now.includes(name));
  if (gained.length > 0) add(path, "narrowing", `Now required: ${shown(gained)}.`, old, now);
  if (lost.length > 0) add(path, "widening", `No longer required: ${shown(lost)}.`, old, now);
}

function diffProperties(old: JsonObject, now: JsonObject, path: string, add: AddChange, after: JsonObject): void {
  const required = listOf(after["required"]) ?? [];
  for (const name of unionOf(old, now)) {
    const at = `${path}/${escapePointer(name)}`;
    if (!Object.hasOwn(old, name))
      add(at, required.includes(name) ? "narrowing" : "widening", `The parameter "${name}" is new.`, undefined, now[name]);
    else if (!Object.hasOwn(now, name)) add(at, "narrowing", `The parameter "${name}" is gone.`, old[name], undefined);
    else diffSchema(old[name], now[name], at, add);
  }
}

function diffMap(old: JsonObject, now: JsonObject, path: string, add: AddChange): void {
  for (const name of unionOf(old, now)) {
    const at = `${path}/${escapePointer(name)}`;
    if (!Object.hasOwn(old, name)) add(at, "widening", `"${name}" is new.`, undefined, now[name]);
    else if (!Object.hasOwn(now, name)) add(at, "narrowing", `"${name}" is gone.`, old[name], undefined);
    else diffSchema(old[name], now[name], at, add);
  }
}

/** The schemas of the places of a list: each is for its own place. */
function diffPlaces(old: readonly unknown[], now: readonly unknown[], path: string, add: AddChange): void {
  for (let index = 0; index < Math.max(old.length, now.length); index++) {
    const at = `${path}/${index}`;
    if (index >= old.length) add(at, "narrowing", `Place ${index} of the list is checked now.`, undefined, now[index]);
    else if (index >= now.length) add(at, "widening", `Place ${index} of the list is no longer checked.`, old[index], undefined);
    else diffSchema(old[index], now[index], at, add);
  }
}

/** Items are compared as values; where as many are left as were there, each with its successor. */
function diffAlternatives(
  old: readonly unknown[] | undefined,
  now: readonly unknown[] | undefined,
  path: string,
  add: AddChange,
  more: "widening" | "narrowing",
): void {
  const fewer = more === "widening" ? "narrowing" : "widening";
  if (old === undefined || now === undefined) {
    // Without alternatives everything is accepted.
    return add(
      path,
      (old === undefined) === (more === "widening") ? "narrowing" : more === "narrowing" && old === undefined ? "narrowing" : "widening",
      "The alternatives changed.",
      old,
      now,
    );
  }
  const [before, after] = [new Set(old.map(canonicalJson)), new Set(now.map(canonicalJson))];
  const gained = now.filter((item) => !before.has(canonicalJson(item)));
  const lost = old.filter((item) => !after.has(canonicalJson(item)));
  if (gained.length === 0 && lost.length === 0) {
    const isReordered = canonicalJson(old.map(canonicalJson).sort()) === canonicalJson(now.map(canonicalJson).sort());
    // What is twice in `oneOf` is never accepted.
    return isReordered ? add(path, "wording", "The order changed.", old, now) : add(path, "behaviour", "Some are repeated.", old, now);
  }
  if (gained.length === lost.length && old.length === now.length) {
    for (const [index, item] of now.entries()) diffSchema(old[index], item, `${path}/${index}`, add);
    return;
  }
  if (gained.length > 0) add(path, more, `${gained.length} new.`, old, now);
  if (lost.length > 0) add(path, fewer, `${lost.length} gone.`, old, now);
}

function diffSet(
  old: readonly unknown[] | undefined,
  now: readonly unknown[] | undefined,
  path: string,
  add: AddChange,
  what: string,
): void {
  if (old === undefined || now === undefined)
    return add(
      path,
      old === undefined ? "narrowing" : "widening",
      old === undefined ? `Only some ${what} are accepted.` : `All ${what} are accepted.`,
      old,
      now,
    );
  const [before, after] = [new Set(old.map(canonicalJson)), new Set(now.map(canonicalJson))];
  const gained = now.filter((item) => !before.has(canonicalJson(item)));
  const lost = old.filter((item) => !after.has(canonicalJson(item)));
  if (gained.length > 0) add(path, "widening", `New ${what}: ${shown(gained)}.`, old, now);
  if (lost.length > 0) add(path, "narrowing", `No longer accepted: ${shown(lost)}.`, old, now);
  if (gained.length === 0 && lost.length === 0) add(path, "wording", `The order of the ${what} changed.`, old, now);
}

/** A key from outside may be a name that every object has. */
export function ownValue(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function unionOf(before: JsonObject, after: JsonObject): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])];
}

function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

function recordOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Texts as they are, lists of them in lines, and other values as JSON. */
function textOf(value: unknown): string {
  if (value === undefined) return "";
  if (Array.isArray(value)) return value.map(textOf).join("\n");
  return typeof value === "string" ? value : JSON.stringify(value);
}

function shown(items: readonly unknown[]): string {
  const texts = items.slice(0, 5).map((item) => JSON.stringify(item).slice(0, 60));
  return items.length > 5 ? `${texts.join(", ")} and ${items.length - 5} more` : texts.join(", ");
}
