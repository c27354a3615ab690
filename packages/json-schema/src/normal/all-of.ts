import { isObject, type JsonObject } from "../util/json.ts";
import type { JsonSchema } from "../schema/schema.ts";
import { intersectSchemas } from "./intersect.ts";
import { annotationKeywords, type NormalPass, pointerTo, rewriteSchema, without } from "./walk.ts";

/** { type: "object", allOf: [{ properties… }, { required… }] } → one schema. A branch that cannot be merged exactly stays in `allOf`. */
export const mergeAllOf: NormalPass = {
  pass: "allOf",
  needs: ["allOf", "$ref"],
  run(schema, note) {
    const definitions = isObject(schema["$defs"]) ? schema["$defs"] : {};
    const merging = new Set<string>();
    const bodies = new Map<string, JsonSchema>();

    /** A schema that contains itself can still be merged with its neighbours: one copy of it is opened. */
    function opened(branch: JsonSchema): JsonSchema {
      const name = typeof branch["$ref"] === "string" ? branch["$ref"].slice("#/$defs/".length) : undefined;
      if (name === undefined || merging.has(name) || !isObject(definitions[name])) return branch;
      merging.add(name);
      const body = bodies.get(name) ?? rewriteSchema(definitions[name], merge);
      merging.delete(name);
      bodies.set(name, body);
      return { ...body, ...without(branch, "$ref") };
    }

    function merge(node: JsonSchema, place?: Parameters<typeof pointerTo>[0]): JsonSchema {
      const branches = branchesOf(node);
      if (branches.length === 0) return node;
      const left: JsonSchema[] = [];
      let merged = Array.isArray(node["allOf"]) ? without(node, "allOf") : without(node, "$ref");
      for (const branch of branches.length > fewBranches ? mergeInPairs(branches.map(opened)) : branches) {
        const next = intersectSchemas(merged, opened(branch));
        if (next === undefined) left.push(branch);
        else merged = next;
      }
      if (left.length < branches.length) note(pointerTo(place), left.length === 0 ? "allOf was merged" : "part of allOf was merged");
      else return node;
      return left.length === 0 ? merged : { ...merged, allOf: left };
    }

    return rewriteSchema(schema, merge);
  },
};

/** More are merged with their neighbours first, because each merge copies what was merged before. */
const fewBranches = 8;

function mergeInPairs(branches: readonly JsonSchema[]): readonly JsonSchema[] {
  if (branches.length < 2) return branches;
  const middle = branches.length >> 1;
  const left = mergeInPairs(branches.slice(0, middle));
  const right = mergeInPairs(branches.slice(middle));
  const merged = intersectSchemas(left[0]!, right[0]!);
  return merged === undefined ? [...left, ...right] : [merged, ...left.slice(1), ...right.slice(1)];
}

/** The branches of `allOf`; a `$ref` with constraints beside it counts as one. */
function branchesOf(node: JsonSchema): readonly JsonObject[] {
  if (Array.isArray(node["allOf"])) return node["allOf"].filter(isObject);
  const beside = Object.keys(node).some((keyword) => keyword !== "$ref" && keyword !== "$defs" && !annotationKeywords.has(keyword));
  return typeof node["$ref"] === "string" && beside ? [{ $ref: node["$ref"] }] : [];
}
