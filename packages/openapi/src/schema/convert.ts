import { escapePointer, isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { refuseDisguise } from "../document/characters.ts";
import { members, own, ownList, ownObject, ownText, setOwn } from "../document/json.ts";
import type { DocumentScope } from "../document/references.ts";
import { OperationFault } from "../fault.ts";
import type { ConvertedSchema, Located, SchemaContext } from "./context.ts";
import { createDefinitions, type Definitions } from "./definitions.ts";
import { discriminatorOf } from "./discriminator.ts";
import { convertKeywords } from "./keywords.ts";
import { isNullable, orNull } from "./nullable.ts";
import { isPatternUsable } from "./repair.ts";
import { hiddenNames, memberNames, resolveSchema } from "./resolve.ts";

export interface SchemaConverter {
  /** Throws an OperationFault for a schema that cannot be converted. `without` are names of properties that are left out of the value itself. */
  convert(schema: unknown, scope: DocumentScope, without?: ReadonlySet<string>): ConvertedSchema;
  /** Components in 2020-12, each converted once for the document and the direction. */
  readonly definitions: Definitions;
}

const maxDepth = 60;
const maxValues = 100_000;
const noNames: ReadonlySet<string> = new Set();

/** Where a conversion stands. */
interface Walk {
  readonly uses: Set<string>;
  /** Names that the caller leaves out: they are looked for behind all references. */
  readonly without: ReadonlySet<string>;
  values: number;
}

export function createSchemaConverter(context: SchemaContext): SchemaConverter {
  const { references, version, direction } = context;
  const converted = new WeakMap<object, ConvertedSchema>();
  const leftOut = new WeakMap<object, ReadonlySet<string>>();
  const definitions = createDefinitions(({ schema, scope }) => convert(schema, scope));

  /** A schema that many operations share, as that of a parameter among the components, is converted once. */
  function convert(schema: unknown, scope: DocumentScope, without: ReadonlySet<string> = noNames): ConvertedSchema {
    const known = isObject(schema) && without.size === 0 ? converted.get(schema) : undefined;
    if (known !== undefined) return known;
    const walk: Walk = { uses: new Set(), without, values: 0 };
    const made: ConvertedSchema = { schema: one(schema, scope, walk, 0, without), uses: walk.uses };
    if (isObject(schema) && without.size === 0) converted.set(schema, made);
    return made;
  }

  /** `gone` are names that a schema around this one, for the same value, leaves out. */
  function one(schema: unknown, scope: DocumentScope, walk: Walk, depth: number, gone: ReadonlySet<string>): JsonObject | boolean {
    if (typeof schema === "boolean") return schema;
    if (!isObject(schema)) {
      if (schema !== undefined) context.warn("A schema that is neither an object nor true or false is read as any value.");
      return {};
    }
    if (depth > maxDepth)
      throw new OperationFault(
        `A schema is circular, or nested more than ${maxDepth} deep.`,
        "Use references for recursion, or exclude the operation.",
      );
    references.work.spend(1);
    if (++walk.values > maxValues)
      throw new OperationFault(`A schema has more than ${maxValues} parts.`, "Shorten it, or exclude the operation.");
    const reference = ownText(schema, "$ref");
    return reference === undefined ? inline(schema, scope, walk, depth, gone) : referring(schema, reference, scope, walk, depth, gone);
  }

  function referring(
    schema: JsonObject,
    reference: string,
    scope: DocumentScope,
    walk: Walk,
    depth: number,
    gone: ReadonlySet<string>,
  ): JsonObject | boolean {
    references.follow(schema, scope); // refuses what only leads in a circle
    const target = references.target(reference, scope);
    const located: Located = { schema: target.value, scope: target.scope };
    if (gone.size > 0 && (mentions(located, gone) || holdsWithout(located, gone, walk))) {
      const { schema: resolved, scope: inner } = resolveSchema(located, references);
      return inline(resolved, inner, walk, depth + 1, gone);
    }
    const name = definitions.define(target);
    walk.uses.add(name);
    const out = { $ref: `#/$defs/${escapePointer(name)}` };
    if (isNullable(schema)) return { anyOf: [out, { type: "null" }] };
    // Up to 3.0 a reference stands for itself alone.
    if (version === "2.0" || version === "3.0") return out;
    const { $ref: _, ...beside } = schema;
    const siblings = inline(beside, scope, walk, depth, gone);
    return { ...siblings, ...out };
  }

  function inline(schema: JsonObject, scope: DocumentScope, walk: Walk, depth: number, gone: ReadonlySet<string>): JsonObject {
    const nullable = isNullable(schema);
    const hasType = own(schema, "type") !== undefined;
    const out = convertKeywords(schema, nullable && hasType, context);
    const hidden = isObject(own(schema, "properties")) || isList(own(schema, "allOf")) ? namesLeftOut(schema, scope) : noNames;
    references.work.spend(gone.size + hidden.size);
    const left = hidden.size === 0 ? gone : gone.size === 0 ? hidden : new Set([...gone, ...hidden]);
    const next = (inner: unknown): JsonObject | boolean => one(inner, scope, walk, depth + 1, noNames);
    const nextMap = (key: string, isKept: (name: string) => boolean): void => {
      if (!isObject(own(schema, key))) return;
      const map: JsonObject = {};
      const listed = members(schema[key]);
      references.work.spend(listed.length);
      for (const [name, inner] of listed) {
        if (!isKept(name)) continue;
        if (key === "properties") refuseDisguise(name, "property");
        setOwn(map, name, next(inner));
      }
      out[key] = map;
    };
    nextMap("properties", (name) => !left.has(name));
    nextMap("patternProperties", isPatternUsable);
    nextMap("dependentSchemas", () => true);
    const required = own(schema, "required");
    if (Array.isArray(required)) {
      references.work.copy(required.length);
      const names = new Set(required.filter((name) => typeof name === "string" && !left.has(name)));
      if (names.size > 0) out["required"] = [...names];
    } else if (required === true)
      context.warn('"required: true" stands on a property: it is left out. Name the property in the list of its object.');
    convertItems(schema, out, next);
    for (const key of [
      "additionalProperties",
      "unevaluatedProperties",
      "unevaluatedItems",
      "contains",
      "propertyNames",
      "not",
      "if",
      "then",
      "else",
    ])
      if (isObject(own(schema, key)) || typeof own(schema, key) === "boolean") out[key] = next(schema[key]);
    for (const key of ["allOf", "anyOf", "oneOf"] as const) {
      const branches = ownList(schema, key).filter((branch) => isObject(branch) || typeof branch === "boolean");
      if (branches.length === 0) continue;
      out[key] = branches.map((branch) => {
        const shown = one(branch, scope, walk, depth + 1, left);
        const pinned = key === "allOf" ? undefined : discriminatorOf(schema, { schema: branch, scope }, context);
        return pinned === undefined || typeof shown === "boolean" ? shown : { ...shown, ...pinned };
      });
    }
    return nullable && !hasType ? orNull(out) : out;
  }

  function namesLeftOut(schema: JsonObject, scope: DocumentScope): ReadonlySet<string> {
    let names = leftOut.get(schema);
    if (names === undefined) leftOut.set(schema, (names = hiddenNames({ schema, scope }, direction, references)));
    return names;
  }

  function holdsWithout(located: Located, gone: ReadonlySet<string>, { without }: Walk): boolean {
    return without.size > 0 && [...memberNames(located, references)].some((name) => without.has(name) && gone.has(name));
  }

  function mentions(located: Located, names: ReadonlySet<string>): boolean {
    const { schema } = resolveSchema(located, references);
    const isNamed = (name: unknown): boolean => names.has(name as string);
    const listed = Object.keys(ownObject(schema, "properties") ?? {});
    references.work.spend(listed.length);
    return ownList(schema, "required").some(isNamed) || listed.some(isNamed);
  }

  return { convert, definitions };
}

const isList = Array.isArray as (value: unknown) => boolean;

/** A list of item schemas has its own keyword in 2020-12. */
function convertItems(schema: JsonObject, out: JsonObject, next: (inner: unknown) => JsonObject | boolean): void {
  const items = own(schema, "items");
  const prefix = Array.isArray(items) ? items : own(schema, "prefixItems");
  if (Array.isArray(prefix) && prefix.length > 0) out["prefixItems"] = prefix.map(next);
  const rest = Array.isArray(items) ? own(schema, "additionalItems") : items;
  if (isObject(rest) || typeof rest === "boolean") out["items"] = next(rest);
}
