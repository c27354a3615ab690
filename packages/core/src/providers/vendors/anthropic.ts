import { isObject } from "@toolrack/json-schema/internal";
import { textOfBlocks, type ToolResult } from "../../tool/result.ts";
import { asImage, at, createFragments, objectsIn, plainText, readArguments, text } from "../format/parts.ts";
import type { Provider, ToolChoice } from "../provider.ts";
import { anthropicStrictLimits } from "../rules/strict-limits.ts";

/** Anthropic Messages. Shapes as in the typings of @anthropic-ai/sdk: ToolUseBlock, RawMessageStreamEvent, ToolResultBlockParam, ToolChoice. */
export const anthropicProvider: Provider = {
  name: "anthropic",
  schemaTarget: "anthropic",
  limits: { name: /^[a-zA-Z0-9_-]{1,64}$/, nameLength: 64, strict: anthropicStrictLimits },

  declare: (tool) => ({
    name: tool.name,
    description: tool.description,
    input_schema: tool.schema,
    ...(tool.strict && { strict: true }),
    ...(tool.examples && { input_examples: tool.examples }),
    ...(tool.deferred && { defer_loading: true }),
    ...(tool.allowedCallers && { allowed_callers: tool.allowedCallers }),
  }),

  readCalls(reply) {
    if (Array.isArray(reply)) return readEvents(reply);
    return objectsIn(at(reply, "content"))
      .filter((block) => block["type"] === "tool_use")
      .map((block, index) => ({ id: text(block["id"]) || `call_${index}`, name: text(block["name"]), ...readArguments(block["input"]) }));
  },

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
    return { tool_choice: { ...type, ...(parallel !== undefined && type.type !== "none" && { disable_parallel_tool_use: !parallel }) } };
  },
};

/** Events in order: a block starts with id and name, its arguments follow as pieces of JSON. */
function readEvents(events: readonly unknown[]): ReturnType<Provider["readCalls"]> {
  const fragments = createFragments();
  const open = new Set<unknown>();
  for (const event of events) {
    const index = at(event, "index");
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
  return fragments.calls();
}

function contentOf(result: ToolResult): object {
  if (!result.ok) return { content: result.error, is_error: true };
  if (!result.blocks?.some(asImage)) return { content: plainText(result) };
  return {
    content: result.blocks.map((block) => {
      const image = asImage(block);
      return image === undefined
        ? { type: "text", text: textOfBlocks([block]) }
        : { type: "image", source: { type: "base64", media_type: image.mimeType, data: image.data } };
    }),
  };
}

function choiceType(choice: ToolChoice): { type: string; name?: string } {
  if (choice === "required") return { type: "any" };
  if (typeof choice === "string") return { type: choice };
  if ("tool" in choice) return { type: "tool", name: choice.tool };
  return { type: choice.mode === "auto" ? "auto" : "any" };
}
