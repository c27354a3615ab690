import { isObject, type JsonObject, subschemas, unescapePointer } from "@toolrack/json-schema/internal";

/** One schema inside a schema. */
export interface LocatedSchema {
  readonly schema: JsonObject;
  /** A JSON pointer into the tool. */
  readonly path: string;
  /** A JSON pointer into the outermost schema. */
  readonly pointer: string;
  /** How a person would name it: "filter.tags[]"; "" for the outermost schema. */
  readonly label: string;
  /** The property's name, if this is the schema of a property. */
  readonly property?: string;
  readonly parent?: LocatedSchema;
}

/** Every schema inside a schema, outer ones first. A broken schema may be circular or endless: each object is visited once, and not too many. */
export function locateSchemas(root: unknown, path: string): LocatedSchema[] {
  const found: LocatedSchema[] = [];
  const visited = new Set<unknown>();
  const visit = (schema: unknown, located: Omit<LocatedSchema, "schema">, depth: number): void => {
    if (!isObject(schema) || visited.has(schema) || depth > maxDepth || found.length >= maxSchemas) return;
    visited.add(schema);
    const here: LocatedSchema = { ...located, schema };
    found.push(here);
    for (const [pointer, inner] of subschemas(schema)) {
      const [keyword, key] = pointer.slice(1).split("/").map(unescapePointer) as [string, string | undefined];
      const next = { path: here.path + pointer, pointer: here.pointer + pointer, label: labelOf(here.label, keyword, key), parent: here };
      visit(inner, keyword === "properties" ? { ...next, property: key! } : next, depth + 1);
    }
  };
  visit(root, { path, pointer: "", label: "" }, 0);
  return found;
}

const maxDepth = 128;
const maxSchemas = 20_000;

/** The subject of a sentence: 'Parameter "limit"'. */
export function nameOf(located: LocatedSchema): string {
  return located.label === "" ? "The schema" : `Parameter ${JSON.stringify(located.label)}`;
}

function labelOf(outer: string, keyword: string, key: string | undefined): string {
  switch (keyword) {
    case "properties":
      return outer === "" ? key! : `${outer}.${key}`;
    case "items":
    case "prefixItems":
    case "contains":
    case "additionalItems":
      return `${outer}[]`;
    case "additionalProperties":
    case "patternProperties":
      return `${outer}.*`;
    case "$defs":
    case "definitions":
      return `${keyword}.${key}`;
    default:
      return outer;
  }
}
