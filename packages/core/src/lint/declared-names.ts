import { isObject, type JsonObject, localTarget } from "@toolrack/json-schema/internal";
import { compilePattern } from "@toolrack/json-schema";

/** What a schema says about one place of an input: which names may stand there, and what is below them. */
export interface DeclaredNames {
  /** The names that are declared one by one. */
  readonly names: readonly string[];
  /** Whether names that are not declared may stand there all the same: a map, or anything at all. */
  readonly isFree: boolean;
  /** What is below a name; an item of a list is below "[]". */
  below(name: string): DeclaredNames;
}

/** An outermost schema that declares no names and does not say that it is open declares nothing: it is not free. */
export function declaredBy(schema: unknown): DeclaredNames {
  return namesDeclaredBy([schema], schema, true);
}

function namesDeclaredBy(schemas: readonly unknown[], root: unknown, isOutermost = false): DeclaredNames {
  const parts = [...partsOf(schemas, root)];
  const properties = parts.map((part) => part["properties"]).filter(isObject);
  const names = [...new Set(properties.flatMap(Object.keys))];
  const mentioned = (keyword: string): unknown[] => parts.filter((part) => Object.hasOwn(part, keyword)).map((part) => part[keyword]);
  const others = [...mentioned("additionalProperties"), ...mentioned("unevaluatedProperties")].filter((other) => other !== false);
  const patterns = mentioned("patternProperties").filter(isObject).flatMap(Object.entries);
  const isOpen = names.length === 0 && patterns.length === 0 && !isOutermost;
  return {
    names,
    isFree: others.length > 0 || patterns.length > 0 || isOpen,
    below(name) {
      if (name === "[]")
        return namesDeclaredBy([...mentioned("items"), ...mentioned("prefixItems"), ...mentioned("additionalItems")].flat(), root);
      const declared = properties.filter((some) => Object.hasOwn(some, name)).map((some) => some[name]);
      const matching = patterns.filter(([pattern]) => compilePattern(pattern).test(name)).map(([, schema]) => schema);
      return namesDeclaredBy(declared.length + matching.length > 0 ? [...declared, ...matching] : others, root);
    },
  };
}

/** The schemas and all they may stand for: references within the document, parts and alternatives. */
function partsOf(schemas: readonly unknown[], root: unknown): ReadonlySet<JsonObject> {
  const parts = new Set<JsonObject>();
  const add = (schema: unknown): void => void (isObject(schema) && parts.add(schema));
  schemas.forEach(add);
  // A set goes on with what is added while it is read.
  for (const part of parts) {
    for (const keyword of ["allOf", "anyOf", "oneOf"]) if (Array.isArray(part[keyword])) part[keyword].forEach(add);
    for (const keyword of ["if", "then", "else"]) add(part[keyword]);
    if (isObject(part["dependentSchemas"])) Object.values(part["dependentSchemas"]).forEach(add);
    if (typeof part["$ref"] === "string") add(localTarget(part["$ref"], root));
  }
  return parts;
}
