import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { fromBase64 } from "#bytes";
import type { ToolResult } from "../../tool/result.ts";
import { defineProvider } from "../define-provider.ts";
import { cutBy, cutStream, describeError, sentError } from "../format/failure.ts";
import { at, createFragments, incomplete, isListWith, objectsIn, readArguments, splitImages, text } from "../format/parts.ts";
import type { Provider, ToolChoice, WireCall } from "../provider.ts";
import type { BedrockContent, BedrockImage, BedrockShapes } from "../shapes/bedrock.ts";
import type { Json } from "../shapes/shapes.ts";
import { claudeRules, claudeSchema } from "./_schemas.ts";

/**
 * Bedrock Converse. Shapes as in the typings of @aws-sdk/client-bedrock-runtime: ToolSpecification, ToolUseBlock, ConverseStreamOutput,
 * ToolResultBlock. `ToolInputSchema.json` must be an object schema; beyond that the model decides, and Claude is the strictest.
 */
export const bedrock: Provider<"bedrock", BedrockShapes> = defineProvider({
  name: "bedrock",
  wire: {
    // A description may not be empty here.
    declare: (tool) => ({
      toolSpec: {
        name: tool.name,
        description: tool.description || tool.name,
        inputSchema: { json: tool.schema as Json },
        ...(tool.strict && { strict: true }),
      },
    }),
    readCalls(reply) {
      if (Array.isArray(reply)) return readEvents(reply);
      const message = at(reply, "output", "message") ?? at(reply, "message") ?? reply;
      const blocks = objectsIn(at(message, "content")).map((block) => block["toolUse"]);
      const cut = cutBy("stopReason", at(reply, "stopReason"));
      return blocks.filter(isOurs).map((call, index) => ({
        id: text(call["toolUseId"]) || `call_${index}`,
        name: text(call["name"]),
        // The last block of a message that was cut off holds the part of its input that arrived.
        ...(cut !== undefined && call === blocks.at(-1) ? incomplete(call["input"], cut) : readArguments(call["input"])),
      }));
    },
    readFailure,
    isReply: (reply) =>
      isMessage(at(reply, "output", "message") ?? at(reply, "message") ?? reply) ||
      typeof at(reply, "stopReason") === "string" ||
      isListWith(reply, isEvent),
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
  },
  limits: { name: /^[a-zA-Z0-9_-]{1,64}$/, nameLength: 64 },
  schema: claudeSchema,
  rules: claudeRules,
});

/** Blocks have no type here: what a block is, is the name of its only field. */
function isMessage(message: unknown): boolean {
  const content = at(message, "content");
  return Array.isArray(content) && content.every((block) => isObject(block) && !Object.hasOwn(block, "type"));
}

function isEvent(event: unknown): boolean {
  return ["messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata"].some((name) =>
    isObject(at(event, name)),
  );
}

/** A tool that Bedrock runs itself comes as a call too, of the type "server_tool_use", and wants no answer. */
function isOurs(call: unknown): call is JsonObject {
  return isObject(call) && call["type"] !== "server_tool_use";
}

function readEvents(events: readonly unknown[]): readonly WireCall[] {
  const fragments = createFragments();
  const open = new Set<unknown>();
  let last: unknown;
  let stop: unknown;
  for (const event of events) {
    last = at(event, "contentBlockStart", "contentBlockIndex") ?? last;
    stop = at(event, "messageStop", "stopReason") ?? stop;
    const start = at(event, "contentBlockStart", "start", "toolUse");
    const index = at(event, "contentBlockStart", "contentBlockIndex") ?? at(event, "contentBlockDelta", "contentBlockIndex");
    const input = at(event, "contentBlockDelta", "delta", "toolUse", "input");
    if (isOurs(start)) {
      open.add(index);
      fragments.add(index, { id: start["toolUseId"], name: start["name"] });
    } else if (input !== undefined && open.has(index)) fragments.add(index, { arguments: input });
  }
  const cut = cutBy("stopReason", stop);
  // A block that was cut off is stopped, too: it is the last one.
  for (const index of events.map((event) => at(event, "contentBlockStop", "contentBlockIndex")))
    if (cut === undefined || index !== last) fragments.end(index);
  return fragments.calls(cut ?? cutStream);
}

/** An exception in a stream is an event of its own name; a call that the model wrote wrongly is the reason of a stop. */
function readFailure(reply: unknown): string | undefined {
  const sent = sentError(reply);
  if (sent !== undefined) return sent;
  for (const event of Array.isArray(reply) ? reply : [reply]) {
    const name = Object.keys(isObject(event) ? event : {}).find((key) => key.endsWith("Exception"));
    if (name !== undefined && isObject(at(event, name))) return describeError({ message: at(event, name, "message"), code: name });
    const stop = text(at(event, "stopReason") ?? at(event, "messageStop", "stopReason"));
    if (stop.startsWith("malformed_")) return `the model wrote a reply that cannot be read (stopReason "${stop}"). Ask it again.`;
  }
  return undefined;
}

function contentOf(result: ToolResult): BedrockContent[] {
  if (!result.ok) return [{ text: result.error }];
  const { text: said, images } = splitImages(result);
  const shown = images.map((image): BedrockContent => ({
    image: {
      format: image.mimeType.replace("image/", "") as BedrockImage["format"],
      source: { bytes: new Uint8Array(fromBase64(image.data)) },
    },
  }));
  if (isObject(result.data) && images.length === 0) return [{ json: result.data as Json }];
  // A blank text has the whole request refused.
  if (said.trim() !== "") return [{ text: said }, ...shown];
  return shown.length > 0 ? shown : [{ text: "(no output)" }];
}

/** Goes into `toolConfig`, beside the tools. "none" cannot be said: leave the tools out of the request. */
function choiceOf(choice: ToolChoice): BedrockShapes["choice"] {
  if (choice === "none") return {};
  if (choice === "auto") return { toolChoice: { auto: {} } };
  if (typeof choice === "object" && "tool" in choice) return { toolChoice: { tool: { name: choice.tool } } };
  return { toolChoice: choice !== "required" && choice.mode === "auto" ? { auto: {} } : { any: {} } };
}
