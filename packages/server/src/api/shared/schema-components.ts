import type { JsonSchema } from "@toolrack/json-schema";
import { escapePointer, isObject, rewriteSchema } from "@toolrack/json-schema/internal";

/** A schema that stands inside an OpenAPI document, and the components that it refers to. */
export interface EmbeddedSchema {
  readonly schema: JsonSchema;
  readonly components: Readonly<Record<string, JsonSchema>>;
}

/**
 * In an OpenAPI document "#" is the document, so "#/$defs/item" of a schema becomes "#/components/schemas/<name>.item". A schema whose
 * references are more than pointers keeps them, and gets an `$id` to which they are relative.
 */
export function toComponents(schema: JsonSchema, name: string): EmbeddedSchema {
  const { $schema: _, ...plain } = schema;
  const references = referencesIn(plain);
  if (references === "other") return { schema: { $id: `urn:toolrack:${name}`, ...plain }, components: {} };
  if (references.length === 0) return { schema: plain, components: {} };
  const definitions = definitionsOf(plain, name);
  const homeOf = (reference: string): Definition | undefined =>
    definitions.find(({ pointer }) => reference === pointer || reference.startsWith(`${pointer}/`));
  const moved = (reference: string): string => {
    const home = homeOf(reference);
    return home === undefined
      ? `${componentsAt}${name}${reference.slice(1)}`
      : `${componentsAt}${home.component}${reference.slice(home.pointer.length)}`;
  };
  const move = (part: JsonSchema): JsonSchema =>
    rewriteSchema(part, (inner) => (typeof inner["$ref"] === "string" ? { ...inner, $ref: moved(inner["$ref"]) } : inner));
  const { $defs: __, definitions: ___, ...own } = plain;
  const components = Object.fromEntries(definitions.map(({ component, schema: part }) => [component, move(part)]));
  if (references.every((reference) => homeOf(reference) !== undefined)) return { schema: move(own), components };
  return { schema: { $ref: `${componentsAt}${name}` }, components: { ...components, [name]: move(own) } };
}

const componentsAt = "#/components/schemas/";

interface Definition {
  /** "#/$defs/item" */
  readonly pointer: string;
  /** "search.input.item" */
  readonly component: string;
  readonly schema: JsonSchema;
}

function definitionsOf(schema: JsonSchema, name: string): readonly Definition[] {
  const taken = new Set<string>();
  return ["$defs", "definitions"].flatMap((keyword) =>
    Object.entries(isObject(schema[keyword]) ? schema[keyword] : {}).map(([key, part]): Definition => {
      let component = `${name}.${key.replaceAll(/[^A-Za-z0-9_.-]/g, "_")}`;
      while (taken.has(component)) component += "_";
      taken.add(component);
      return {
        pointer: `#/${keyword}/${escapePointer(key)}`,
        component,
        schema: isObject(part) ? part : part === false ? { not: {} } : {},
      };
    }),
  );
}

/** The pointers of a schema; "other" if it also refers in other ways. */
function referencesIn(schema: JsonSchema): readonly string[] | "other" {
  const found: string[] = [];
  let hasOthers = false;
  rewriteSchema(schema, (inner) => {
    const { $ref } = inner;
    if (typeof $ref === "string") found.push($ref);
    hasOthers ||= ["$id", "$dynamicRef"].some((keyword) => typeof inner[keyword] === "string");
    return inner;
  });
  return hasOthers || found.some((reference) => reference !== "#" && !reference.startsWith("#/")) ? "other" : found;
}
