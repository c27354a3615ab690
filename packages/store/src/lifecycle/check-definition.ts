import { defineTool, ToolError } from "@toolrack/core";
import { type JsonSchema, validateValue } from "@toolrack/json-schema";
import type { JsonObject } from "../record/breadcrumb.ts";

/** What is wrong with a definition: its schemas, and examples that its schemas refuse. Empty where all is well. */
export function checkDefinition(context: JsonObject): readonly string[] {
  try {
    defineTool({
      name: context["name"] as string,
      description: context["description"] as string,
      inputSchema: context["inputSchema"] as JsonSchema,
      ...(context["version"] !== undefined && { version: context["version"] as string }),
      ...(context["outputSchema"] !== undefined && { outputSchema: context["outputSchema"] as JsonSchema }),
      handler: () => undefined,
    });
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    return [error.message];
  }
  const examples = (context["examples"] ?? []) as { description: string; input: unknown; output?: unknown }[];
  return examples.flatMap(({ description, input, output }) => [
    ...mismatches(context["inputSchema"], input, `The input of the example "${description}"`),
    ...(output === undefined || context["outputSchema"] === undefined
      ? []
      : mismatches(context["outputSchema"], output, `The output of the example "${description}"`)),
  ]);
}

function mismatches(schema: unknown, value: unknown, what: string): string[] {
  const checked = validateValue(schema, value);
  return checked.ok ? [] : checked.issues.slice(0, 3).map((issue) => `${what} does not match: ${issue.message}`);
}
