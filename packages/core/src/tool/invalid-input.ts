import type { Issue } from "../schema/issues.ts";
import { exampleOf } from "../schema/example.ts";
import { validatorFor } from "../schema/validate.ts";
import type { ToolDefinition } from "./tool.ts";

/** What a model reads when its arguments were wrong: every fault in a sentence, and one call that would be right. */
export function describeInvalidInput(tool: ToolDefinition, issues: readonly Issue[]): string {
  let text = `The input of "${tool.name}" is not valid:`;
  for (let index = 0; index < issues.length && index < maxShown; index++) text += `\n- ${issues[index]!.message}`;
  if (issues.length > maxShown) text += `\n- … and ${issues.length - maxShown} more.`;
  return text + (examples.get(tool) ?? showExample(tool));
}

const maxShown = 20;
const examples = new WeakMap<ToolDefinition, string>();

/** The tool's own first example that is valid, else the smallest input its schema allows. */
function showExample(tool: ToolDefinition): string {
  const validator = validatorFor(tool.inputSchema);
  const own = tool.metadata?.examples?.find((example) => validator.check(example.input))?.input;
  const input = own ?? exampleOf(tool.inputSchema);
  const text = input === undefined ? undefined : JSON.stringify(input);
  const example = text !== undefined && text.length <= 2_000 ? `\nA valid input: ${text}` : "";
  examples.set(tool, example);
  return example;
}
