import { at, createFragments, either, objectsIn } from "./_shared.ts";
import { chatFormat, readChatCalls, writeToolMessages } from "./_chat.ts";
import type { Provider, WireCall } from "./provider.ts";

/** Cohere v2. Shapes as in the typings of cohere-ai: ToolCallV2, the stream events "tool-call-start" and "tool-call-delta", ToolChatMessageV2. */
export const cohereProvider: Provider = chatFormat("cohere", "cohere", {
  readCalls: (reply) =>
    Array.isArray(reply) && reply.some((event) => String(at(event, "type")).startsWith("tool-call"))
      ? readEvents(reply)
      : readChatCalls(reply),
  writeResults: (answers) => writeToolMessages(answers, ({ call }) => ({ tool_call_id: call.id })),
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
    fragments.add(String(at(event, "index")), {
      id: call["id"],
      name: at(call, "function", "name"),
      arguments: at(call, "function", "arguments"),
    });
  }
  return fragments.calls();
}
