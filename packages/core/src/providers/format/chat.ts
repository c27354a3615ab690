import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { at, createFragments, dataUrl, either, hasChatCalls, isListWith, objectsIn, readArguments, splitImages, text } from "./parts.ts";
import type { AnsweredCall, ProviderLimits, ProviderWire, ToolChoice, WireCall, WireTool } from "../provider.ts";
import type { ChatChoice, ChatImageMessage, ChatNamedChoice, ChatShapes, ChatTool, ChatToolMessage } from "../shapes/chat.ts";

/**
 * The format of OpenAI's Chat Completions, which most vendors took over; `changes` replaces parts of it. Shapes as in the typings of openai:
 * ChatCompletionTool, ChatCompletionChunk.
 */
export function chatWire(): ProviderWire<ChatShapes>;
export function chatWire(changes?: Partial<ProviderWire>): ProviderWire;
export function chatWire(changes?: Partial<ProviderWire>): ProviderWire {
  const wire: ProviderWire<ChatShapes> = {
    declare: declareChatTool,
    readCalls: readChatCalls,
    isReply: isChatReply,
    writeResults: writeToolMessages,
    writeChoice: ({ choice, parallel }) => ({
      tool_choice: chatChoice(choice),
      ...(parallel !== undefined && { parallel_tool_calls: parallel }),
    }),
  };
  return { ...wire, ...changes };
}

function declareChatTool({ name, description, schema, strict }: WireTool): ChatTool {
  return { type: "function", function: { name, description, parameters: schema, ...(strict && { strict: true }) } };
}

/** The names that Chat Completions takes. */
export const chatLimits: ProviderLimits = { name: /^[a-zA-Z0-9_-]{1,64}$/, nameLength: 64 };

/** The calls of a whole completion, of its message alone, or of the chunks of a stream. */
export function readChatCalls(reply: unknown): readonly WireCall[] {
  if (Array.isArray(reply)) return readChunks(reply);
  const message = at(reply, "choices", 0, "message") ?? at(reply, "message") ?? reply;
  return objectsIn(either(message, "tool_calls", "toolCalls")).map((call, index) => ({
    id: idOf(call) || `call_${index}`,
    name: text(at(call, "function", "name")),
    ...readArguments(at(call, "function", "arguments")),
  }));
}

/** Whether a value is a completion, its message alone, or chunks of a stream. */
export function isChatReply(reply: unknown): boolean {
  const choices = at(reply, "choices");
  if (Array.isArray(choices)) return choices.every((choice) => isObject(at(choice, "message")));
  return isChatMessage(at(reply, "message") ?? reply) || isListWith(reply, isChunk);
}

/** A message of Anthropic says that it is one; its blocks are of other types, and those of Bedrock have none. */
function isChatMessage(message: unknown): boolean {
  if (hasChatCalls(message)) return true;
  const content = at(message, "content");
  const areParts = Array.isArray(content) && content.every((part) => !["", "tool_use", "tool_result"].includes(text(at(part, "type"))));
  const isContent = areParts || content === undefined || content === null || typeof content === "string";
  return typeof at(message, "role") === "string" && at(message, "type") !== "message" && at(message, "parts") === undefined && isContent;
}

function isChunk(chunk: unknown): boolean {
  if (Array.isArray(at(chunk, "choices")) || Array.isArray(at(chunk, "data", "choices"))) return true;
  return isChatMessage(at(chunk, "message") ?? chunk);
}

/** The SDK of Mistral writes "null" where an id is missing. */
function idOf(call: JsonObject): string {
  return call["id"] === "null" ? "" : text(call["id"]);
}

/**
 * A piece belongs to the call at its index, unless it brings a name and another id: some send every call at index 0. A piece without
 * an index belongs to the call whose id it repeats, or begins a new one.
 */
function readChunks(chunks: readonly unknown[]): readonly WireCall[] {
  const fragments = createFragments();
  const begun = new Map<unknown, string>();
  let count = 0;
  for (const chunk of chunks) {
    const choice = at(chunk, "choices", 0) ?? at(chunk, "data", "choices", 0) ?? chunk;
    const message = at(choice, "delta") ?? at(choice, "message") ?? choice;
    for (const call of objectsIn(either(message, "tool_calls", "toolCalls"))) {
      const { index } = call;
      const id = idOf(call);
      const name = text(at(call, "function", "name"));
      if (id !== "" && name !== "") begun.set(index, id);
      const key = typeof index === "number" ? `${index} ${begun.get(index) ?? ""}` : id === "" ? `new ${count++}` : id;
      fragments.add(key, { id, name, arguments: at(call, "function", "arguments") });
    }
  }
  return fragments.calls();
}

/** One message per call. A tool message holds only text, so images follow in a message of the user. */
function writeToolMessages(answers: readonly AnsweredCall[]): (ChatToolMessage | ChatImageMessage)[] {
  const shown = answers.flatMap((answer) => splitImages(answer.result).images.map((image) => ({ answer, image })));
  const messages = answers.map(({ call, result }): ChatToolMessage => ({
    role: "tool",
    tool_call_id: call.id,
    content: splitImages(result).text,
  }));
  if (shown.length === 0) return messages;
  const content = shown.flatMap(({ answer, image }): ChatImageMessage["content"] => [
    { type: "text", text: `Image from the call ${answer.call.id}:` },
    { type: "image_url", image_url: { url: dataUrl(image) } },
  ]);
  return [...messages, { role: "user", content }];
}

/** A word as it is, one tool as Chat Completions name it. */
export function namedChoice<Word extends string>(choice: Word | { readonly tool: string }): Word | ChatNamedChoice {
  return typeof choice === "string" ? choice : { type: "function", function: { name: choice.tool } };
}

function chatChoice(choice: ToolChoice): ChatChoice {
  if (typeof choice === "string" || "tool" in choice) return namedChoice(choice);
  const tools = choice.tools.map((name) => ({ type: "function", function: { name } }));
  return { type: "allowed_tools", allowed_tools: { mode: choice.mode ?? "required", tools } };
}
