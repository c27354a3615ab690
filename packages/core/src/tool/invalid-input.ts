import type { Issue } from "../schema/issues.ts";
import { exampleOf } from "../schema/example.ts";
import { validatorFor } from "../schema/validate.ts";
import type { ToolDefinition } from "./tool.ts";

/** What a model reads when its arguments were wrong: every fault in a sentence, and one call that would be right. */
export function describeInvalidInput(tool: ToolDefinition, issues: readonly Issue[]): string {
  const shown = issues.slice(0, maxShown).map((issue) => `- ${issue.message}`);
  if (issues.length > maxShown) shown.push(`- … and ${issues.length - maxShown} more.`);
  const example = validExample(tool);
  const text = `The input of "${tool.name}" is not valid:\n${shown.join("\n")}`;
  return example === undefined ? text : `${text}\nA valid input: ${example}`;
}

const maxShown = 20;
const examples = new WeakMap<ToolDefinition, string | undefined>();

/** The tool's own first example that is valid, else the smallest input its schema allows. */
function validExample(tool: ToolDefinition): string | undefined {
  if (examples.has(tool)) return examples.get(tool);
  const validator = validatorFor(tool.inputSchema);
  const own = tool.metadata?.examples?.find((example) => validator.check(example.input))?.input;
  const input = own ?? exampleOf(tool.inputSchema);
  const text = input === undefined ? undefined : JSON.stringify(input);
  const example = text !== undefined && text.length <= 2_000 ? text : undefined;
  examples.set(tool, example);
  return example;
}
