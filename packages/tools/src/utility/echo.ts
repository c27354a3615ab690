import { defineTool, type ToolDefinition } from "@toolrack/core";

export function createEcho(): ToolDefinition {
  return defineTool({
    name: "echo",
    title: "Echo",
    description: "Returns the given message. Useful to test the connection.",
    inputSchema: {
      type: "object",
      properties: { message: { type: "string", maxLength: 100_000, description: "What to answer." } },
      required: ["message"],
      additionalProperties: false,
    },
    outputSchema: { type: "object", properties: { echo: { type: "string" } }, required: ["echo"] },
    metadata: {
      category: "utility",
      optionality: "optional",
      usageHint: "To test that tools can be called at all.",
      examples: [{ description: "Say hello", input: { message: "hello" }, output: { echo: "hello" }, usage: "result.echo" }],
      annotations: { readOnly: true, idempotent: true, openWorld: false },
      limits: { timeoutMs: 5_000, maxResultBytes: 524_288 },
      groups: ["utility"],
    },
    handler: ({ message }) => ({ echo: message }),
  });
}
