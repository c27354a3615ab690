import { SchemaError } from "../errors.ts";
import { hasOwn, isObject, type JsonObject } from "../util/json.ts";
import { partsOf } from "../schema/local-reference.ts";

/** Whether a schema mentions any default, so that most values need no second look. */
export function hasDefaults(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  return (isObject(schema) && hasOwn(schema, "default")) || Object.values(schema).some(hasDefaults);
}

/**
 * The value with the defaults of its schema: { query: "shoes" } → { query: "shoes", limit: 5 }.
 * Follows `properties`, `additionalProperties`, `items`, `allOf` and local references; alternatives give no defaults, because which
 * one is meant is not certain. A default that its own schema does not allow is not applied. What the caller handed in is never touched: objects
 * are copied on the way to a missing default.
 */
export function fillJudged(schema: unknown, value: unknown, judge: DefaultJudge): unknown {
  return fill(schema, value, { root: schema, judge, added: 0 }, 0);
}

/** Decides which defaults are applied: each once, when it is first missing. */
export interface DefaultJudge {
  /** By the schema that has the default, or refers to it. */
  readonly decided: Map<unknown, boolean>;
  /** Made when something is to be decided, and not kept after the value that needed it. */
  makeFits(): Fits;
}

export type Fits = (schema: unknown, value: unknown) => boolean;

interface Filling {
  readonly root: unknown;
  readonly judge: DefaultJudge;
  fits?: Fits;
  /** Values that defaults have added so far. */
  added: number;
}

/** Defaults inside defaults, or in each of many items, could grow without end. */
const maxAdded = 100_000;

/** Deeper than any honest value goes; below it nothing is filled. */
const maxDepth = 256;

function fill(schema: unknown, value: unknown, filling: Filling, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth > maxDepth) return value;
  let filled: unknown = value;
  for (const part of partsOf(schema, filling.root)) {
    filled = Array.isArray(filled)
      ? fillItems(part, filled, filling, depth + 1)
      : fillMembers(part, filled as JsonObject, filling, depth + 1);
  }
  return filled;
}

function fillMembers(schema: JsonObject, value: JsonObject, filling: Filling, depth: number): JsonObject {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const additional = hasOwn(schema, "patternProperties") ? undefined : schema["additionalProperties"];
  let copy: JsonObject | undefined;
  const put = (name: string, given: unknown, inner: unknown): void => {
    if (inner !== given && name !== "__proto__") (copy ??= { ...value })[name] = inner;
  };
  for (const name of Object.keys(properties)) {
    const given = hasOwn(value, name) ? value[name] : undefined;
    put(name, given, given === undefined ? defaultOf(properties[name], filling, depth) : fill(properties[name], given, filling, depth));
  }
  if (!isObject(additional)) return copy ?? value;
  for (const name of Object.keys(value)) {
    if (!hasOwn(properties, name)) put(name, value[name], fill(additional, value[name], filling, depth));
  }
  return copy ?? value;
}

function fillItems(schema: JsonObject, value: readonly unknown[], filling: Filling, depth: number): readonly unknown[] {
  const prefix = Array.isArray(schema["items"]) ? schema["items"] : Array.isArray(schema["prefixItems"]) ? schema["prefixItems"] : [];
  const rest = Array.isArray(schema["items"]) ? schema["additionalItems"] : schema["items"];
  let copy: unknown[] | undefined;
  for (const [index, item] of value.entries()) {
    const inner = fill(index < prefix.length ? prefix[index] : rest, item, filling, depth);
    if (inner !== item) (copy ??= [...value])[index] = inner;
  }
  return copy ?? value;
}

/** Undefined where there is none that fits. The schema's own is frozen with it: the handler gets a copy to work on, itself filled. */
function defaultOf(schema: unknown, filling: Filling, depth: number): unknown {
  const { decided, makeFits } = filling.judge;
  for (const part of partsOf(schema, filling.root)) {
    if (!hasOwn(part, "default")) continue;
    if (decided.get(schema) === false) return undefined;
    const value = fill(schema, copyPlain(part["default"], filling), filling, depth);
    if (!decided.has(schema)) decided.set(schema, (filling.fits ??= makeFits())(schema, value));
    return decided.get(schema) ? value : undefined;
  }
  return undefined;
}

function copyPlain(value: unknown, filling: Filling): unknown {
  if (++filling.added > maxAdded)
    throw new SchemaError("SCHEMA_INVALID", "The defaults of the schema multiply without end. Simplify them.");
  if (Array.isArray(value)) return value.map((item) => copyPlain(item, filling));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyPlain(inner, filling)]));
}
