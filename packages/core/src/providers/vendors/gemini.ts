import type { JsonSchema } from "@toolrack/json-schema";
import { isObject } from "@toolrack/json-schema/internal";
import { dropKeywords, keepKeywords } from "../adapt/keywords.ts";
import { inclusiveBounds } from "../adapt/passes/bounds.ts";
import { dropConditions } from "../adapt/passes/conditions.ts";
import { dropUnusedDefinitions, optionalCycles } from "../adapt/passes/cycles.ts";
import { dropEnumsWith, plainEnums } from "../adapt/passes/enums.ts";
import { keepFormats } from "../adapt/passes/formats.ts";
import { removeImpossible } from "../adapt/passes/impossible.ts";
import { declareRequired, widenPatternProperties } from "../adapt/passes/maps.ts";
import { openApiTypes } from "../adapt/passes/nullable.ts";
import { plainRoot } from "../adapt/passes/root.ts";
import { declareItems, widenTuples } from "../adapt/passes/tuples.ts";
import { declareTypes, splitTypes } from "../adapt/passes/typed.ts";
import { tidyUnions, uniteObjects } from "../adapt/passes/unions.ts";
import { defineProvider } from "../define-provider.ts";
import { cutBy, cutStream, sentError, short } from "../format/failure.ts";
import { at, incomplete, isListWith, objectsIn, readArguments, splitImages, text } from "../format/parts.ts";
import type { Provider, ProviderLimits, ProviderSchema, ProviderWire, ToolChoice, WireCall, WireTool } from "../provider.ts";
import {
  arraysHaveItems,
  formatsAmong,
  localReferences,
  onlyKeywords,
  propertiesIn,
  requiredIn,
  requiredIsDeclared,
  rootIsObject,
  rootWithout,
} from "../rules/common.ts";
import type { NodeRule, VendorRule, WholeRule } from "../rules/rule.ts";
import type { GeminiChoice, GeminiDeclaration, GeminiShapes } from "../shapes/gemini.ts";
import { commonKeywords } from "./_schemas.ts";

const limits: ProviderLimits = { name: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/, nameLength: 64 };

const jsonSchema: ProviderSchema = {
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
    keepKeywords([...commonKeywords, "format", "prefixItems", "minItems", "maxItems", "minimum", "maximum"]),
    dropUnusedDefinitions,
  ],
};

const referencesStandAlone: NodeRule = {
  node(node, report) {
    const hasCompany = typeof node["$ref"] === "string" && Object.keys(node).some((keyword) => !keyword.startsWith("$"));
    if (hasCompany) report("$ref", "nothing may stand beside $ref");
  },
};

const referencesAreOptional: WholeRule = {
  whole(schema, report) {
    const look = (node: JsonSchema, path: string, isOptional: boolean): void => {
      if (typeof node["$ref"] === "string" && !isOptional)
        report(path, "$ref", "a reference may only stand inside a property that is not required");
      const required = requiredIn(node);
      for (const [key, inner] of Object.entries(propertiesIn(node))) {
        look(inner as JsonSchema, `${path}/properties/${key}`, isOptional || !required.includes(key));
      }
      for (const keyword of ["items", "additionalProperties"])
        if (isObject(node[keyword])) look(node[keyword], `${path}/${keyword}`, isOptional);
      for (const keyword of ["anyOf", "prefixItems"]) {
        const list = Array.isArray(node[keyword]) ? (node[keyword] as JsonSchema[]) : [];
        list.forEach((inner, index) => look(inner, `${path}/${keyword}/${index}`, isOptional));
      }
    };
    look(schema, "", false);
    for (const [name, inner] of Object.entries(isObject(schema["$defs"]) ? schema["$defs"] : {}))
      look(inner as JsonSchema, `/$defs/${name}`, false);
  },
};

/**
 * Gemini `parametersJsonSchema`. Source: the API's text on `responseJsonSchema`: the keywords below are read, others ignored, "cyclic
 * references … may only be used within non-required properties", "$ref … other keywords must not be set" beside it.
 * A keyword that is ignored has no effect, so it counts as a violation here.
 */
const jsonSchemaRules: readonly VendorRule[] = [
  rootIsObject,
  rootWithout("anyOf", "oneOf", "$ref"),
  requiredIsDeclared,
  onlyKeywords(
    ..."$id $defs $ref $anchor type format title description enum items prefixItems minItems maxItems minimum maximum".split(" "),
    ..."anyOf oneOf properties additionalProperties required propertyOrdering".split(" "),
  ),
  localReferences,
  referencesStandAlone,
  referencesAreOptional,
];

