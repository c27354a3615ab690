import type { PromptTool } from "./entries.ts";
import { oneLine } from "./parameters.ts";

export const defaultCompletionSignal = "TASK_COMPLETE";

/** When to choose which tool, and which one needs what another produces. Names only the given tools. */
export function guidancePart(tools: readonly PromptTool[]): string {
  const lines = tools.flatMap(({ name, metadata }) =>
    metadata?.usageHint === undefined ? [] : [`- ${name}: ${oneLine(metadata.usageHint)}`],
  );
  for (const { name, metadata } of tools) {
    for (const artifact of metadata?.consumes ?? []) {
      const makers = tools
        .filter((other) => other.name !== name && other.metadata?.produces?.includes(artifact))
        .map((other) => other.name);
      lines.push(makers.length === 0 ? `- ${name} needs ${artifact}.` : `- ${name} needs ${artifact}: call ${makers.join(" or ")} first.`);
    }
  }
  const required = tools.filter(({ metadata }) => metadata?.optionality === "required").map(({ name }) => name);
  if (required.length > 0) lines.push(`- Use these before you finish: ${required.join(", ")}.`);
  lines.push("- Call a tool only if its result changes what you do next. Believe its result, also when it is an error.");
  return ["### Choosing a tool", lines.join("\n")].join("\n\n");
}

/** How the model says that it is done. */
export function completionPart(completion: true | string): string {
  const signal = completion === true ? defaultCompletionSignal : completion;
  return `### Finishing\n\nWhen the task is done, call no tool and write ${signal} on a line of its own.`;
}

/** Whether a reply says that the task is done: the signal alone on a line. */
export function isTaskComplete(reply: string, signal: string = defaultCompletionSignal): boolean {
  return reply.split(/\r?\n/).some((line) => line.replace(/^[\s*_`#>-]+|[\s*_`.!]+$/g, "") === signal);
}
