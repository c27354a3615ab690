import { at, createFragments, either, objectsIn, text } from "../format/parts.ts";
import { chatFormat, readChatCalls } from "../format/chat.ts";
import type { Provider, WireCall } from "../provider.ts";

/** Cohere v2. Shapes as in the typings of cohere-ai: ToolCallV2, the stream events "tool-call-start" and "tool-call-delta", ToolChatMessageV2. */
export const cohereProvider: Provider = chatFormat("cohere", "cohere", {
  sdkIsCamelCase: true,
  readCalls: (reply) =>
    Array.isArray(reply) && reply.some((event) => text(at(event, "type")).startsWith("tool-call"))
      ? readEvents(reply)
      : readChatCalls(reply),
  writeChoice: ({ choice }) => {
    if (choice === "auto") return {};
    return { tool_choice: choice === "none" ? "NONE" : "REQUIRED" };
  },
});

function readEvents(events: readonly unknown[]): readonly WireCall[] {
  const fragments = createFragments();
  for (const event of events) {
    const [call] = objectsIn(either(at(event, "delta", "message"), "tool_calls", "toolCalls"));
    if (call === undefined) continue;
    fragments.add(at(event, "index"), {
      id: call["id"],
      name: at(call, "function", "name"),
      arguments: at(call, "function", "arguments"),
    });
  }
  return fragments.calls();
}
