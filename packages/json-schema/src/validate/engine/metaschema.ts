import { draft07, draft2020 } from "../../schema/dialects.ts";
import { type ArgumentKind, keywords, typeNames, type Vocabulary } from "../../schema/keywords.ts";
import type { JsonSchema } from "../../schema/schema.ts";

/** The documents that describe schemas themselves, made from the table of keywords and only when someone refers to one. */
export function metaschema(uri: string): JsonSchema | undefined {
  if (uri === draft07) {
    return { $id: draft07, $schema: `${draft07}#`, ...describe([...keywords.keys()], { $ref: "#" }) };
  }
  if (uri === draft2020) {
    return {
      $id: draft2020,
      $schema: draft2020,
      $vocabulary: Object.fromEntries(vocabularies.map((name) => [`https://json-schema.org/draft/2020-12/vocab/${name}`, true])),
      $dynamicAnchor: "meta",
      ...describe([...keywords.keys()], { $dynamicRef: "#meta" }),
    };
  }
  const name = /^https:\/\/json-schema\.org\/draft\/2020-12\/meta\/([a-z-]+)$/.exec(uri)?.[1];
  const vocabulary = name === "format-annotation" ? "format" : name;
  const members = [...keywords].filter(([, keyword]) => keyword.vocabulary === vocabulary).map(([keyword]) => keyword);
  if (members.length === 0) return undefined;
  return { $id: uri, $schema: draft2020, $dynamicAnchor: "meta", ...describe(members, { $dynamicRef: "#meta" }) };
}

const vocabularies: readonly Vocabulary[] = ["core", "applicator", "unevaluated", "validation", "content", "meta-data"];

function describe(names: readonly string[], schema: JsonSchema): JsonSchema {
  return {
    type: ["object", "boolean"],
    properties: Object.fromEntries(names.map((name) => [name, argumentSchema(keywords.get(name)!.kind, schema)])),
  };
}

function argumentSchema(kind: ArgumentKind, schema: JsonSchema): JsonSchema {
  const strings = { type: "array", items: { type: "string" }, uniqueItems: true };
  switch (kind) {
    case "schema":
      return schema;
    case "schemaList":
      return { type: "array", minItems: 1, items: schema };
    case "schemaMap":
      return { type: "object", additionalProperties: schema };
    case "schemaOrList":
      return { anyOf: [schema, { type: "array", minItems: 1, items: schema }] };
    case "schemaOrStringsMap":
      return { type: "object", additionalProperties: { anyOf: [schema, strings] } };
    case "type":
      return { anyOf: [{ enum: typeNames }, { ...strings, minItems: 1, items: { enum: typeNames } }] };
    case "number":
      return { type: "number" };
    case "positive":
      return { type: "number", exclusiveMinimum: 0 };
    case "count":
      return { type: "integer", minimum: 0 };
    case "strings":
      return strings;
    case "stringsMap":
      return { type: "object", additionalProperties: strings };
    case "list":
      return { type: "array" };
    case "string":
      return { type: "string" };
    case "pattern":
      return { type: "string", format: "regex" };
    case "boolean":
      return { type: "boolean" };
    case "any":
      return {};
  }
}
