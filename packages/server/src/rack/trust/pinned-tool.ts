import { shellWord } from "@toolrack/core/internal/shell-word";
import { defineTool, type ToolAnnotations, type ToolDefinition, ToolError, type ToolMetadata } from "@toolrack/core";
import { validateValue } from "@toolrack/json-schema";
import { viewCapability } from "@toolrack/core/internal";
import { isForViewsOnly, upstreamToolOf } from "@toolrack/mcp";
import { type Breadcrumb, upstreamOf } from "@toolrack/store";

/** The tool with everything that it said when it was approved. Its handler stays the one of the source. */
export function withApprovedText(tool: ToolDefinition, record: Breadcrumb): ToolDefinition {
  const { title, context } = record;
  return defineTool({
    ...tool,
    title: title === "" || title === tool.name ? undefined : title,
    description: context["description"] as string,
    inputSchema: context["inputSchema"] as object,
    outputSchema: context["outputSchema"] as ToolDefinition["outputSchema"],
    metadata: approvedMetadata(tool, record),
  } as ToolDefinition);
}

/** Of a tool of an MCP server only the annotations come from there: the rest of its metadata is ours. */
function approvedMetadata(tool: ToolDefinition, record: Breadcrumb): ToolMetadata {
  const { annotations: _, ...own } = tool.metadata ?? {};
  const annotations = record.context["annotations"] as ToolAnnotations | undefined;
  if (upstreamToolOf(tool) !== undefined) {
    const wasForViews = isForViewsOnly(upstreamOf(record)?.definition ?? {});
    // One that its source opens to models stays closed until a person has looked at that.
    return { ...own, ...(annotations !== undefined && { annotations }), ...(wasForViews && { requiresCapabilities: [viewCapability] }) };
  }
  const form = upstreamOf(record)?.definition ?? { ...record.context, tags: ownTagsOf(record) };
  const said = Object.fromEntries(Object.entries(form).filter(([field]) => !outsideMetadata.has(field)));
  // A function is not written down, and is no text of the source.
  return { ...said, ...(own.when && { when: own.when }) };
}

/** Fields of a pinned form, or of a record, that are not metadata. */
const outsideMetadata: ReadonlySet<string> = new Set([
  "name",
  "title",
  "description",
  "version",
  "inputSchema",
  "outputSchema",
  "request",
  "wholeDescription",
  "upstream",
  "state",
]);

/** The tags of the tool itself among those of its record. */
function ownTagsOf({ tags }: Breadcrumb): readonly string[] {
  return tags.filter((tag) => !/^(?:tool:|toolrack:|category:|workspace:)/.test(tag));
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
