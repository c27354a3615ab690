import { isObject } from "@toolrack/json-schema/internal";
import { textOfBlocks, type ToolResult } from "../../tool/result.ts";
import { dropArguments, keepKeywords } from "../adapt/keywords.ts";
import { keepFormats, portablePatterns } from "../adapt/passes/formats.ts";
import { plainNodePasses } from "../adapt/presets.ts";
import { defineProvider } from "../define-provider.ts";
import { cutBy, cutStream, sentError } from "../format/failure.ts";
import {
  asImage,
  at,
  blocksOf,
  chatCallsIn,
  createFragments,
  incomplete,
  isListWith,
  objectsIn,
  plainText,
  readArguments,
  text,
} from "../format/parts.ts";
import type { Provider, ProviderSchema, StrictMode, ToolChoice, WireCall } from "../provider.ts";
import {
  formatsAmong,
  keysMatch,
  nodesAreTyped,
  objectsAreClosed,
  onlyKeywords,
  patternsAreRegular,
  requiredIsDeclared,
  rootIsObject,
  rootWithout,
} from "../rules/common.ts";
import type { NodeRule, VendorRule, WholeRule } from "../rules/rule.ts";
import { strictCosts } from "../rules/strict-costs.ts";
import type { AnthropicBlock, AnthropicCaller, AnthropicChoice, AnthropicResult, AnthropicShapes } from "../shapes/anthropic.ts";
import type { ObjectRootSchema } from "../shapes/shapes.ts";
import { claudeKey, claudeRules, claudeSchema, commonKeywords, strictFormats } from "./_schemas.ts";

/** Guide "Structured outputs", section on the complexity of schemas: all three count over the strict tools of one request. */
const strictLimits = { tools: 20, optional: 24, unions: 16 } as const;

const strictSchema: ProviderSchema = {
  passes: [
    ...plainNodePasses,
    keepKeywords([...commonKeywords, "default", "pattern", "format", "minItems"]),
    dropArguments("minItems", (count) => (count as number) > 1),
    keepFormats([...strictFormats, "uri"]),
    portablePatterns,
  ],
  shape: {
    legalKey: claudeKey,
    closed: true,
    maps: "carry",
    anything: "text",
    nullIsAbsent: true,
    references: "open",
    maxOptional: strictLimits.optional,
    maxUnions: strictLimits.unions,
  },
};

const plainArguments: NodeRule = {
  node(node, report) {
    const { minItems, enum: values } = node;
    if (typeof minItems === "number" && minItems > 1) report("minItems", "minItems may only be 0 or 1");
    const holdsObject = Array.isArray(values) && values.some((value) => typeof value === "object" && value !== null);
    if (holdsObject) report("enum", "listed values must be texts, numbers, true, false or null");
  },
};

const withinBudget: WholeRule = {
  whole(schema, report) {
    const { optional, unions } = strictCosts(schema);
    if (optional > strictLimits.optional)
      report("", "required", `at most ${strictLimits.optional} optional properties, and there are ${optional}`);
    if (unions > strictLimits.unions) report("", "anyOf", `at most ${strictLimits.unions} unions, and there are ${unions}`);
  },
};

/**
 * Tools with `strict: true`. Source: guide "Structured outputs", section "JSON Schema limitations": no recursion, no bounds on numbers and
 * texts, `minItems` only 0 or 1, lists of values hold no objects.
 */
const strictRules: readonly VendorRule[] = [
  rootIsObject,
  rootWithout("anyOf"),
  keysMatch(/^[a-zA-Z0-9_.-]{1,64}$/),
  objectsAreClosed,
  requiredIsDeclared,
  nodesAreTyped,
  onlyKeywords(
    ..."type title description default enum properties required additionalProperties items anyOf pattern format minItems".split(" "),
  ),
  formatsAmong("date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"),
  patternsAreRegular,
  plainArguments,
  withinBudget,
];

const strict: StrictMode = { schema: strictSchema, rules: strictRules };

/**
 * Anthropic Messages. Shapes as in the typings of @anthropic-ai/sdk: ToolUseBlock, RawMessageStreamEvent, ToolResultBlockParam, ToolChoice.
 * Rules from API errors: "input_schema does not support oneOf, allOf, or anyOf at the top level", "Property keys should match pattern
 * '^[a-zA-Z0-9_.-]{1,64}$'", "input_schema.type: Field required".
 */