/** Gemini with `parametersJsonSchema`. Shapes as in the typings of @google/genai: FunctionDeclaration, FunctionCall, FunctionResponse, ToolConfig. */
export const gemini: Provider<"gemini", GeminiShapes> = defineProvider({
  name: "gemini",
  wire: geminiWire((tool) => ({
    parametersJsonSchema: tool.schema,
    ...(tool.outputSchema && { responseJsonSchema: tool.outputSchema }),
  })),
  limits,
  schema: jsonSchema,
  rules: jsonSchemaRules,
});

const openApiSchema: ProviderSchema = {
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
      ...commonKeywords,
      ..."default format pattern minimum maximum minItems maxItems minLength maxLength minProperties maxProperties".split(" "),
    ]),
    keepFormats(["date-time"]),
    dropEnumsWith((value) => value === "" || (typeof value !== "string" && value !== null)),
  ],
  shape: { maps: "carry", anything: "text", references: "open", nullWord: true },
  finalPasses: [dropKeywords(["additionalProperties"]), openApiTypes],
};

const types = ["string", "number", "integer", "boolean", "array", "object"];

const plainTypes: NodeRule = {
  node(node, report) {
    const { anyOf, type, enum: values } = node;
    if (Array.isArray(anyOf)) {
      if (Object.keys(node).length > 1) report("anyOf", "anyOf must stand alone");
    } else if (!types.includes(type as string)) report("type", `one type is needed, of ${types.join(", ")}`);
    const areTexts = !Array.isArray(values) || values.every((value) => typeof value === "string" && value !== "");
    if (!areTexts) report("enum", "listed values must be texts that are not empty");
  },
};

/**
 * Gemini `parameters`: the message `Schema` of google.ai.generativelanguage. An unknown field fails the whole request. Sources: the
 * message's fields; API errors "only 'enum' and 'date-time' are supported for STRING type", "enum[0]: cannot be empty", "when using any_of,
 * it must be the only field set", "property is not defined" for `required`.
 */
const openApiRules: readonly VendorRule[] = [
  rootIsObject,
  rootWithout("anyOf"),
  onlyKeywords(
    ..."type format title description nullable default enum items minItems maxItems properties required minProperties maxProperties".split(
      " ",
    ),
    ..."minLength maxLength pattern example anyOf propertyOrdering minimum maximum".split(" "),
  ),
  requiredIsDeclared,
  arraysHaveItems,
  formatsAmong("date-time", "enum", "float", "double", "int32", "int64"),
  plainTypes,
];

/** Gemini with `parameters`, for Vertex, older endpoints and proxies. An object without properties is refused there, so `parameters` is left out. */
export const geminiOpenApi: Provider<"gemini-openapi", GeminiShapes> = defineProvider({
  name: "gemini-openapi",
  vendor: "gemini",
  wire: geminiWire((tool) => (hasProperties(tool.schema) ? { parameters: tool.schema } : {})),
  limits,
  schema: openApiSchema,
  rules: openApiRules,
});

function geminiWire(schemas: (tool: WireTool) => Partial<GeminiDeclaration>): ProviderWire<GeminiShapes> {
  return {
    declare: (tool) => ({ name: tool.name, description: tool.description, ...schemas(tool) }),
    frame: (declarations) => (declarations.length === 0 ? [] : [{ functionDeclarations: declarations as GeminiDeclaration[] }]),
    readCalls,
    readFailure,
    isReply: (reply) => isResponse(reply) || isListWith(reply, isResponse),
    writeResults: (answers) =>
      answers.length === 0
        ? []
        : [
            {
              role: "user",
              parts: answers.map(({ call, result }) => {
                const { text: said, images } = splitImages(result);
                const response = result.ok ? { output: result.data ?? said } : { error: result.error };
                const parts = images.map((image) => ({ inlineData: { mimeType: image.mimeType, data: image.data } }));
                return {
                  functionResponse: {
                    ...(!call.id.startsWith(madeUp) && { id: call.id }),
                    name: call.wireName,
                    response,
                    ...(parts.length > 0 && { parts }),
                  },
                };
              }),
            },
          ],
    writeChoice: ({ choice }) => ({ toolConfig: { functionCallingConfig: choiceOf(choice) } }),
  };
}

/** Calls may come without an id; such an id is ours and is not sent back. */
const madeUp = "gemini_call_";

