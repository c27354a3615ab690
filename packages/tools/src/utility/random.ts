import { defineTool, type ToolDefinition, ToolInputError } from "@toolrack/core";
import type { UtilityOperations } from "./operations.ts";

export function createRandom(operations: Pick<UtilityOperations, "random">): ToolDefinition {
  return defineTool({
    name: "random",
    title: "Random Number Generator",
    version: "1.0.0",
    description: "Generate random numbers between two bounds, both included; whole ones where both bounds are whole.",
    inputSchema: {
      type: "object",
      properties: {
        min: { type: "number", minimum: -1e15, maximum: 1e15, default: 0, description: "The lowest number." },
        max: { type: "number", minimum: -1e15, maximum: 1e15, default: 100, description: "The highest number." },
        count: { type: "integer", minimum: 1, maximum: 1_000, default: 1, description: "How many numbers." },
      },
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: { numbers: { type: "array", items: { type: "number" }, description: "Array of generated numbers" } },
      required: ["numbers"],
    },
    metadata: {
      category: "general",
      optionality: "optional",
      usageHint: "For dice, draws and samples. Never make random numbers up.",
      examples: [
        { description: "Generate single number", input: { min: 1, max: 10 }, output: { numbers: [7] }, usage: "result.numbers[0]" },
        { description: "Roll three dice", input: { min: 1, max: 6, count: 3 }, usage: "result.numbers[2]" },
      ],
      annotations: { readOnly: true, idempotent: false, openWorld: false },
      limits: { timeoutMs: 5_000, maxResultBytes: 65_536 },
      groups: ["utility"],
    },
    handler({ min, max, count }) {
      if (min > max) throw new ToolInputError(`"min" is ${min} and above "max", which is ${max}. Swap them.`);
      const isWhole = Number.isInteger(min) && Number.isInteger(max);
      const one = (): number => {
        const share = operations.random();
        return isWhole ? min + Math.floor(share * (max - min + 1)) : min + share * (max - min);
      };
      return { numbers: Array.from({ length: count }, one) };
    },
  });
}