export const anthropic: Provider<"anthropic", AnthropicShapes> = defineProvider({
  name: "anthropic",
  wire: {
    declare: (tool) => ({
      name: tool.name,
      description: tool.description,
      input_schema: tool.schema as ObjectRootSchema,
      ...(tool.strict && { strict: true }),
      ...(tool.examples && { input_examples: tool.examples.filter(isObject) }),
      ...(tool.deferred && { defer_loading: true }),
      ...(tool.allowedCallers && { allowed_callers: tool.allowedCallers as AnthropicCaller[] }),
    }),
    readCalls(reply) {
      if (Array.isArray(reply)) return readEvents(reply);
      const blocks = objectsIn(at(reply, "content"));
      const cut = cutBy("stop_reason", at(reply, "stop_reason"));
      return blocks
        .filter((block) => block["type"] === "tool_use")
        .map((block, index) => ({
          id: text(block["id"]) || `call_${index}`,
          name: text(block["name"]),
          // The last block of a message that was cut off holds the part of its input that arrived.
          ...(cut !== undefined && block === blocks.at(-1) ? incomplete(block["input"], cut) : readArguments(block["input"])),
        }));
    },
    readFailure: sentError,
    isReply: (reply) => isMessage(reply) || isListWith(reply, isEvent),
    writeResults: (answers) =>
      answers.length === 0
        ? []
        : [
            {
              role: "user",
              content: answers.map(({ call, result }) => ({ type: "tool_result", tool_use_id: call.id, ...contentOf(result) })),
            },
          ],
    writeChoice({ choice, parallel }) {
      const type = choiceType(choice);
      return { tool_choice: type.type === "none" || parallel === undefined ? type : { ...type, disable_parallel_tool_use: !parallel } };
    },
    toolSearch: {
      tool: Object.freeze({ type: "tool_search_tool_bm25_20251119", name: "tool_search_tool_bm25" }),
      writeFound: ({ names, callId }) => ({
        type: "tool_result",
        tool_use_id: callId,
        content: names.map((name) => ({ type: "tool_reference", tool_name: name })),
      }),
    },
  },
  limits: { name: /^[a-zA-Z0-9_-]{1,64}$/, nameLength: 64, strict: strictLimits },
  schema: claudeSchema,
  rules: claudeRules,
  strict,
  aliases: true,
});

/** Anthropic with strict tools, unless an option says otherwise. */
export const anthropicStrict: Provider<"anthropic-strict", AnthropicShapes> = defineProvider({
  ...anthropic,
  name: "anthropic-strict",
  vendor: "anthropic",
  strict: { ...strict, byDefault: true },
});

/** A text as content is a message, too, as a conversation keeps it. Blocks have a type here. */
function isMessage(reply: unknown): boolean {
  const content = at(reply, "content");
  if (typeof content === "string") return at(reply, "role") !== undefined;
  return Array.isArray(content) && content.every((block) => typeof at(block, "type") === "string") && chatCallsIn(reply).length === 0;
}

function isEvent(event: unknown): boolean {
  return /^(?:(?:message|content_block)_(?:start|delta|stop)|ping)$/.test(text(at(event, "type")));
}

/** Events in order: a block starts with id and name, its arguments follow as pieces of JSON. */
function readEvents(events: readonly unknown[]): readonly WireCall[] {
  const fragments = createFragments();
  const open = new Set<unknown>();
  let last: unknown;
  let stop: unknown;
  for (const event of events) {
    const index = at(event, "index");
    stop = at(event, "delta", "stop_reason") ?? stop;
    if (at(event, "type") === "content_block_start") last = index;
    if (at(event, "type") === "content_block_start" && at(event, "content_block", "type") === "tool_use") {
      open.add(index);
      const started = at(event, "content_block", "input");
      const hasInput = isObject(started) && Object.keys(started).length > 0;
      fragments.add(index, {
        id: at(event, "content_block", "id"),
        name: at(event, "content_block", "name"),
        ...(hasInput && { arguments: started }),
      });
    } else if (at(event, "delta", "type") === "input_json_delta" && open.has(index)) {
      fragments.add(index, { arguments: at(event, "delta", "partial_json") });
    }
  }
  const cut = typeof stop === "string" ? cutBy("stop_reason", stop) : undefined;
  // A block that was cut off is stopped, too: it is the last one.
  for (const index of stoppedBlocks(events)) if (cut === undefined || index !== last) fragments.end(index);
  return fragments.calls(cut ?? cutStream);
}

function stoppedBlocks(events: readonly unknown[]): readonly unknown[] {
  return events.filter((event) => at(event, "type") === "content_block_stop").map((event) => at(event, "index"));
}

function contentOf(result: ToolResult): Pick<AnthropicResult, "content" | "is_error"> {
  if (!result.ok) return { content: result.error, is_error: true };
  const blocks = blocksOf(result);
  if (!blocks?.some(asImage)) return { content: plainText(result) };
  return {
    content: blocks.map((block): AnthropicBlock => {
      const image = asImage(block);
      return image === undefined
        ? { type: "text", text: textOfBlocks([block]) }
        : { type: "image", source: { type: "base64", media_type: image.mimeType, data: image.data } };
    }),
  };
}

function choiceType(choice: ToolChoice): AnthropicChoice {
  if (choice === "required") return { type: "any" };
  if (typeof choice === "string") return { type: choice };
  if ("tool" in choice) return { type: "tool", name: choice.tool };
  return { type: choice.mode === "auto" ? "auto" : "any" };
}
