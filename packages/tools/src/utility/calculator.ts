import { defineTool, type ToolDefinition, ToolInputError } from "@toolrack/core";
import { evaluateExpression, ExpressionError } from "./expression.ts";

export function createCalculator(): ToolDefinition {
  return defineTool({
    name: "calculator",
    title: "Calculator",
    description:
      "Works out an expression: + - * / % ^, parentheses, sqrt, abs, round, floor, ceil, min, max, ln, log, exp, sin, cos, tan, pi and e. Angles are in radians.",
    inputSchema: {
      type: "object",
      properties: { expression: { type: "string", minLength: 1, maxLength: 2_000, description: "What to work out: (2 + 3) * 4." } },
      required: ["expression"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        result: { type: "number", description: "To 15 significant digits." },
        expression: { type: "string" },
        formatted: { type: "string", description: "The result for people: 1,234.5." },
      },
      required: ["result", "expression", "formatted"],
    },
    metadata: {
      category: "utility",
      optionality: "optional",
      usageHint: "For every calculation that is more than adding two small numbers.",
      examples: [
        {
          description: "Multiply a sum",
          input: { expression: "(2 + 3) * 4" },
          output: { result: 20, expression: "(2 + 3) * 4", formatted: "20" },
          usage: "result.result",
        },
        {
          description: "A price with tax",
          input: { expression: "round(1299.5 * 1.19, 2)" },
          output: { result: 1546.41, expression: "round(1299.5 * 1.19, 2)", formatted: "1,546.41" },
          usage: "result.formatted",
        },
      ],
      annotations: { readOnly: true, idempotent: true, openWorld: false },
      limits: { timeoutMs: 5_000, maxResultBytes: 16_384 },
      groups: ["utility"],
    },
    handler({ expression }) {
      try {
        // 0.1 + 0.2 is shown as 0.3: a double has no more than 15 significant digits.
        const result = Number(evaluateExpression(expression).toPrecision(15)) + 0;
        return { result, expression, formatted: format(result) };
      } catch (error) {
        if (error instanceof ExpressionError)
          throw new ToolInputError(`The expression is wrong ${error.message}. Correct it.`, { cause: error });
        throw error;
      }
    },
  });
}

function format(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e15 || size < 1e-6)) return String(value);
  return new Intl.NumberFormat("en", { maximumFractionDigits: 15, maximumSignificantDigits: 15 }).format(value);
}
