import { isStandardSchema, type JsonSchema } from "@toolrack/json-schema";
import { isObject, keywords, misspellingOf, typeNames, unknownKeywordsOf } from "@toolrack/json-schema/internal";

/** A map of Zod schemas, or of another library's, in place of a schema or of its `properties`: what it is, and what to write instead. */
export function findRawShape(schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined;
  const found = Object.values(schema).find(isStandardSchema);
  if (found === undefined) {
    const inside = findRawShape(schema["properties"]);
    return inside && `.properties${inside}`;
  }
  return ` is a map of ${found["~standard"].vendor} schemas. Wrap it, for instance: z.object({ ${namesIn(schema)} }).`;
}

/**
 * The first keyword of a read schema that is misspelt, or a map of properties in place of a schema. Keywords of other vocabularies
 * are fine.
 */
export function findMisspelling(read: JsonSchema): string | undefined {
  for (const { keyword, schema, path } of unknownKeywordsOf(read)) {
    if (/^x-|^example$/.test(keyword)) continue;
    const at = path === "" ? "" : `, at "${path}",`;
    if (isProperty(schema[keyword], schema))
      return `${at} is a map of properties. Wrap it: { type: "object", properties: { ${namesIn(schema)} } }.`;
    const near = misspellingOf(keyword, keywords.keys());
    if (near !== undefined) return `${at} has the unknown keyword "${keyword}". Did you mean "${near}"?`;
  }
  return undefined;
}

/** Whether an unknown keyword can only be the name of a property: `city` in { city: { type: "string" } } or { city: "string" }. */
function isProperty(argument: unknown, schema: JsonSchema): boolean {
  const isAlone = !Object.keys(schema).some((keyword) => keywords.has(keyword));
  if (!isObject(argument)) return isAlone && typeNames.includes(argument as "string");
  return isAlone || ("type" in argument && !("type" in schema || "properties" in schema));
}

function namesIn(map: object): string {
  return Object.keys(map).slice(0, 5).join(", ");
}
