import { isObject } from "@toolrack/json-schema/internal";
import { createRecentSearches } from "../search/recent-searches.ts";
import type { Reranker } from "../search/reranker.ts";
import { searchOwner, searchTools, searchToolsByMeaning } from "../search/search-tools.ts";
import type { SearchUsage } from "../search/usage.ts";
import type { Caller } from "../tool/context.ts";
import { defineTool, type ToolDefinition } from "../tool/tool.ts";
import { nearestTools } from "./nearest.ts";
import type { Registry } from "./registry.ts";

export interface MetaToolOptions {
  /** How many tools a search answers when the model does not say. @default 5 */
  readonly limit?: number;
  /** Learns from calls that follow a search, and raises their tools for like queries of the same owner. @default off */
  readonly usage?: SearchUsage;
  /** Reorders what is found by words, by meaning as well. @default words alone */
  readonly reranker?: Reranker;
}

/** The part of a registry that the tools need. */
export type SearchableRegistry = Pick<Registry, "view" | "invoke" | "get">;

/**
 * Three tools in place of all others: `search_tools`, `describe_tool` and `call_tool`. A model that has only these finds, reads and
 * calls any tool of the registry, under the policy of its caller. Register them in the registry itself, or in one that offers nothing else.
 */
export function createMetaTools(
  registry: SearchableRegistry,
  { limit = 5, usage, reranker }: MetaToolOptions = {},
): readonly ToolDefinition[] {
  const recent = createRecentSearches();
  const visible = (caller: Caller): readonly ToolDefinition[] => registry.view(caller).tools.filter((tool) => !tools.includes(tool));

  const searchTool = defineTool({
    name: "search_tools",
    description:
      "Finds tools for a task, the best first. Use it before you say that something cannot be done. Describe the task in plain words; a query may name several tasks.",
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", description: 'The task, for example: "send an email".' },
        limit: { type: "integer", minimum: 1, maximum: 50, description: `How many tools. Default: ${limit}.` },
      },
      required: ["query"],
    },
    metadata: metadata(true),
    async handler({ query, limit: wanted = limit }, { caller, signal }) {
      const listed = registry.view(caller).tools;
      const options = { caller, limit: wanted + tools.length, ...(usage && { usage }) };
      const hits = await (reranker === undefined
        ? searchTools(listed, query, options)
        : searchToolsByMeaning(listed, query, { ...options, reranker, signal }));
      const found = hits.map(({ tool }) => tool).filter((tool) => !tools.includes(tool));
      const shown = found.slice(0, wanted).map(toSummary);
      const owner = searchOwner(caller);
      if (usage !== undefined && owner !== undefined)
        recent.note(
          owner,
          query,
          shown.map(({ name }) => name),
        );
      return shown.length === 0
        ? { tools: shown, hint: "Nothing was found. Try other words for the action and for the thing it works on." }
        : { tools: shown };
    },
  });

  const describeTool = defineTool({
    name: "describe_tool",
    description: "Returns the description, input schema and examples of one tool. Use it before the first call of a tool.",
    inputSchema: {
      type: "object",
      properties: { name: { type: "string", description: "The name, as search_tools gave it." } },
      required: ["name"],
    },
    metadata: metadata(true),
    handler({ name }, { caller }) {
      const open = visible(caller);
      const tool = open.find((one) => one.name === name);
      if (tool === undefined) return { ok: false, code: "TOOL_NOT_FOUND", error: notFound(name, open) };
      const { description, inputSchema, outputSchema, metadata: { usageHint, examples } = {} } = tool;
      return {
        name,
        description,
        inputSchema,
        ...(outputSchema !== undefined && { outputSchema }),
        ...(usageHint !== undefined && { usageHint }),
        ...(examples !== undefined && { examples }),
      };
    },
  });

  const callTool: ToolDefinition = defineTool({
    name: "call_tool",
    description: "Calls a tool that search_tools found, with an input that fits its schema.",
    inputSchema: {
      type: "object",
      properties: {
        name: { type: "string", description: "The name, as search_tools gave it." },
        input: { type: "object", description: "The input, as describe_tool describes it." },
      },
      required: ["name"],
    },
    metadata: metadata(false),
    async handler({ name, input = {} }, context) {
      const { caller } = context;
      if (tools.some((tool) => tool.name === name))
        return { ok: false, code: "INPUT_INVALID", error: `"${name}" is called directly, not through call_tool.` };
      // From inside the registry the call is a child of this one; from another registry it begins there.
      const result = await (registry.get(callTool.name) === callTool
        ? context.call(name, input)
        : registry.invoke(name, input, { caller, signal: context.signal }));
      const owner = searchOwner(caller);
      if (result.ok && usage !== undefined && owner !== undefined) {
        const query = recent.queryFor(owner, result.meta.tool);
        if (query !== undefined) usage.note(owner, query, result.meta.tool);
      }
      return result;
    },
  });

  const tools: readonly ToolDefinition[] = Object.freeze([searchTool, describeTool, callTool]);
  return tools;
}

/** With these a catalog of any size stays reachable, so a budget never leaves them out. */
function metadata(readOnly: boolean): ToolDefinition["metadata"] {
  return { category: "utility", optionality: "required", ...(readOnly && { annotations: { readOnly: true, idempotent: true } }) };
}

interface ToolSummary {
  readonly name: string;
  readonly description: string;
  /** Names of parameters; those that may be left out end in "?". */
  readonly parameters: readonly string[];
}

function toSummary({ name, description, inputSchema }: ToolDefinition): ToolSummary {
  const properties = isObject(inputSchema["properties"]) ? Object.keys(inputSchema["properties"]) : [];
  const required = new Set(Array.isArray(inputSchema["required"]) ? inputSchema["required"] : []);
  const parameters = properties.slice(0, maxParameters).map((parameter) => (required.has(parameter) ? parameter : `${parameter}?`));
  return { name, description: shorten(description), parameters };
}

const maxParameters = 12;
const maxDescription = 200;

function shorten(description: string): string {
  const text = description.replace(/\s+/g, " ").trim();
  return text.length <= maxDescription ? text : `${text.slice(0, maxDescription).trimEnd()}…`;
}

/** The same for a tool that does not exist and for one that the caller may not see. */
function notFound(name: string, open: readonly ToolDefinition[]): string {
  const near = nearestTools(name, open);
  const next = near.length === 0 ? "Use search_tools to find one." : `Did you mean ${near.join(", ")}?`;
  return `There is no tool ${JSON.stringify(name.slice(0, 140))}. ${next}`;
}
