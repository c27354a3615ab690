import { isImpossible, isObject, type JsonObject, without } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import { ToolError } from "../../../errors.ts";
import { alternativesOf } from "../alternatives.ts";
import { hintFor, withHints } from "../describe.ts";
import type { AdaptContext, AdaptPass } from "../pass.ts";
import { typesOf } from "../types.ts";
import { uniteSchemas } from "../unite.ts";

/** Makes the root a plain object with `properties`: no reference, union or enum at the top. */
export const plainRoot: AdaptPass = (schema, context) => {
  if (schema["type"] === "object" && isObject(schema["properties"]) && !onTop.some((keyword) => Object.hasOwn(schema, keyword)))
    return schema;
  const definitions = schema["$defs"];
  const root = openRoot(without(schema, "$defs"), definitions);
  const folded = foldUnions(dropOnRoot(root, context), context);
  const { type: _type, properties, ...rest } = folded;
  return {
    type: "object",
    properties: isObject(properties) ? properties : {},
    ...rest,
    ...(definitions !== undefined && { $defs: definitions }),
  };
};

const onTop = ["$ref", "anyOf", "oneOf", "allOf", "not", "enum"];

function openRoot(root: JsonSchema, definitions: unknown): JsonSchema {
  if (typeof root["$ref"] !== "string" || !isObject(definitions)) return root;
  const target = definitions[root["$ref"].slice("#/$defs/".length)];
  return isObject(target) ? { ...target, ...without(root, "$ref") } : without(root, "$ref");
}

function foldUnions(root: JsonSchema, context: AdaptContext): JsonSchema {
  let folded = root;
  for (const keyword of ["anyOf", "oneOf"] as const) {
    if (!Array.isArray(folded[keyword])) continue;
    const required = neededByBranch(folded[keyword]);
    const branches = alternativesOf(folded).filter((branch) => typesOf(branch)?.includes("object") ?? true);
    const objects = branches.map((branch) => ({ ...branch, type: "object" }));
    context.lose(undefined, keyword, "the branches were merged into one object");
    const united: JsonObject = objects.length === 0 ? { not: {} } : { ...uniteSchemas(objects), ...annotationsOf(folded) };
    folded = required.length > 1 ? withHints(united, [`give one of: ${required.join("; or ")}`]) : united;
  }
  if (isImpossible(folded) || !(typesOf(folded)?.includes("object") ?? true)) {
    throw new ToolError(
      "SCHEMA_INVALID",
      'A tool\'s input schema must accept an object at its root. Give it { type: "object", properties: { … } }.',
    );
  }
  return folded;
}

/** [{ required: ["a"] }, { required: ["b", "c"] }] → ["a", "b, c"] */
function neededByBranch(branches: readonly unknown[]): string[] {
  const lists = branches.map((branch) => (isObject(branch) && Array.isArray(branch["required"]) ? branch["required"].join(", ") : ""));
  return lists.every((list) => list !== "" && list.length < 200) ? [...new Set(lists)] : [];
}

function dropOnRoot(root: JsonSchema, context: AdaptContext): JsonSchema {
  let next = root;
  for (const keyword of ["allOf", "not", "enum"]) {
    if (!Object.hasOwn(next, keyword) || isImpossible(next)) continue;
    const hint = keyword === "allOf" ? undefined : hintFor(keyword, next);
    context.lose(undefined, keyword, hint === undefined ? "dropped" : "dropped, and noted in the description");
    next = withHints(without(keyword === "allOf" ? keepProperties(next) : next, keyword), hint === undefined ? [] : [hint]);
  }
  return next;
}

/** The properties that the branches of `allOf` name are still worth telling. */
function keepProperties(root: JsonSchema): JsonSchema {
  const named = (root["allOf"] as unknown[]).flatMap((branch) =>
    isObject(branch) && isObject(branch["properties"]) ? [branch["properties"]] : [],
  );
  if (named.length === 0) return root;
  return { ...root, properties: Object.assign({}, ...named, isObject(root["properties"]) ? root["properties"] : {}) as JsonObject };
}

function annotationsOf(schema: JsonSchema): JsonSchema {
  const { title, description } = schema;
  return { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
}
