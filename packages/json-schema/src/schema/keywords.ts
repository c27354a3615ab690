/** What the argument of a keyword has to be. "schema…" kinds hold further schemas. */
export type ArgumentKind =
  | "schema"
  | "schemaList"
  | "schemaMap"
  | "schemaOrList"
  | "schemaOrStringsMap"
  | "type"
  | "number"
  | "positive"
  | "count"
  | "strings"
  | "stringsMap"
  | "list"
  | "string"
  | "pattern"
  | "boolean"
  | "any";

/** Which part of the 2020-12 standard a keyword belongs to; a dialect may leave "validation" out. */
export type Vocabulary = "core" | "applicator" | "unevaluated" | "validation" | "format" | "content" | "meta-data";

/** Every keyword of both drafts once. A line for each part of the standard: what may stand behind the keywords, and their names. */
const table = `
core: string $schema $id $ref $anchor $dynamicRef $dynamicAnchor $comment, any $vocabulary, schemaMap $defs definitions
applicator: schemaMap properties patternProperties dependentSchemas, schemaOrStringsMap dependencies, schemaList prefixItems allOf anyOf oneOf, schemaOrList items, schema additionalItems additionalProperties propertyNames contains not if then else
unevaluated: schema unevaluatedItems unevaluatedProperties
validation: type type, any const, list enum, positive multipleOf, number maximum exclusiveMaximum minimum exclusiveMinimum, count maxLength minLength maxItems minItems maxContains minContains maxProperties minProperties, pattern pattern, boolean uniqueItems, strings required, stringsMap dependentRequired
format: string format
content: string contentEncoding contentMediaType, schema contentSchema
meta-data: string title description, any default, boolean deprecated readOnly writeOnly, list examples
`;

export const keywords: ReadonlyMap<string, { readonly kind: ArgumentKind; readonly vocabulary: Vocabulary }> = new Map(
  table
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [vocabulary, ...parts] = line.split(/[:,] /) as [Vocabulary, ...string[]];
      return parts.flatMap((part) => {
        const [kind, ...names] = part.split(" ") as [ArgumentKind, ...string[]];
        return names.map((name) => [name, { kind, vocabulary }] as const);
      });
    }),
);

export const typeNames = ["null", "boolean", "object", "array", "number", "string", "integer"] as const;
export type TypeName = (typeof typeNames)[number];

/** The schemas that stand directly inside a schema, with the pointer that leads to each. */
export function* subschemas(schema: Readonly<Record<string, unknown>>): Generator<readonly [pointer: string, schema: unknown]> {
  for (const keyword of Object.keys(schema)) {
    const kind = keywords.get(keyword)?.kind;
    const argument = schema[keyword];
    if (kind === undefined || typeof argument !== "object" || argument === null) {
      if (kind === "schema" || kind === "schemaOrList") yield [`/${keyword}`, argument];
    } else if (kind === "schema" || (kind === "schemaOrList" && !Array.isArray(argument))) {
      yield [`/${keyword}`, argument];
    } else if (kind === "schemaList" || kind === "schemaOrList") {
      if (Array.isArray(argument)) for (const [index, inner] of argument.entries()) yield [`/${keyword}/${index}`, inner];
    } else if (kind === "schemaMap" || kind === "schemaOrStringsMap") {
      for (const key of Object.keys(argument)) {
        const inner = (argument as Record<string, unknown>)[key];
        if (kind === "schemaMap" || !Array.isArray(inner)) yield [`/${keyword}/${escapePointer(key)}`, inner];
      }
    }
  }
}

/** "a/b~c" → "a~1b~0c": a key as it stands in a JSON pointer. */
export function escapePointer(key: string): string {
  return key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key;
}

export function unescapePointer(part: string): string {
  return part.includes("~") ? part.replaceAll("~1", "/").replaceAll("~0", "~") : part;
}
