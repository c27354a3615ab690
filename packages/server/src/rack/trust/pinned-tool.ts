import { shellWord } from "@toolrack/core/internal/shell-word";
import { defineTool, type ToolAnnotations, type ToolDefinition, ToolError } from "@toolrack/core";
import { validateValue } from "@toolrack/json-schema";
import type { Breadcrumb } from "@toolrack/store";

/** The tool with the text and the schemas that were approved. Its handler stays the one of the source. */
export function withApprovedText(tool: ToolDefinition, { title, context }: Breadcrumb): ToolDefinition {
  const { annotations: _, ...metadata } = tool.metadata ?? {};
  const annotations = context["annotations"] as ToolAnnotations | undefined;
  return defineTool({
    ...tool,
    title: title === "" || title === tool.name ? undefined : title,
    description: context["description"] as string,
    inputSchema: context["inputSchema"] as object,
    outputSchema: context["outputSchema"] as ToolDefinition["outputSchema"],
    metadata: { ...metadata, ...(annotations !== undefined && { annotations }) },
  } as ToolDefinition);
}

/** The same, with arguments that the source has to accept, too. */
export function withBothSchemas(tool: ToolDefinition, approved: Breadcrumb): ToolDefinition {
  const shown = withApprovedText(tool, approved);
  return defineTool({
    ...shown,
    handler(input, context) {
      const checked = validateValue(tool.inputSchema, input);
      if (checked.ok) return tool.handler(input, context);
      throw new ToolError(
        "INPUT_INVALID",
        `The definition of "${tool.name}" changed at its source, and this input fits the approved one only: ${String(checked.issues.length)} ${checked.issues.length === 1 ? "value does" : "values do"} not fit the new one. A person has to look at the change: toolrack approve ${shellWord(tool.name)}`,
      );
    },
  } as ToolDefinition);
}
