import { looseSchema } from "../adapt/presets.ts";
import { defineProvider } from "../define-provider.ts";
import { chatChoice, chatLimits, chatWire } from "../format/chat.ts";
import { dataUrl, splitImages } from "../format/parts.ts";
import type { Provider } from "../provider.ts";
import { chatRules } from "../rules/common.ts";

/**
 * Mistral. Shapes as in the typings of @mistralai/mistralai: ToolCall (arguments as text or object), ToolMessage with name and chunks of
 * content. Guide "Function calling": any JSON Schema for an object; the root follows the common rules of the Chat format.
 */
export const mistral: Provider<"mistral"> = defineProvider({
  name: "mistral",
  wire: chatWire({
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
  }),
  limits: chatLimits,
  schema: looseSchema,
  rules: chatRules,
});
