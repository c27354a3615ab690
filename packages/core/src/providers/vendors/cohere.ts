import { looseSchema } from "../adapt/presets.ts";
import { defineProvider } from "../define-provider.ts";
import { chatLimits, chatWire } from "../format/chat.ts";
import { hasChoices, isChatReply, isOfOllama, readChatCalls } from "../format/chat-replies.ts";
import { cutBy, cutStream } from "../format/failure.ts";
import { at, createFragments, either, isListWith, objectsIn, text } from "../format/parts.ts";
import type { Provider, WireCall } from "../provider.ts";
import { chatRules } from "../rules/common.ts";
import type { CohereShapes } from "../shapes/cohere.ts";

/**
 * Cohere v2. Shapes as in the typings of cohere-ai: ToolCallV2, the stream events "tool-call-start" and "tool-call-delta", ToolChatMessageV2.
 * Guide "Tool use": any JSON Schema for an object; the root follows the common rules of the Chat format.
 */
export const cohere: Provider<"cohere", CohereShapes> = defineProvider<"cohere", CohereShapes>({
  name: "cohere",
  wire: {
    ...chatWire(),
    sdkIsCamelCase: true,
    readCalls: (reply) => {
      if (isOfOther(reply)) return [];
      return isListWith(reply, isEvent) ? readEvents(reply as readonly unknown[]) : readChatCalls(reply);
    },
    isReply: (reply) => !isOfOther(reply) && (isChatReply(reply) || isListWith(reply, isEvent)),
    writeChoice: ({ choice }) => {
      if (choice === "auto") return {};
      return { tool_choice: choice === "none" ? "NONE" : "REQUIRED" };
    },
  },
  limits: chatLimits,
  schema: looseSchema,
  rules: chatRules,
});

function isOfOther(reply: unknown): boolean {
  return hasChoices(reply) || isOfOllama(reply);
}

function isEvent(event: unknown): boolean {
  return /^(?:(?:message|content|citation)-(?:start|delta|end)|tool-(?:plan|call)-\w+|debug)$/.test(text(at(event, "type")));
}

function readEvents(events: readonly unknown[]): readonly WireCall[] {
  const fragments = createFragments();
  let cut: string | undefined = cutStream;
  for (const event of events) {
    const type = at(event, "type");
    if (type === "tool-call-end") fragments.end(at(event, "index"));
    if (type === "message-end") cut = cutBy("finish_reason", either(at(event, "delta"), "finish_reason", "finishReason"));
    const [call] = objectsIn(either(at(event, "delta", "message"), "tool_calls", "toolCalls"));
    if (call === undefined) continue;
    fragments.add(at(event, "index"), {
      id: call["id"],
      name: at(call, "function", "name"),
      arguments: at(call, "function", "arguments"),
    });
  }
  return fragments.calls(cut);
}
