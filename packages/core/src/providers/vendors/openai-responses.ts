import type { ToolResult } from "../../tool/result.ts";
import { at, createFragments, dataUrl, objectsIn, readArguments, splitImages, text } from "../format/parts.ts";
import type { Provider, ToolChoice } from "../provider.ts";

/** OpenAI Responses. Shapes as in the typings of openai: FunctionTool, ResponseFunctionToolCall, ResponseStreamEvent, ResponseInputItem.FunctionCallOutput. */
export const openAiResponsesProvider: Provider = {
  name: "openai-responses",
  schemaTarget: "openai",
  limits: { name: /^[a-zA-Z0-9_-]{1,64}$/, nameLength: 64, tools: 128 },

  declare: (tool) => ({
    type: "function",
    name: tool.name,
    description: tool.description,
    parameters: tool.schema,
    // Said even when false: an absent flag means "try strict" here.
    strict: tool.strict,
    ...(tool.deferred && { defer_loading: true }),
    ...(tool.allowedCallers && { allowed_callers: tool.allowedCallers }),
    ...(tool.outputSchema && { output_schema: tool.outputSchema }),
  }),

  readCalls(reply) {
    if (Array.isArray(reply)) return readEvents(reply);
    return readItems(at(reply, "output"));
  },

  writeResults: (answers) =>
    answers.map(({ call, result }) => ({ type: "function_call_output", call_id: call.id, output: outputOf(result) })),

  writeChoice: ({ choice, parallel }) => ({
    tool_choice: choiceOf(choice),
    ...(parallel !== undefined && { parallel_tool_calls: parallel }),
  }),
};

function readItems(items: unknown): ReturnType<Provider["readCalls"]> {
  return objectsIn(items)
    .filter((item) => item["type"] === "function_call")
    .map((item, index) => ({
      id: text(item["call_id"]) || `call_${index}`,
      name: text(item["name"]),
      ...readArguments(item["arguments"]),
    }));
}

/** A finished response at the end says everything; without one the pieces are put together. */
function readEvents(events: readonly unknown[]): ReturnType<Provider["readCalls"]> {
  const finished = events.findLast((event) => at(event, "type") === "response.completed");
  if (finished !== undefined) return readItems(at(finished, "response", "output"));
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
        if (at(event, "type") === "response.output_item.done") fragments.add(key, { arguments: at(item, "arguments"), whole: true });
        break;
      case "response.function_call_arguments.delta":
        fragments.add(key, { arguments: at(event, "delta") });
        break;
      case "response.function_call_arguments.done":
        fragments.add(key, { arguments: at(event, "arguments"), whole: true });
        break;
    }
  }
  return fragments.calls();
}

function outputOf(result: ToolResult): unknown {
  const { text: said, images } = splitImages(result);
  if (images.length === 0) return said;
  return [
    ...(said === "" ? [] : [{ type: "input_text", text: said }]),
    ...images.map((image) => ({ type: "input_image", image_url: dataUrl(image) })),
  ];
}

function choiceOf(choice: ToolChoice): unknown {
  if (typeof choice === "string") return choice;
  if ("tool" in choice) return { type: "function", name: choice.tool };
  return { type: "allowed_tools", mode: choice.mode ?? "required", tools: choice.tools.map((name) => ({ type: "function", name })) };
}
