import type { ToolDefinition, ToolExample } from "@toolrack/core";
import type { McpPrompt } from "./prompts.ts";

/** A prompt for each tool that says how it is meant to be used: "use-web_search". */
export function recipesFor(tools: readonly ToolDefinition[]): McpPrompt[] {
  return tools.filter(hasRecipe).map((tool) => ({
    name: `${recipePrefix}${tool.name}`,
    title: `Use ${tool.title ?? tool.name}`,
    description: tool.metadata?.usageHint ?? `How to use the tool "${tool.name}".`,
    arguments: [{ name: "task", description: "What you want to get done with it." }],
    get: ({ task }) => [{ role: "user", content: { type: "text", text: recipeText(tool, task) } }],
  }));
}

export const recipePrefix = "use-";

function hasRecipe({ metadata }: ToolDefinition): boolean {
  return metadata?.usageHint !== undefined || (metadata?.examples?.length ?? 0) > 0;
}

/** Also the main part of the tool's own document. */
export function recipeText(tool: ToolDefinition, task?: string): string {
  const { name, description, metadata } = tool;
  const parts = [`Use the tool "${name}"${task === undefined ? "" : ` for this: ${task}`}.`, description];
  if (metadata?.usageHint !== undefined) parts.push(`When to use it: ${metadata.usageHint}`);
  for (const example of metadata?.examples ?? []) parts.push(exampleText(name, example));
  return parts.join("\n\n");
}

function exampleText(name: string, { description, input, output, usage }: ToolExample): string {
  const lines = [`Example: ${description}`, `${name} ${JSON.stringify(input)}`];
  if (output !== undefined) lines.push(`answers ${JSON.stringify(output)}`);
  if (usage !== undefined) lines.push(`read it as ${usage}`);
  return lines.join("\n");
}
