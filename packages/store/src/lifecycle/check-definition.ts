import { defineTool, ToolError } from "@toolrack/core";
import { fromSnakeCase, isObject, metadataFields } from "@toolrack/core/internal";
import { type JsonSchema, validateValue } from "@toolrack/json-schema";
import { misspellingOf } from "@toolrack/json-schema/internal";
import type { Breadcrumb, JsonObject } from "../record/breadcrumb.ts";
import { definitionContextSchema } from "../record/schemas/definition.ts";

export type ProblemOf = (definition: Breadcrumb) => string | undefined | Promise<string | undefined>;

/** Why a definition must not be approved: something is wrong with it, or nothing can run it. */
export async function approvalProblems(record: Breadcrumb, problemOf: ProblemOf | undefined): Promise<readonly string[]> {
  const problems = checkDefinition(record.context);
  if (problems.length > 0) return problems;
  const problem = await problemOf?.(record);
  return problem === undefined ? [] : [problem];
}

/** What is wrong with a definition: fields without effect, its schemas, and examples that its schemas refuse. Empty where all is well. */
export function checkDefinition(context: JsonObject): readonly string[] {
  const ineffective = ineffectiveFields(context);
  if (ineffective.length > 0) return ineffective;
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

/** A definition may carry data of its own, but not a restriction that nobody would obey: a misspelt one, or one in a place of other systems. */
function ineffectiveFields(context: JsonObject): readonly string[] {
  const inMetadata = isObject(context["metadata"]) ? Object.keys(fromSnakeCase(context["metadata"], metadataFields) as JsonObject) : [];
  const misplaced = inMetadata
    .filter((name) => Object.hasOwn(metadataFields, name) || approvalName.test(name))
    .map((name) => `metadata.${name} has no effect in a stored definition. ${adviceFor(name)}`);
  const misspelt = Object.keys(context).flatMap((name) => {
    if (Object.hasOwn(knownFields, name)) return [];
    if (approvalName.test(name)) return [`${name} has no effect. ${adviceFor(name)}`];
    const meant = misspellingOf(name, Object.keys(metadataFields));
    return meant === undefined ? [] : [`${name} has no effect. Did you mean ${meant}?`];
  });
  return [...misplaced, ...misspelt];
}

const knownFields: object = { ...metadataFields, ...(definitionContextSchema["properties"] as object) };
const approvalName = /^(?:needs?|requires?|ask(?:s|_for)?)?_?(?:human_?)?approval$/i;

function adviceFor(name: string): string {
  if (!approvalName.test(name)) return `Write ${name} beside name and description.`;
  return "Whether a person is asked before a call is set in the policy: tools.ask, or agents.<agent>.tools.ask.";
}

function mismatches(schema: unknown, value: unknown, what: string): string[] {
  const checked = validateValue(schema, value);
  return checked.ok ? [] : checked.issues.slice(0, 3).map((issue) => `${what} does not match: ${issue.message}`);
}
