import { isObject } from "@toolrack/json-schema/internal";
import type { ToolDefinition } from "../tool/tool.ts";
import { oneLine, type Parameter, parametersOf } from "./parameters.ts";

/** What a prompt says of a tool comes from these fields. */
export type PromptTool = Pick<ToolDefinition, "name" | "description" | "inputSchema" | "outputSchema" | "metadata">;

/** "code: read, write, edit" */
export function summaryLine(tools: readonly PromptTool[], category: string): string {
  return `${category}: ${tools.map(({ name }) => name).join(", ")}`;
}

/** "- random: Draws random numbers. → numbers, seed" */
export function compactLine(tool: PromptTool): string {
  const outputs = outputsOf(tool);
  return `- ${tool.name}: ${firstSentence(tool.description)}${outputs.length === 0 ? "" : ` → ${outputs.join(", ")}`}`;
}

/** Description, every parameter, when to use it, and examples with how to read what comes back. */
export function fullEntry(tool: PromptTool): string {
  const { usageHint, examples, deprecated } = tool.metadata ?? {};
  const lines = [`**${tool.name}**: ${oneLine(tool.description)}`];
  if (deprecated !== undefined)
    lines.push(`Deprecated${deprecated.successor === undefined ? "" : `; use ${deprecated.successor} instead`}.`);
  const parameters = parametersOf(tool.inputSchema);
  lines.push(parameters.length === 0 ? "Parameters: none" : "Parameters:", ...parameters.map(parameterLine));
  const outputs = outputsOf(tool);
  if (outputs.length > 0) lines.push(`Returns: ${outputs.join(", ")}`);
  if (usageHint !== undefined) lines.push(`When to use: ${oneLine(usageHint)}`);
  for (const { description, input, output, usage } of examples ?? []) {
    lines.push(`Example: ${oneLine(description)}`, `  call ${JSON.stringify({ tool: tool.name, args: input })}`);
    if (output !== undefined) lines.push(`  returns ${JSON.stringify(output)}`);
    if (usage !== undefined) lines.push(`  read it as ${oneLine(usage)}`);
  }
  return lines.join("\n");
}

/** "- limit (integer 1 to 100, optional): How many. Default: 10." */
function parameterLine({ name, type, required, description, values, ...rest }: Parameter): string {
  const facts = [
    ...(description === undefined ? [] : [ended(description)]),
    ...(values === undefined ? [] : [`One of ${values.map((value) => JSON.stringify(value)).join(", ")}.`]),
    ...(Object.hasOwn(rest, "default") ? [`Default: ${JSON.stringify(rest.default)}.`] : []),
  ];
  return `- ${name} (${type}, ${required ? "required" : "optional"})${facts.length === 0 ? "" : `: ${facts.join(" ")}`}`;
}

/** The fields of the output, or else the artifacts that a call leaves behind. */
function outputsOf({ outputSchema, metadata }: PromptTool): readonly string[] {
  const properties = outputSchema?.["properties"];
  return isObject(properties) ? Object.keys(properties) : (metadata?.produces ?? []);
}

const maxSentence = 160;

function firstSentence(description: string): string {
  const text = oneLine(description);
  const sentence = /^.+?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
  return sentence.length <= maxSentence ? sentence : `${sentence.slice(0, maxSentence).trimEnd()}…`;
}

function ended(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
