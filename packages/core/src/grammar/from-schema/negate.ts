import { annotationKeywords, both, isImpossible, isObject } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";

const maxBranches = 16;

/**
 * Schemas that together accept exactly what the given one refuses, or undefined if that cannot be expressed. Conditions on single values
 * stay as `not` of an enum, a pattern or a format, which the builders of texts and numbers understand.
 */
export function negate(schema: JsonSchema): JsonSchema[] | undefined {
  if (isImpossible(schema)) return [{}];
  const branches: JsonSchema[] = [];
  for (const keyword of Object.keys(schema)) {
    if (annotationKeywords.has(keyword)) continue;
    const parts = negateKeyword(keyword, schema[keyword], schema);
    if (parts === undefined) return undefined;
    branches.push(...parts);
    if (branches.length > maxBranches) return undefined;
  }
  return branches;
}

function negateKeyword(keyword: string, argument: unknown, schema: JsonSchema): JsonSchema[] | undefined {
  switch (keyword) {
    case "type":
      return negateType(Array.isArray(argument) ? (argument as string[]) : [argument as string]);
    case "enum":
      return [{ not: { enum: argument } }];
    case "pattern":
    case "format":
      return [{ type: "string", not: { [keyword]: argument } }];
    case "required":
      return (argument as string[]).map((key) => ({ type: "object", ...forbid(key) }));
    case "properties":
      return negateProperties(argument as Record<string, JsonSchema>);
    case "minimum":
      return [{ type: "number", exclusiveMaximum: argument }];
    case "maximum":
      return [{ type: "number", exclusiveMinimum: argument }];
    case "exclusiveMinimum":
      return [{ type: "number", maximum: argument }];
    case "exclusiveMaximum":
      return [{ type: "number", minimum: argument }];
    case "minLength":
    case "minItems":
    case "minProperties":
      return argument === 0 ? [] : [{ type: sizedType[keyword], [keyword.replace("min", "max")]: (argument as number) - 1 }];
    case "maxLength":
    case "maxItems":
    case "maxProperties":
      return [{ type: sizedType[keyword], [keyword.replace("max", "min")]: (argument as number) + 1 }];
    case "not":
      return isObject(argument) ? [argument] : undefined;
    case "anyOf":
      return negateAll(argument as JsonSchema[]);
    case "allOf":
      return flattened((argument as JsonSchema[]).map(negate));
    case "if":
    case "then":
    case "else":
      return keyword === "if" || Object.hasOwn(schema, "if") ? undefined : [];
    default:
      return undefined;
  }
}

/** An object without this property. */
export function forbid(key: string): JsonSchema {
  return { properties: { [key]: { not: {} } } };
}

const sizedType: Readonly<Record<string, string>> = {
  minLength: "string",
  maxLength: "string",
  minItems: "array",
  maxItems: "array",
  minProperties: "object",
  maxProperties: "object",
};

const types = ["null", "boolean", "object", "array", "number", "string"];

/** What is no integer may still be a number: that stays a `not`, which the builder of numbers understands. */
function negateType(given: readonly string[]): JsonSchema[] {
  const others = types.filter((type) => !given.includes(type));
  if (!given.includes("integer") || given.includes("number"))
    return others.length === 0 ? [] : [{ type: others.length === 1 ? others[0] : others }];
  return [{ type: others.filter((type) => type !== "number") }, { type: "number", not: { type: "integer" } }];
}

/** One of the properties is there and wrong. */
function negateProperties(properties: Readonly<Record<string, JsonSchema>>): JsonSchema[] | undefined {
  return flattened(
    Object.entries(properties).map(([key, schema]) => {
      const wrong = negate(schema);
      if (wrong === undefined) return undefined;
      return wrong.map((value) => ({ type: "object", properties: { [key]: value }, required: [key] }));
    }),
  );
}

/** What none of the schemas accepts. */
export function negateAll(schemas: readonly JsonSchema[]): JsonSchema[] | undefined {
  let combined: JsonSchema[] = [{}];
  for (const schema of schemas) {
    const parts = negate(schema);
    if (parts === undefined) return undefined;
    combined = combined.flatMap((left) => parts.map((right) => both(left, right))).filter((branch) => !isImpossible(branch));
    if (combined.length > maxBranches || combined.some((branch) => Object.hasOwn(branch, "allOf"))) return undefined;
  }
  return combined;
}

function flattened(lists: readonly (JsonSchema[] | undefined)[]): JsonSchema[] | undefined {
  return lists.some((list) => list === undefined) ? undefined : (lists as JsonSchema[][]).flat();
}
