import { splitImages } from "../format/parts.ts";
import { chatFormat } from "../format/chat.ts";
import type { Provider } from "../provider.ts";

/** Ollama. Shapes as in the typings of the package ollama: Tool, ToolCall (arguments are an object, no id), Message with `tool_name` and `images`. */
export const ollamaProvider: Provider = chatFormat("ollama", "ollama", {
  limits: { name: /^[a-zA-Z0-9_.-]{1,128}$/, nameLength: 128 },
  writeResults: (answers) =>
    answers.map(({ call, result }) => {
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
});
