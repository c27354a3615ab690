import { looseSchema } from "../adapt/presets.ts";
import { defineProvider } from "../define-provider.ts";
import { chatWire } from "../format/chat.ts";
import { hasChoices, isChatReply, isOfCohere, readChatCalls } from "../format/chat-replies.ts";
import { splitImages } from "../format/parts.ts";
import type { Provider } from "../provider.ts";
import { localReferences, rootHasProperties, rootIsObject, rootWithout } from "../rules/common.ts";
import type { OllamaMessage, OllamaShapes } from "../shapes/ollama.ts";

/** Ollama. Shapes as in the typings of the package ollama: Tool, ToolCall (arguments are an object, no id), Message with `tool_name` and `images`. */
export const ollama: Provider<"ollama", OllamaShapes> = defineProvider<"ollama", OllamaShapes>({
  name: "ollama",
  wire: {
    ...chatWire(),
    readCalls: (reply) => (isOfOther(reply) ? [] : readChatCalls(reply)),
    isReply: (reply) => !isOfOther(reply) && isChatReply(reply),
    writeResults: (answers) =>
      answers.map(({ call, result }): OllamaMessage => {
        const { text, images } = splitImages(result);
        return {
          role: "tool",
          tool_name: call.wireName,
          content: text,
          ...(images.length > 0 && { images: images.map((image) => image.data) }),
        };
      }),
    // Ollama's chat request has no such field.
    writeChoice: () => ({}),
  },
  limits: { name: /^[a-zA-Z0-9_.-]{1,128}$/, nameLength: 128 },
  schema: looseSchema,
  // Ollama puts the schema into the template of the model: an object with properties is what templates can show.
  rules: [rootIsObject, rootHasProperties, rootWithout("anyOf", "oneOf", "allOf", "enum", "not", "$ref"), localReferences],
});

function isOfOther(reply: unknown): boolean {
  return hasChoices(reply) || isOfCohere(reply);
}
