import type { ToolDefinition } from "@toolrack/core";
import { handleTemplate } from "../long-results/result-handles.ts";
import type { ToolList } from "../lists/tool-lists.ts";
import { recipeText } from "./recipes.ts";
import type { AnyResource, McpResource, McpResourceTemplate } from "./resources.ts";
import type { PageReader } from "../long-results/shared-results.ts";

/** The documents that every server has: the catalog, one page for each tool, and the pages of long results. */
export function catalogFor(list: ToolList, pages: PageReader, principal: string): AnyResource[] {
  return [catalogDocument(list), toolDocuments(list), resultPages(list, pages, principal)];
}

function catalogDocument(list: ToolList): McpResource {
  return {
    uri: "toolrack://catalog",
    name: "catalog",
    title: "Catalog of tools",
    description: "Every tool that you may use, with its category and how it is doing.",
    mimeType: "application/json",
    read: () => ({ text: JSON.stringify({ tools: list.tools.map((tool) => toCatalogEntry(tool, list)) }, null, 2) }),
  };
}

function toolDocuments(list: ToolList): McpResourceTemplate {
  return {
    uriTemplate: "toolrack://tools/{name}",
    name: "tool",
    title: "One tool",
    description: "What a tool does, what it takes, and examples.",
    mimeType: "text/markdown",
    read: ({ name }) => {
      const tool = list.tools.find((other) => other.name === name);
      return tool && { text: toDocument(tool, list.stateOf(tool)) };
    },
    complete: (_gap, typed) => list.tools.map(({ name }) => name).filter((name) => name.startsWith(typed)),
  };
}

function resultPages(list: ToolList, pages: PageReader, principal: string): McpResourceTemplate {
  return {
    uriTemplate: handleTemplate,
    name: "result",
    title: "A page of a long result",
    description: "The following pages of a result that is longer than one answer.",
    mimeType: "text/plain",
    read: async ({ id, page }) => {
      const found = /^[1-9]\d{0,6}$/.test(page!) ? await pages.read(principal, id!, Number(page)) : undefined;
      // The policy may have changed since the call.
      if (found === undefined || !list.tools.some((tool) => tool.name === found.tool)) return undefined;
      return { text: found.text, ...(found.next !== undefined && { meta: { "toolrack/next": found.next } }) };
    },
  };
}

function toCatalogEntry(tool: ToolDefinition, list: ToolList): object {
  const { name, title, description, version, metadata } = tool;
  const { category, optionality, tags } = metadata ?? {};
  return {
    name,
    title,
    description,
    version,
    category,
    optionality,
    tags,
    state: list.stateOf(tool),
    document: `toolrack://tools/${name}`,
  };
}

function toDocument(tool: ToolDefinition, state: string): string {
  const schema = (title: string, value: unknown): string => `## ${title}\n\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
  const parts = [`# ${tool.title ?? tool.name}`, `State: ${state}`, recipeText(tool), schema("Input", tool.inputSchema)];
  if (tool.outputSchema !== undefined) parts.push(schema("Output", tool.outputSchema));
  return parts.join("\n\n");
}
