import type { ToolResult } from "../tool/result.ts";
import { isObject } from "../util/json.ts";
import { at, createFragments, objectsIn, readArguments, splitImages, text } from "./_shared.ts";
import type { Provider, ToolChoice, WireCall } from "./provider.ts";

/** Bedrock Converse. Shapes as in the typings of @aws-sdk/client-bedrock-runtime: ToolSpecification, ToolUseBlock, ConverseStreamOutput, ToolResultBlock. */
export const bedrockProvider: Provider = {
  name: "bedrock",
  schemaTarget: "bedrock",
  limits: { name: /^[a-zA-Z0-9_-]{1,64}$/, nameLength: 64 },
  // A description may not be empty here.
  declare: (tool) => ({
    toolSpec: {
      name: tool.name,
      description: tool.description || tool.name,
      inputSchema: { json: tool.schema },
      ...(tool.strict && { strict: true }),
    },
  }),
  readCalls(reply) {
    if (Array.isArray(reply)) return readEvents(reply);
    const message = at(reply, "output", "message") ?? at(reply, "message") ?? reply;
    return objectsIn(at(message, "content"))
      .map((block) => block["toolUse"])
      .filter(isObject)
      .map((call, index) => ({
        id: text(call["toolUseId"]) || `call_${index}`,
        name: text(call["name"]),
        ...readArguments(call["input"]),
      }));
  },
  writeResults: (answers) =>
    answers.length === 0
      ? []
      : [
          {
            role: "user",
            content: answers.map(({ call, result }) => ({
              toolResult: { toolUseId: call.id, content: contentOf(result), status: result.ok ? "success" : "error" },
            })),
          },
        ],
  writeChoice: ({ choice }) => choiceOf(choice),
};

function readEvents(events: readonly unknown[]): readonly WireCall[] {
  const fragments = createFragments();
  for (const event of events) {
    const start = at(event, "contentBlockStart", "start", "toolUse");
    const input = at(event, "contentBlockDelta", "delta", "toolUse", "input");
    if (start !== undefined)
      fragments.add(String(at(event, "contentBlockStart", "contentBlockIndex")), { id: at(start, "toolUseId"), name: at(start, "name") });
    else if (input !== undefined) fragments.add(String(at(event, "contentBlockDelta", "contentBlockIndex")), { arguments: input });
  }
  return fragments.calls();
}

function contentOf(result: ToolResult): readonly object[] {
  const { text: said, images } = splitImages(result);
  const shown = images.map((image) => ({
    image: {
      format: image.mimeType.replace("image/", "").replace("jpg", "jpeg"),
      source: { bytes: new Uint8Array(Buffer.from(image.data, "base64")) },
    },
  }));
  if (!result.ok) return [{ text: result.error }];
  const data =
    isObject(result.data) && images.length === 0 ? [{ json: result.data }] : said === "" && shown.length > 0 ? [] : [{ text: said }];
  return [...data, ...shown];
}

/** "none" cannot be said: leave the tools out of the request. */
function choiceOf(choice: ToolChoice): Readonly<Record<string, unknown>> {
  if (choice === "none") return {};
  if (choice === "auto") return { toolChoice: { auto: {} } };
  if (typeof choice === "object" && "tool" in choice) return { toolChoice: { tool: { name: choice.tool } } };
  return { toolChoice: choice !== "required" && choice.mode === "auto" ? { auto: {} } : { any: {} } };
}