/** A response, also one whose prompt was blocked; a candidate of it; or its content alone. */
function isResponse(reply: unknown): boolean {
  if (["candidates", "parts"].some((name) => Array.isArray(at(reply, name)) || Array.isArray(at(reply, "content", name)))) return true;
  return ["promptFeedback", "usageMetadata"].some((name) => isObject(at(reply, name)));
}

/** A whole reply, or the chunks of a stream: each holds whole calls, except where Vertex streams arguments piece by piece. */
function readCalls(reply: unknown): readonly WireCall[] {
  const found: { id: unknown; name: unknown; args: unknown; open: boolean }[] = [];
  let cut: string | undefined;
  for (const chunk of Array.isArray(reply) ? reply : [reply]) {
    cut = cutBy("finishReason", at(chunk, "candidates", 0, "finishReason") ?? at(chunk, "finishReason")) ?? cut;
    const content = at(chunk, "candidates", 0, "content") ?? at(chunk, "content") ?? chunk;
    for (const part of objectsIn(at(content, "parts"))) {
      const call = part["functionCall"];
      if (!isObject(call)) continue;
      const last = found.at(-1);
      const target = last?.open ? last : { id: call["id"], name: call["name"], args: call["args"], open: false };
      if (target !== last) found.push(target);
      for (const piece of objectsIn(call["partialArgs"])) target.args = withPiece(target.args, piece);
      target.open = call["willContinue"] === true;
    }
  }
  return found.map(({ id, name, args, open }, index) => ({
    id: text(id) || `${madeUp}${index}`,
    name: text(name),
    ...(open ? incomplete(args, cut ?? cutStream) : readArguments(args, cut)),
  }));
}

/** A prompt that was blocked, a call that the model wrote wrongly, or a candidate that ended without any content. */
function readFailure(reply: unknown): string | undefined {
  const sent = sentError(reply);
  if (sent !== undefined) return sent;
  const chunks: readonly unknown[] = Array.isArray(reply) ? reply : [reply];
  const blocked = chunks.map((chunk) => at(chunk, "promptFeedback")).find((feedback) => text(at(feedback, "blockReason")) !== "");
  if (blocked !== undefined)
    return `the prompt was blocked (blockReason "${at(blocked, "blockReason") as string}"${saying(at(blocked, "blockReasonMessage"))}). Change the prompt.`;
  const candidates = chunks.map((chunk) => at(chunk, "candidates", 0));
  const last = candidates.findLast((candidate) => text(at(candidate, "finishReason")) !== "");
  const reason = text(at(last, "finishReason"));
  const isEmpty = candidates.every((candidate) => objectsIn(at(candidate, "content", "parts")).length === 0);
  const isFailed =
    /^(?:MALFORMED_|UNEXPECTED_TOOL|TOO_MANY_TOOL)/.test(reason) || (isEmpty && !["", "STOP", "MAX_TOKENS"].includes(reason));
  return isFailed ? `it stopped (finishReason "${reason}"${saying(at(last, "finishMessage"))}). Ask the model again.` : undefined;
}

function saying(message: unknown): string {
  return text(message) === "" ? "" : `: ${JSON.stringify(short(text(message)))}`;
}

/** { jsonPath: "$.place.city", stringValue: "Ber" } adds to the text at that place. */
function withPiece(args: unknown, piece: Record<string, unknown>): unknown {
  const path = text(piece["jsonPath"]).match(/[^.$[\]'"]+/g) ?? [];
  const value = piece["stringValue"] ?? piece["numberValue"] ?? piece["boolValue"] ?? null;
  return place(args, path.slice(0, 64), value);
}

function place(into: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return typeof into === "string" && typeof value === "string" ? into + value : value;
  if (Array.isArray(into) || (into === undefined && /^\d{1,4}$/.test(key))) {
    const list = Array.isArray(into) ? [...into] : [];
    list[Number(key)] = place(list[Number(key)], rest, value);
    return list;
  }
  const object = isObject(into) ? into : {};
  return { ...object, ...Object.fromEntries([[key, place(Object.hasOwn(object, key) ? object[key] : undefined, rest, value)]]) };
}

function hasProperties(schema: JsonSchema): boolean {
  return isObject(schema["properties"]) && Object.keys(schema["properties"]).length > 0;
}

function choiceOf(choice: ToolChoice): GeminiChoice {
  if (choice === "required") return { mode: "ANY" };
  if (typeof choice === "string") return { mode: choice.toUpperCase() };
  if ("tool" in choice) return { mode: "ANY", allowedFunctionNames: [choice.tool] };
  return { mode: choice.mode === "auto" ? "VALIDATED" : "ANY", allowedFunctionNames: [...choice.tools] };
}
