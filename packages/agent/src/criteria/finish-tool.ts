import { defineTool, type ToolDefinition } from "@toolrack/core";

/** By which a model says that it is done, where the criteria ask for a signal. */
export const finishTool: ToolDefinition = defineTool({
  name: "finish",
  description: "Ends the work. Call it when everything that was asked for is done, and give the whole answer.",
  inputSchema: {
    type: "object",
    properties: { answer: { type: "string", description: "The answer, as the person is to read it." } },
    required: ["answer"],
  },
  metadata: { optionality: "required", category: "utility", annotations: { readOnly: true } },
  handler: () => "Finished.",
});
