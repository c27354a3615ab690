import { annotationKeywords, intersectSchemas, isImpossible, isObject, without } from "@toolrack/json-schema/internal";
import { jsonEquals, type JsonSchema } from "@toolrack/json-schema";
import { maxAlternatives, uniteSchemas } from "./unite.ts";

const maxCopies = 20_000;

/**
 * The branches of a union, each complete: what stands beside `anyOf` or `oneOf` is merged into every branch, unions of unions
 * are flattened, impossible and repeated branches left out. A schema without a union is its only alternative.
 */
export function alternativesOf(schema: JsonSchema): readonly JsonSchema[] {
  const keyword = Array.isArray(schema["anyOf"]) ? "anyOf" : Array.isArray(schema["oneOf"]) ? "oneOf" : undefined;
  if (keyword === undefined) return [schema];
  const beside = without(schema, keyword, "$defs", ...annotationKeywords);
  const branches = schema[keyword] as JsonSchema[];
  const declared = isObject(beside["properties"]) ? Object.keys(beside["properties"]).length : 0;
  // Copying many properties into many branches would take longer than anyone waits.
  if (branches.length * declared > maxCopies) return [mergeBeside(uniteSchemas(branches), beside)];
  const merged = branches.flatMap((branch) => alternativesOf(mergeBeside(branch, beside)));
  const distinct: JsonSchema[] = [];
  for (const branch of merged) {
    if (!isImpossible(branch) && !(merged.length <= maxAlternatives && distinct.some((other) => jsonEquals(other, branch))))
      distinct.push(branch);
  }
  return distinct;
}

/** A branch that cannot be merged exactly gives way to what stands beside it, which accepts more. */
function mergeBeside(branch: JsonSchema, beside: JsonSchema): JsonSchema {
  if (Object.keys(beside).length === 0) return branch;
  return intersectSchemas(beside, branch) ?? beside;
}
