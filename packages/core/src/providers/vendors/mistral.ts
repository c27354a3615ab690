import { looseSchema } from "../adapt/presets.ts";
import { defineProvider } from "../define-provider.ts";
import { chatLimits, chatWire, namedChoice } from "../format/chat.ts";
import { dataUrl, splitImages } from "../format/parts.ts";
import type { Provider } from "../provider.ts";
import { chatRules } from "../rules/common.ts";
import type { MistralMessage, MistralShapes } from "../shapes/mistral.ts";

/**
 * Mistral. Shapes as in the typings of @mistralai/mistralai: ToolCall (arguments as text or object), ToolMessage with name and chunks of
 * content. Guide "Function calling": any JSON Schema for an object; the root follows the common rules of the Chat format.
 */
export const mistral: Provider<"mistral", MistralShapes> = defineProvider<"mistral", MistralShapes>({
  name: "mistral",
  wire: {
    ...chatWire(),
    sdkIsCamelCase: true,
    writeResults: (answers) =>
      answers.map(({ call, result }): MistralMessage => {
        const { text, images } = splitImages(result);
        const chunks: Exclude<MistralMessage["content"], string> = [
          ...(text === "" ? [] : [{ type: "text" as const, text }]),
          ...images.map((image) => ({ type: "image_url" as const, image_url: dataUrl(image) })),
        ];
        return { role: "tool", tool_call_id: call.id, name: call.wireName, content: images.length === 0 ? text : chunks };
      }),
    writeChoice: ({ choice, parallel }) => ({
      tool_choice: choice === "required" || (typeof choice === "object" && "tools" in choice) ? "any" : namedChoice(choice),
      ...(parallel !== undefined && { parallel_tool_calls: parallel }),
    }),
  },
  limits: chatLimits,
  schema: looseSchema,
  rules: chatRules,
});
