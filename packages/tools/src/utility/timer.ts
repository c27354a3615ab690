import { defineTool, type ToolDefinition } from "@toolrack/core";
import type { UtilityOperations } from "./operations.ts";

export function createTimer(operations: Pick<UtilityOperations, "wait">): ToolDefinition {
  return defineTool({
    name: "timer",
    title: "Timer",
    description: "Waits for a number of seconds, then answers.",
    inputSchema: {
      type: "object",
      properties: {
        seconds: { type: "number", minimum: 0, maximum: 300, description: "How long to wait; at most five minutes." },
        message: { type: "string", maxLength: 1_000, default: "The time is up.", description: "What to answer when the time is up." },
      },
      required: ["seconds"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: { waited: { type: "number", description: "In seconds." }, message: { type: "string" } },
      required: ["waited", "message"],
    },
    metadata: {
      category: "utility",
      optionality: "optional",
      usageHint: "Use to wait until another process has finished, then check its state.",
      examples: [
        {
          description: "Wait a moment",
          input: { seconds: 0.01, message: "Go on." },
          output: { waited: 0.01, message: "Go on." },
          usage: "result.message",
        },
      ],
      annotations: { readOnly: true, idempotent: true, openWorld: false },
      limits: { timeoutMs: 310_000, maxResultBytes: 16_384, concurrency: 100 },
      groups: ["utility"],
    },
    async handler({ seconds, message }, context) {
      await operations.wait(seconds * 1_000, context.signal);
      return { waited: seconds, message };
    },
  });
}
