import { isObject, rewriteSchema } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import type { ToolResult } from "../../tool/result.ts";
import { keepKeywords } from "../adapt/keywords.ts";
import { limitEnums } from "../adapt/passes/enums.ts";
import { keepFormats, portablePatterns } from "../adapt/passes/formats.ts";
import { looseSchema, plainNodePasses } from "../adapt/presets.ts";
import { defineProvider } from "../define-provider.ts";
import { chatLimits, chatWire } from "../format/chat.ts";
import { cutBy, cutStream, describeError, sentError, short } from "../format/failure.ts";
import { at, createFragments, dataUrl, incomplete, isListWith, objectsIn, readArguments, splitImages, text } from "../format/parts.ts";
import type { Provider, ProviderSchema, StrictMode, ToolChoice, WireCall } from "../provider.ts";
import {
  arraysHaveItems,
  chatRules,
  formatsAmong,
  localReferences,
  nodesAreTyped,
  objectsAreClosed,
  onlyKeywords,
  patternsAreRegular,
  propertiesIn,
  requiredIn,
  requiredIsDeclared,
  rootHasProperties,
  rootIsObject,
  rootWithout,
  typesIn,
} from "../rules/common.ts";
import type { NodeRule, VendorRule, WholeRule } from "../rules/rule.ts";
import type { ChatShapes } from "../shapes/chat.ts";
import type { ResponsesCaller, ResponsesChoice, ResponsesOutput, ResponsesShapes } from "../shapes/responses.ts";
import { commonKeywords, strictFormats } from "./_schemas.ts";

/** Guide "Structured outputs", sections "Supported schemas" and "Limitations". */
const strictLimits = {
  properties: 5_000,
  levels: 10,
  enumValues: 1_000,
  textLength: 120_000,
  longEnum: 250,
  longEnumText: 15_000,
} as const;

