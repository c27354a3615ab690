import { exampleOf, type Issue, validatorFor } from "@toolrack/json-schema";
import type { ToolDefinition } from "./tool.ts";

/** What a model reads when its arguments were wrong: every fault in a sentence, and one call that would be right. */
export function describeInvalidInput(tool: ToolDefinition, issues: readonly Issue[]): string {
  const { beginning, example } = framesOf.get(tool) ?? createFrame(tool);
  let text = beginning;
  for (let index = 0; index < issues.length && index < maxShown; index++) text += "\n- " + issues[index]!.message;
  if (issues.length > maxShown) text += `\n- … and ${issues.length - maxShown} more.`;
  return text + example;
}

const maxShown = 20;

/** What is said of every wrong input of one tool: put together once, because a refusal should cost little. */
interface Frame {
  readonly beginning: string;
  readonly example: string;
}

const framesOf = new WeakMap<ToolDefinition, Frame>();

function createFrame(tool: ToolDefinition): Frame {
  const frame = { beginning: `The input of "${tool.name}" is not valid:`, example: showExample(tool) };
  framesOf.set(tool, frame);
  return frame;
}

/** The tool's own first example that is valid, else the smallest input its schema allows. */
function showExample(tool: ToolDefinition): string {
  const validator = validatorFor(tool.inputSchema);
  const own = tool.metadata?.examples?.find((example) => validator.check(example.input))?.input;
  const input = own ?? exampleOf(tool.inputSchema);
  const text = input === undefined ? undefined : JSON.stringify(input);
  return text !== undefined && text.length <= 2_000 ? `\nA valid input: ${text}` : "";
}
