import { createHash } from "node:crypto";
import { isObject, type JsonObject, unescapePointer } from "@toolrack/json-schema/internal";
import type { Target } from "../document/references.ts";
import { setOwn } from "../document/json.ts";
import { OperationFault, OperationLimit } from "../fault.ts";
import type { ConvertedSchema, Located } from "./context.ts";

/** The components that schemas refer to, by the names they have in `$defs`. */
export interface Definitions {
  /** The name of a target in `$defs`: the same for every schema of the document. */
  define(target: Target): string;
  /**
   * A schema with those definitions in `$defs` that it reaches, the nearest first, while they fit into `maxValues` values; the others accept any
   * value. Throws an OperationFault if one that it reaches cannot be converted.
   */
  bundle(root: JsonObject, uses: ReadonlySet<string>, maxValues: number): BundledSchema;
}

export interface BundledSchema {
  readonly schema: JsonObject;
  /** How many definitions did not fit. */
  readonly cut: number;
  /** How many values it has, with its definitions. */
  readonly values: number;
}

interface Definition {
  readonly located: Located;
  converted?: ConvertedSchema & { readonly size: number };
  fault?: OperationFault;
  isFinite?: true;
}

export function createDefinitions(convert: (located: Located) => ConvertedSchema): Definitions {
  const names = new Map<string, string>();
  const definitions = new Map<string, Definition>();

  function define(target: Target): string {
    const known = names.get(target.id);
    if (known !== undefined) return known;
    const name = nameOf(target, (taken) => definitions.has(taken));
    names.set(target.id, name);
    definitions.set(name, { located: { schema: target.value, scope: target.scope } });
    return name;
  }

  function read(name: string): ConvertedSchema & { readonly size: number } {
    const definition = definitions.get(name)!;
    if (definition.converted === undefined && definition.fault === undefined) {
      try {
        const converted = convert(definition.located);
        definition.converted = { ...converted, size: sizeOf(converted.schema, Infinity) };
      } catch (error) {
        if (!(error instanceof OperationFault) || error instanceof OperationLimit) throw error;
        definition.fault = error;
      }
    }
    if (definition.fault !== undefined) throw definition.fault;
    return definition.converted!;
  }

  /** Refuses a definition that is reached from itself without a step into the value: no validator comes to an end with it. */
  function checkFinite(name: string): void {
    if (definitions.get(name)!.isFinite === true) return;
    // Each definition is looked at once for the whole document: those on the way stand in `open`.
    const open = new Map([[name, [...placedIn(read(name).schema)]]]);
    const way = [name];
    for (let at = way.at(-1); at !== undefined; at = way.at(-1)) {
      const next = open.get(at)!.pop();
      if (next === undefined) {
        definitions.get(at)!.isFinite = true;
        open.delete(at);
        way.pop();
      } else if (open.has(next)) {
        const fault = new OperationFault(`The schema "${next}" refers to itself without end.`);
        definitions.get(next)!.fault = fault;
        throw fault;
      } else if (definitions.get(next)!.isFinite !== true) {
        open.set(next, [...placedIn(read(next).schema)]);
        way.push(next);
      }
    }
  }

  function bundle(root: JsonObject, uses: ReadonlySet<string>, maxValues: number): BundledSchema {
    let left = maxValues - sizeOf(root, maxValues + 1);
    if (left < 0) throw new OperationFault(`A schema has more than ${maxValues} values.`, "Shorten it, or exclude the operation.");
    if (uses.size === 0) return { schema: root, cut: 0, values: maxValues - left };
    const defs: JsonObject = {};
    const reached = new Set(uses);
    let cut = 0;
    // A set grows while it is walked through: the nearest come first.
    for (const name of reached) {
      const { schema, uses: inner, size } = read(name);
      checkFinite(name);
      if (size + 2 > left) {
        cut++;
        setOwn(defs, name, stubOf(schema));
        left -= 4;
        continue;
      }
      left -= size + 2;
      setOwn(defs, name, schema);
      for (const one of inner) reached.add(one);
    }
    return { schema: { ...root, $defs: defs }, cut, values: maxValues - left };
  }

  return { define, bundle };
}

/** The names of definitions that a schema applies to the same value. */
function placedIn(schema: JsonObject | boolean): readonly string[] {
  if (typeof schema === "boolean") return [];
  const reference = schema["$ref"];
  const own = typeof reference === "string" ? [unescapePointer(reference.slice("#/$defs/".length))] : [];
  const parts = [schema["allOf"], schema["anyOf"], schema["oneOf"]].flatMap((list) => (Array.isArray(list) ? (list as JsonObject[]) : []));
  const single = [schema["not"], schema["if"], schema["then"], schema["else"]].filter(isObject);
  return [...own, ...[...parts, ...single].flatMap(placedIn)];
}

/** What is left of a definition that does not fit. */
function stubOf(schema: JsonObject | boolean): JsonObject {
  const type = isObject(schema) ? schema["type"] : undefined;
  return { ...(type !== undefined && { type }), description: "Not shown: the schema is too large." };
}

/** "Pet" for a component with a plain name; a hash tells all others apart, so that a name never depends on what else is read. */
function nameOf({ id, name }: Target, isTaken: (name: string) => boolean): string {
  if (/^#\/(components\/schemas|definitions)\/[A-Za-z0-9_.-]{1,64}$/.test(id) && !isTaken(name)) return name;
  const plain = name.replaceAll(/[^A-Za-z0-9_.-]+/g, "_").slice(0, 50);
  const hash = createHash("sha256").update(id).digest("hex");
  for (let length = 8; ; length += 8) {
    const made = `${plain}_${hash.slice(0, length)}`;
    if (!isTaken(made) || length > 56) return made;
  }
}

/** How many values a schema has, as the limits of schemas count them; no more than `most` are counted. */
function sizeOf(value: unknown, most: number): number {
  let size = 1;
  if (typeof value !== "object" || value === null) return size;
  for (const inner of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) {
    if (size >= most) break;
    size += sizeOf(inner, most - size);
  }
  return size;
}
