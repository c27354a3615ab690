import { isChatReply, isOfCohere, isOfOllama, readChatCalls, readChatFailure } from "./chat-replies.ts";
import { dataUrl, splitImages } from "./parts.ts";
import type { AnsweredCall, ProviderLimits, ProviderWire, ToolChoice, WireTool } from "../provider.ts";
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
    readCalls: (reply) => (isOfOther(reply) ? [] : readChatCalls(reply)),
    isReply: (reply) => !isOfOther(reply) && isChatReply(reply),
    readFailure: readChatFailure,
    writeResults: writeToolMessages,
    writeChoice: ({ choice, parallel }) => ({
      tool_choice: chatChoice(choice),
      ...(parallel !== undefined && { parallel_tool_calls: parallel }),
    }),
  };
  return { ...wire, ...changes };
}

function isOfOther(reply: unknown): boolean {
  return isOfOllama(reply) || isOfCohere(reply);
}

function declareChatTool({ name, description, schema, strict }: WireTool): ChatTool {
  return { type: "function", function: { name, description, parameters: schema, ...(strict && { strict: true }) } };
}

/** The names that Chat Completions takes. */
export const chatLimits: ProviderLimits = { name: /^[a-zA-Z0-9_-]{1,64}$/, nameLength: 64 };

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
