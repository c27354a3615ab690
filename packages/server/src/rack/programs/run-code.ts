import { defineTool, type ToolDefinition } from "@toolrack/core";
import type { Programs } from "./programs.ts";

/** The name of the tool by which models run programs. */
export const runCodeName = "run_code";

/** The tool by which a model runs a program over the tools that its caller may call. */
export function createRunCode(programs: Programs): ToolDefinition {
  return defineTool({
    name: runCodeName,
    description:
      "Runs a short TypeScript program in which tools are async functions: `const order = await tools.find_order({ id });`. Use it for several calls at once, loops, and results that you need only a part of. What the program returns is the result; nothing else of what its calls answered is.",
    inputSchema: {
      type: "object",
      properties: {
        code: { type: "string", minLength: 1, maxLength: 100_000, description: "The program. Top-level await and return are allowed." },
        input: { description: "Plain data, visible in the program as `input`." },
      },
      required: ["code"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        value: { description: "What the program returned." },
        logs: { type: "array", items: { type: "string" } },
        labels: {
          type: "array",
          items: { type: "string" },
          description: "What is known of the value and the logs: untrusted, private, secret.",
        },
        warnings: { type: "array", items: { type: "string" } },
      },
      required: ["value"],
    },
    // A program is limited by its steps, and each of its calls by the tool's own time limit.
    metadata: { category: "utility", limits: { timeoutMs: false } },
    handler: ({ code, input }, context) =>
      programs.run({ source: code, inputAt: "/input", ...(input !== undefined && { input }) }, context),
  });
}
