import type { JsonSchema } from "@toolrack/json-schema";
import { type SchemaTarget, schemaTargets } from "../provider.ts";
import { ToolError } from "../../errors.ts";
import { inclusiveBounds } from "./passes/bounds.ts";
import { dropConditions } from "./passes/conditions.ts";
import { dropUnusedDefinitions, optionalCycles } from "./passes/cycles.ts";
import { dropEnumsWith, limitEnums, plainEnums } from "./passes/enums.ts";
import { hasIllegalKey } from "./shape/keys.ts";
import { keepFormats, portablePatterns } from "./passes/formats.ts";
import { removeImpossible } from "./passes/impossible.ts";
import { dropArguments, dropKeywords, keepKeywords } from "./keywords.ts";
import { anthropicStrictLimits, openAiStrictLimits } from "../rules/strict-limits.ts";
import { declareRequired, widenPatternProperties } from "./passes/maps.ts";
import { openApiTypes } from "./passes/nullable.ts";
import { type AdaptPass, runPasses, when } from "./pass.ts";
import { plainRoot } from "./passes/root.ts";
import type { ShapeRules } from "./shape/shaper.ts";
import { declareItems, widenTuples } from "./passes/tuples.ts";
import { declareTypes, splitTypes } from "./passes/typed.ts";
import { tidyUnions, uniteObjects, uniteUnions } from "./passes/unions.ts";

/** How a schema gets from its normal form to a vendor: passes that only loosen, then the shape of values, then the vendor's spelling. */
export interface Dialect {
  readonly strict: boolean;
  /** Takes most schemas as they are written: one that breaks no rule is not touched. */
  readonly takesMost?: boolean;
  /** Keywords that its passes understand only in normal form. */
  readonly normalFor?: readonly string[];
  readonly passes: readonly AdaptPass[];
  readonly shape?: ShapeRules;
  /** Whether the shape step has anything to do. @default always */
  readonly needsShape?: (schema: JsonSchema) => boolean;
  readonly spelling?: readonly AdaptPass[];
}

export function dialectFor(target: SchemaTarget): Dialect {
  const dialect = dialects.get(target);
  if (dialect !== undefined) return dialect;
  throw new ToolError("CONFIG_INVALID", `"${String(target)}" is no schema target. Use one of ${schemaTargets.join(", ")}.`);
}

/** `__proto__` would be legal, but too many libraries on the way lose it. */
const anthropicKey = /^(?!__proto__$)[a-zA-Z0-9_.-]{1,64}$/;
const annotated = ["type", "title", "description", "enum", "properties", "required", "additionalProperties", "items", "anyOf", "$ref"];

/** Everything conditional is gone, unions stand alone, every node has one type: the ground on which values can be translated. */
const plainNodes: readonly AdaptPass[] = [
  removeImpossible,
  declareRequired,
  plainRoot,
  tidyUnions,
  dropConditions,
  widenPatternProperties,
  widenTuples,
  tidyUnions,
  declareRequired,
  declareTypes,
  plainEnums,
  splitTypes,
  removeImpossible,
  declareItems,
];

/** A schema with a name that the vendor refuses has to be seen through before its values can be translated. */
const legalKeys: AdaptPass = (schema, context) => (hasIllegalKey(schema, anthropicKey) ? runPasses(plainNodes, schema, context) : schema);

const loose: Dialect = { strict: false, takesMost: true, passes: [plainRoot, declareItems] };
const anthropic: Dialect = {
  strict: false,
  takesMost: true,
  passes: [plainRoot, declareItems, legalKeys],
  shape: { legalKey: anthropicKey },
  needsShape: (schema) => hasIllegalKey(schema, anthropicKey),
};
const strictFormats = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

const dialects: ReadonlyMap<SchemaTarget, Dialect> = new Map<SchemaTarget, Dialect>([
  ["anthropic", anthropic],
  ["bedrock", anthropic],
  ["openai", loose],
  ["mistral", loose],
  ["cohere", loose],
  ["groq", loose],
  ["openrouter", loose],
  ["ollama", loose],
  ["generic", loose],
  // Without the other two `contains` would mean something else.
  [
    "xai",
    { ...loose, passes: [...loose.passes, when(["minContains", "maxContains"], dropKeywords(["contains", "minContains", "maxContains"]))] },
  ],
  ["deepseek", { ...loose, normalFor: ["anyOf", "oneOf"], passes: [plainRoot, uniteUnions, declareItems] }],
  [
    "openai-strict",
    {
      strict: true,
      passes: [
        ...plainNodes,
        keepKeywords([
          ...annotated,
          "pattern",
          "format",
          "multipleOf",
          "minimum",
          "maximum",
          "exclusiveMinimum",
          "exclusiveMaximum",
          "minItems",
          "maxItems",
        ]),
        keepFormats(strictFormats),
        portablePatterns,
        limitEnums({
          total: openAiStrictLimits.enumValues - 200, // the shape step adds a value here and there
          text: openAiStrictLimits.textLength / 2, // and names count as well
          longFrom: openAiStrictLimits.longEnum,
          longText: openAiStrictLimits.longEnumText,
        }),
      ],
      shape: {
        legalKey: /^(?!__proto__$)[^\p{Cc}]{1,256}$/u,
        closed: true,
        maps: "carry",
        anything: "text",
        absence: "null",
        nullIsAbsent: true,
        maxDepth: 9,
      },
    },
  ],
  [
    "anthropic-strict",
    {
      strict: true,
      passes: [
        ...plainNodes,
        keepKeywords([...annotated, "default", "pattern", "format", "minItems"]),
        dropArguments("minItems", (count) => (count as number) > 1),
        keepFormats([...strictFormats, "uri"]),
        portablePatterns,
      ],
      shape: {
        legalKey: anthropicKey,
        closed: true,
        maps: "carry",
        anything: "text",
        nullIsAbsent: true,
        references: "open",
        maxOptional: anthropicStrictLimits.optional,
        maxUnions: anthropicStrictLimits.unions,
      },
    },
  ],
  [
    "gemini",
    {
      strict: false,
      passes: [
        removeImpossible,
        declareRequired,
        plainRoot,
        tidyUnions,
        dropConditions,
        widenPatternProperties,
        tidyUnions,
        declareRequired,
        inclusiveBounds,
        plainEnums,
        removeImpossible,
        declareItems,
        optionalCycles,
        keepKeywords([...annotated, "format", "prefixItems", "minItems", "maxItems", "minimum", "maximum"]),
        dropUnusedDefinitions,
      ],
    },
  ],
  [
    "gemini-openapi",
    {
      strict: false,
      passes: [
        removeImpossible,
        declareRequired,
        plainRoot,
        tidyUnions,
        dropConditions,
        widenPatternProperties,
        widenTuples,
        uniteObjects,
        tidyUnions,
        declareRequired,
        declareTypes,
        inclusiveBounds,
        plainEnums,
        splitTypes,
        removeImpossible,
        declareItems,
        keepKeywords([
          ...annotated,
          "default",
          "format",
          "pattern",
          "minimum",
          "maximum",
          "minItems",
          "maxItems",
          "minLength",
          "maxLength",
          "minProperties",
          "maxProperties",
        ]),
        keepFormats(["date-time"]),
        dropEnumsWith((value) => value === "" || (typeof value !== "string" && value !== null)),
      ],
      shape: { maps: "carry", anything: "text", references: "open", nullWord: true },
      spelling: [dropKeywords(["additionalProperties"]), openApiTypes],
    },
  ],
]);