const strictSchema: ProviderSchema = {
  passes: [
    ...plainNodePasses,
    keepKeywords([
      ...commonKeywords,
      ..."pattern format multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems".split(" "),
    ]),
    keepFormats(strictFormats),
    portablePatterns,
    limitEnums({
      total: strictLimits.enumValues - 200, // the shape step adds a value here and there
      text: strictLimits.textLength / 2, // and names count as well
      longFrom: strictLimits.longEnum,
      longText: strictLimits.longEnumText,
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
};

const allRequired: NodeRule = {
  node(node, report) {
    const required = requiredIn(node);
    const missing = Object.keys(propertiesIn(node)).filter((key) => !required.includes(key));
    if (missing.length > 0) report("required", `every property must be required, and ${missing.join(", ")} is not`);
  },
};

const shortEnums: NodeRule = {
  node(node, report) {
    const values = Array.isArray(node["enum"]) ? node["enum"] : [];
    const isLong = values.length > strictLimits.longEnum && textLength(values) > strictLimits.longEnumText;
    if (isLong) report("enum", `a list of more than ${strictLimits.longEnum} values may hold ${strictLimits.longEnumText} characters`);
  },
};

const withinLimits: WholeRule = {
  whole(schema, report) {
    let [properties, values, text] = [0, 0, 0];
    rewriteSchema(schema, (node) => {
      const names = Object.keys(propertiesIn(node));
      const list = Array.isArray(node["enum"]) ? node["enum"] : [];
      properties += names.length;
      values += list.length;
      text += textLength(list) + textLength(names);
      return node;
    });
    const definitions = isObject(schema["$defs"]) ? schema["$defs"] : {};
    text += textLength(Object.keys(definitions));
    if (properties > strictLimits.properties) report("", "properties", `at most ${strictLimits.properties} properties in all`);
    if (values > strictLimits.enumValues) report("", "enum", `at most ${strictLimits.enumValues} listed values in all`);
    if (text > strictLimits.textLength)
      report("", "properties", `at most ${strictLimits.textLength} characters of names and values in all`);
    const levels = Math.max(...[schema, ...Object.values(definitions)].map((root) => levelsOf(root as JsonSchema)));
    if (levels > strictLimits.levels) report("", "properties", `at most ${strictLimits.levels} levels of nesting`);
  },
};

/**
 * Function tools with `strict: true`. Sources: guide "Structured outputs"; API error "'uri' is not a valid format"; the keyword list is that
 * of the guide, with lengths of texts left out because not every model takes them.
 */
const strictRules: readonly VendorRule[] = [
  rootIsObject,
  rootHasProperties,
  rootWithout("anyOf", "$ref"),
  objectsAreClosed,
  allRequired,
  requiredIsDeclared,
  nodesAreTyped,
  arraysHaveItems,
  localReferences,
  onlyKeywords(
    ..."type title description enum properties required additionalProperties items anyOf $ref $defs".split(" "),
    ..."pattern format multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems".split(" "),
  ),
  formatsAmong("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"),
  patternsAreRegular,
  shortEnums,
  withinLimits,
];

const strict: StrictMode = { schema: strictSchema, rules: strictRules };

/**
 * OpenAI Responses. Shapes as in the typings of openai: FunctionTool, ResponseFunctionToolCall, ResponseStreamEvent,
 * ResponseInputItem.FunctionCallOutput. Rules without strict: guide "Function calling"; API errors "schema must have type 'object' and not
 * have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level", "object schema missing properties", "array schema missing items".
 */
export const openAi: Provider<"openai", ResponsesShapes> = defineProvider({
  name: "openai",
  wire: {
    declare: (tool) => ({
      type: "function",
      name: tool.name,
      description: tool.description,
      parameters: tool.schema,
      // Said even when false: an absent flag means "try strict" here.
      strict: tool.strict,
      ...(tool.deferred && { defer_loading: true }),
      ...(tool.allowedCallers && { allowed_callers: tool.allowedCallers as ResponsesCaller[] }),
      ...(tool.outputSchema && { output_schema: tool.outputSchema }),
    }),
    readCalls(reply) {
      if (Array.isArray(reply)) return readEvents(reply);
      return readItems(at(reply, "output"), cutOf(reply));
    },
    readFailure,
    isReply: (reply) => Array.isArray(at(reply, "output")) || isListWith(reply, isItem),
    writeResults: (answers) =>
      answers.map(({ call, result }) => ({ type: "function_call_output", call_id: call.id, output: outputOf(result) })),
    writeChoice: ({ choice, parallel }) => ({
      tool_choice: choiceOf(choice),
      ...(parallel !== undefined && { parallel_tool_calls: parallel }),
    }),
    toolSearch: {
      tool: Object.freeze({ type: "tool_search" }),
      writeFound: ({ declarations, callId }) => ({
        type: "tool_search_output",
        call_id: callId,
        execution: "client",
        status: "completed",
        tools: [...declarations],
      }),
    },
  },
  limits: { ...chatLimits, tools: 128 },
  schema: looseSchema,
  rules: chatRules,
  strict,
});

export const openAiResponses: Provider<"openai-responses", ResponsesShapes> = defineProvider({
  ...openAi,
  name: "openai-responses",
  vendor: "openai",
});

/** OpenAI Chat Completions, with the schemas and limits of Responses. */
export const openAiChat: Provider<"openai-chat", ChatShapes> = defineProvider({
  ...openAi,
  name: "openai-chat",
  vendor: "openai",
  wire: chatWire(),
});

/** OpenAI Responses with strict tools, unless an option says otherwise. */
export const openAiStrict: Provider<"openai-strict", ResponsesShapes> = defineProvider({
  ...openAi,
  name: "openai-strict",
  vendor: "openai",
  strict: { ...strict, byDefault: true },
});

/** An event of a stream is named "response.…"; items of an output are a list as well. */
function isItem(item: unknown): boolean {
  return /^(?:response\..*|\w+_(?:call|output)|mcp_\w+|message|reasoning|program|compaction|keepalive)$/.test(text(at(item, "type")));
}

function readItems(items: unknown, cut?: string): readonly WireCall[] {
  return objectsIn(items)
    .filter((item) => item["type"] === "function_call")
    .map((item, index) => ({
      id: text(item["call_id"]) || `call_${index}`,
      name: text(item["name"]),
      ...(isUnfinished(item)
        ? incomplete(item["arguments"], cut ?? cutStream)
        : readArguments(item["arguments"], isDone(item) ? undefined : cut)),
    }));
}

function isDone(item: unknown): boolean {
  return at(item, "status") === "completed";
}

function isUnfinished(item: unknown): boolean {
  return ["incomplete", "in_progress"].includes(text(at(item, "status")));
}

/** Why a response is incomplete, if it is. */
function cutOf(response: unknown): string | undefined {
  if (at(response, "status") !== "incomplete") return undefined;
  return cutBy("incomplete_details.reason", at(response, "incomplete_details", "reason") ?? "max_output_tokens") ?? cutStream;
}

/** A response that failed or is not ready, or an error among the events. */
function readFailure(reply: unknown): string | undefined {
  const ended = Array.isArray(reply)
    ? reply.findLast((event) => /^response\.(?:failed|cancelled)$/.test(text(at(event, "type"))))
    : undefined;
  const response = ended === undefined ? reply : (at(ended, "response") ?? {});
  const error = at(response, "error");
  if (isObject(error)) return describeError(error);
  const sent = sentError(reply);
  if (sent !== undefined) return sent;
  const status = text(at(response, "status") ?? text(at(ended, "type")).slice("response.".length));
  if (["in_progress", "queued"].includes(status)) return `its status is "${status}". Read it when the status is "completed".`;
  return ["failed", "cancelled"].includes(status) ? `its status is "${short(status)}". Send the request again.` : undefined;
}

/** A finished response at the end says everything; without one the pieces are put together. */
function readEvents(events: readonly unknown[]): readonly WireCall[] {
  const finished = events.findLast((event) => ["response.completed", "response.incomplete"].includes(text(at(event, "type"))));
  const response = at(finished, "response");
  if (Array.isArray(at(response, "output"))) return readItems(at(response, "output"), cutOf(response));
  if (events.some((event) => at(event, "type") === "function_call")) return readItems(events);
  const fragments = createFragments();
  for (const event of events) {
    const key = at(event, "output_index") ?? at(event, "item_id");
    const item = at(event, "item");
    switch (at(event, "type")) {
      case "response.output_item.added":
      case "response.output_item.done":
        if (at(item, "type") !== "function_call") break;
        fragments.add(key, { id: at(item, "call_id"), name: at(item, "name") });
        if (at(event, "type") === "response.output_item.added") break;
        fragments.add(key, { arguments: at(item, "arguments"), whole: true });
        if (!isUnfinished(item)) fragments.end(key);
        break;
      case "response.function_call_arguments.delta":
        fragments.add(key, { arguments: at(event, "delta") });
        break;
      case "response.function_call_arguments.done":
        fragments.add(key, { arguments: at(event, "arguments"), whole: true });
        fragments.end(key);
        break;
    }
  }
  return fragments.calls(cutOf(response) ?? cutStream);
}

function outputOf(result: ToolResult): ResponsesOutput["output"] {
  const { text: said, images } = splitImages(result);
  if (images.length === 0) return said;
  return [
    ...(said === "" ? [] : [{ type: "input_text" as const, text: said }]),
    ...images.map((image) => ({ type: "input_image" as const, image_url: dataUrl(image) })),
  ];
}

function choiceOf(choice: ToolChoice): ResponsesChoice {
  if (typeof choice === "string") return choice;
  if ("tool" in choice) return { type: "function", name: choice.tool };
  return { type: "allowed_tools", mode: choice.mode ?? "required", tools: choice.tools.map((name) => ({ type: "function", name })) };
}

/** Lists and objects inside each other. */
function levelsOf(node: JsonSchema): number {
  let deepest = 0;
  for (const inner of Object.values(propertiesIn(node))) deepest = Math.max(deepest, levelsOf(inner as JsonSchema));
  if (isObject(node["items"])) deepest = Math.max(deepest, levelsOf(node["items"]));
  if (Array.isArray(node["anyOf"])) for (const branch of node["anyOf"]) deepest = Math.max(deepest, levelsOf(branch as JsonSchema));
  return deepest + (typesIn(node).some((type) => type === "object" || type === "array") ? 1 : 0);
}

function textLength(values: readonly unknown[]): number {
  let length = 0;
  for (const value of values) length += String(value).length;
  return length;
}
