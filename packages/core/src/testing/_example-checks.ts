import type { Issue } from "@toolrack/json-schema";
import { createInputReader } from "../tool/input.ts";
import type { ToolExample } from "../tool/metadata.ts";
import type { ToolSuccess } from "../tool/result.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { compareOutput, misfit } from "./example-output.ts";
import { type TrialOptions, tryTool, whyFailed } from "./trial.ts";
import { toCheck, type ToolCheck } from "./tool-check.ts";

/** What can be said of the examples without running them. */
export async function checkExamples(tool: ToolDefinition): Promise<ToolCheck[]> {
  const checks: ToolCheck[] = [];
  for (const example of tool.metadata?.examples ?? []) {
    const { issues } = await createInputReader(tool)(example.input);
    checks.push(toCheck(`${nameOf(example)}: its input matches the schema`, issues && sentences(issues)));
    if (tool.outputSchema === undefined || example.output === undefined) continue;
    checks.push(toCheck(`${nameOf(example)}: the output it shows matches the output schema`, misfit(tool.outputSchema, example.output)));
  }
  return checks;
}

/** Runs each example, and compares what comes out with what the tool promises. */
export async function runExamples<Services>(
  tool: ToolDefinition,
  options: TrialOptions<Services>,
  compareOutputs: boolean,
): Promise<ToolCheck[]> {
  const examples = tool.metadata?.examples ?? [];
  const checks = [toCheck("it has an example that can be run", examples.length > 0 ? undefined : noExample)];
  for (const example of examples) {
    const result = await tryTool(tool, example.input, options);
    checks.push(toCheck(`${nameOf(example)}: it runs`, whyFailed(result, options)));
    if (result?.ok) checks.push(...checkOutput(tool, example, result, compareOutputs));
  }
  return checks;
}

const noExample = "Without one, nothing was run. Add an entry to metadata.examples, or set runExamples to false.";

function* checkOutput(tool: ToolDefinition, example: ToolExample, result: ToolSuccess, compare: boolean): Generator<ToolCheck> {
  const { schema, shown, usage } = compareOutput(tool, example, result);
  if (tool.outputSchema !== undefined) yield toCheck(`${nameOf(example)}: what comes out matches the output schema`, schema);
  if (compare && example.output !== undefined) yield toCheck(`${nameOf(example)}: what comes out is what it shows`, shown);
  if (example.usage !== undefined) yield toCheck(`${nameOf(example)}: its usage leads to a part of what comes out`, usage);
}

function nameOf({ description }: ToolExample): string {
  return `example "${description}"`;
}

function sentences(issues: readonly Issue[]): string {
  return issues.map((issue) => issue.message).join(" ");
}
