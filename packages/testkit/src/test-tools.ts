import { type AnyTool, defineTool } from "@toolrack/core";

/** `echo` returns its text, `fail` always throws. */
export const testTools: readonly AnyTool[] = [
  defineTool({
    name: "echo",
    description: "Gives back what it is given.",
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"], additionalProperties: false },
    handler: ({ text }) => ({ text }),
  }),
  defineTool({
    name: "fail",
    description: "Always fails.",
    inputSchema: { type: "object", properties: {} },
    handler: () => {
      throw new Error("It was meant to fail.");
    },
  }),
];
