import { SchemaError } from "../errors.ts";
import { isObject, type JsonObject } from "../util/json.ts";
import { subschemas } from "../schema/keywords.ts";
import type { JsonSchema } from "../schema/schema.ts";
import { cyclicNodes } from "./cycles.ts";
import { indexReferences } from "./resolve.ts";
import {
  annotationKeywords,
  type NormalPass,
  type Place,
  pointerTo,
  rewriteChildren,
  rewriteSchema,
  usedKeywords,
  without,
} from "./walk.ts";

/** Copying stops here: a few definitions that use each other twice would otherwise double with every level. */
const maxCopiedSchemas = 4_000;
const maxCopiedDepth = 60;

/**
 * Copies what `$ref` names to where it is used. Schemas that contain themselves go to the root's `$defs` instead.
 * `$dynamicRef` is read as a plain reference to its anchor.
 */
export const resolveReferences: NormalPass = {
  pass: "references",
  needs: ["$ref", "$dynamicRef", "$defs", "definitions", "$id", "$anchor", "$dynamicAnchor", "$schema"],
  run(document, note) {
    const used = usedKeywords(document);
    if (!used.has("$ref") && !used.has("$dynamicRef")) return rewriteSchema(document, (node) => without(node, ...bookkeeping));
    const index = indexReferences(document);
    const find = (node: JsonSchema): JsonSchema | boolean | undefined => {
      const reference = referenceOf(node);
      return reference === undefined ? undefined : index.find(reference, node);
    };
    const cyclic = cyclicNodes(document, (node) => [...innerTargets(node, find)]);
    const ignoresSiblings = /draft-0[3-7]/.test(String(document["$schema"]));
    const names = new Map<JsonSchema, string>();
    const definitions: JsonObject = Object.create(null);
    let copied = 0;

    function expand(node: JsonSchema, place: Place | undefined, depth: number): JsonSchema {
      copied++;
      const reference = referenceOf(node);
      const target = find(node);
      if (reference !== undefined && target === undefined) throw unresolved(reference, pointerTo(place));
      const plain = rewriteChildren(without(node, ...bookkeeping), (inner, at) => expand(inner, at, depth), place);
      if (target === undefined) return plain;
      const beside = ignoresSiblings ? onlyAnnotations(plain) : plain;
      if (typeof target === "boolean") return target ? beside : { ...beside, not: {} };
      if (cyclic.has(target) || copied > maxCopiedSchemas || depth > maxCopiedDepth) {
        return { $ref: `#/$defs/${define(target, reference!)}`, ...beside };
      }
      note(pointerTo(place), `${reference} was copied in`);
      return join(expand(target, place, depth + 1), beside);
    }

    function define(target: JsonSchema, reference: string): string {
      const known = names.get(target);
      if (known !== undefined) return known;
      const name = freeName(target === document ? "root" : reference, definitions);
      names.set(target, name);
      definitions[name] = {}; // holds the place, so that names and their order follow first use
      definitions[name] = expand(target, { key: name, within: { key: "$defs", within: undefined } }, 0);
      return name;
    }

    const schema = expand(document, undefined, 0);
    return Object.keys(definitions).length === 0 ? schema : { ...schema, $defs: { ...definitions } };
  },
};

const bookkeeping = ["$ref", "$dynamicRef", "$defs", "definitions", "$id", "$anchor", "$dynamicAnchor", "$schema", "$vocabulary"];

function referenceOf(node: JsonSchema): string | undefined {
  const reference = node["$ref"] ?? node["$dynamicRef"];
  return typeof reference === "string" ? reference : undefined;
}

/** What every `$ref` inside a schema leads to. */
function* innerTargets(node: JsonSchema, find: (node: JsonSchema) => JsonSchema | boolean | undefined): Generator<JsonSchema> {
  const target = find(node);
  if (isObject(target)) yield target;
  for (const [pointer, inner] of subschemas(node)) {
    if (isObject(inner) && !/^\/(\$defs|definitions)\//.test(pointer)) yield* innerTargets(inner, find);
  }
}

function join(target: JsonSchema, beside: JsonSchema): JsonSchema {
  const keys = Object.keys(beside);
  if (keys.every((keyword) => annotationKeywords.has(keyword))) return keys.length === 0 ? target : { ...target, ...beside };
  return { ...beside, allOf: [target, ...(Array.isArray(beside["allOf"]) ? beside["allOf"] : [])] };
}

function onlyAnnotations(node: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(node).filter(([keyword]) => annotationKeywords.has(keyword)));
}

/** "#/$defs/My%20Type" → "My_20Type", or "My_20Type_2" if that is taken. */
function freeName(reference: string, taken: object): string {
  const last = reference
    .split(/[/#]/)
    .at(-1)!
    .replace(/[^A-Za-z0-9_]+/g, "_")
    .replace(/^_+/, "")
    .slice(0, 40);
  const base = last === "" || /^\d/.test(last) ? `schema${last === "" ? "" : `_${last}`}` : last;
  let name = base;
  for (let count = 2; Object.hasOwn(taken, name); count++) name = `${base}_${count}`;
  return name;
}

function unresolved(reference: string, path: string): SchemaError {
  const advice = /^[a-z][a-z0-9+.-]*:/i.test(reference)
    ? "Nothing is fetched: copy that schema into $defs."
    : "Define it under $defs, or correct the pointer.";
  return new SchemaError("SCHEMA_INVALID", `The schema's $ref ${JSON.stringify(reference)} at "${path || "/"}" leads nowhere. ${advice}`);
}
