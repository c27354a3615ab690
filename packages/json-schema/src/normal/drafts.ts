import { isObject } from "../util/json.ts";
import type { JsonSchema } from "../schema/schema.ts";
import { type NormalPass, type Note, type Place, pointerTo, rewriteSchema, without } from "./walk.ts";

/** Draft-07's `dependencies` → `dependentRequired` and `dependentSchemas`. */
export const replaceLegacyKeywords: NormalPass = {
  pass: "drafts",
  needs: ["dependencies"],
  run: (schema, note) => rewriteSchema(schema, (node, place) => splitDependencies(node, place, note)),
};

function splitDependencies(node: JsonSchema, place: Place | undefined, note: Note): JsonSchema {
  const { dependencies } = node;
  if (!isObject(dependencies)) return node;
  note(pointerTo(place), "dependencies became dependentRequired and dependentSchemas");
  const entries = Object.entries(dependencies);
  const required = Object.fromEntries([...entriesOf(node["dependentRequired"]), ...entries.filter(([, value]) => Array.isArray(value))]);
  const schemas = Object.fromEntries([...entriesOf(node["dependentSchemas"]), ...entries.filter(([, value]) => !Array.isArray(value))]);
  return {
    ...without(node, "dependencies", "dependentRequired", "dependentSchemas"),
    ...(Object.keys(required).length > 0 && { dependentRequired: required }),
    ...(Object.keys(schemas).length > 0 && { dependentSchemas: schemas }),
  };
}

function entriesOf(map: unknown): [string, unknown][] {
  return isObject(map) ? Object.entries(map) : [];
}
