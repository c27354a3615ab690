// #region imports
import { defineTool } from "@toolrack/core";
import type { PluginApi } from "@toolrack/core/node";
import { mockTool } from "@toolrack/core/testing";
// #endregion

// #region plugin
export const id = "voice";

export function register(api: PluginApi): void {
  api.registerTool(
    defineTool({
      name: "say",
      description: "Says something aloud.",
      inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      handler: ({ text }) => `said "${text}"`,
    }),
  );
  api.registerTool(mockTool("record"), { optional: true }); // offered only if an allow list names it
  api.registerTool((caller) => (caller.channel === "phone" ? mockTool("hang_up") : undefined)); // for some callers
  api.beforeToolCall(({ tool, input }) => {
    if (tool === "say" && String(input["text"]).length > 100) return { block: "Say it in fewer words." };
    return undefined;
  });
}
// #endregion
