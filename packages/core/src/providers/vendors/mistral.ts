import { dataUrl, splitImages } from "../format/parts.ts";
import { chatChoice, chatFormat } from "../format/chat.ts";
import type { Provider } from "../provider.ts";

/** Mistral. Shapes as in the typings of @mistralai/mistralai: ToolCall (arguments as text or object), ToolMessage with name and chunks of content. */
export const mistralProvider: Provider = chatFormat("mistral", "mistral", {
  sdkIsCamelCase: true,
  writeResults: (answers) =>
    answers.map(({ call, result }) => {
      const { text, images } = splitImages(result);
      const chunks = [
        ...(text === "" ? [] : [{ type: "text", text }]),
        ...images.map((image) => ({ type: "image_url", image_url: dataUrl(image) })),
      ];
      return { role: "tool", tool_call_id: call.id, name: call.wireName, content: images.length === 0 ? text : chunks };
    }),
  writeChoice: ({ choice, parallel }) => ({
    tool_choice: choice === "required" || (typeof choice === "object" && "tools" in choice) ? "any" : chatChoice(choice),
    ...(parallel !== undefined && { parallel_tool_calls: parallel }),
  }),
});
