import { isObject, type JsonObject } from "../util/json.ts";
import { escapePointer, keywords } from "../schema/keywords.ts";
import type { JsonSchema } from "../schema/schema.ts";
import { type NormalPass, type Note, type Place, pointerTo, rewriteSchema } from "./walk.ts";

/** `true` → {}, `false` → { not: {} }. `additionalProperties: false` stays: it is how everyone writes a closed object. */
export const replaceBooleans: NormalPass = {
  pass: "booleans",
  needs: ["true", "false"],
  run: (schema, note) => rewriteSchema(schema, (node, place) => replaceIn(node, place, note)),
};

function replaceIn(node: JsonSchema, place: Place | undefined, note: Note): JsonSchema {
  let copy: JsonObject | undefined;
  const replaced = (value: unknown, key: string): unknown => {
    if (typeof value !== "boolean") return value;
    note(`${pointerTo(place)}/${key}`, `${value} became ${value ? "{}" : "{ not: {} }"}`);
    return value ? {} : { not: {} };
  };
  for (const keyword of Object.keys(node)) {
    const kind = keywords.get(keyword)?.kind;
    const argument = node[keyword];
    if (kind === undefined || !kind.startsWith("schema")) continue;
    if (typeof argument === "boolean" && !(keyword === "additionalProperties" && !argument)) {
      (copy ??= { ...node })[keyword] = replaced(argument, keyword);
    } else if (Array.isArray(argument) && argument.some((inner) => typeof inner === "boolean")) {
      (copy ??= { ...node })[keyword] = argument.map((inner, index) => replaced(inner, `${keyword}/${index}`));
    } else if (isObject(argument) && kind === "schemaMap" && Object.values(argument).some((inner) => typeof inner === "boolean")) {
      const entries = Object.entries(argument).map(([key, inner]) => [key, replaced(inner, `${keyword}/${escapePointer(key)}`)]);
      (copy ??= { ...node })[keyword] = Object.fromEntries(entries);
    }
  }
  return copy ?? node;
}
