import type { Caller, ContentBlock, ToolDefinition, ToolSuccess } from "@toolrack/core";
import { cleanText } from "@toolrack/core/scan";
import { type AnyResource, type McpPrompt, type ResourceContent, toMcpBlock } from "@toolrack/mcp";
import type { JsonObject } from "@toolrack/store";
import type { NotedText } from "../trust/noted-texts.ts";

/** A prompt, a resource or instructions that clients get. */
export interface Passed {
  /** In the form of a tool. */
  readonly tool: ToolDefinition;
  readonly text: NotedText;
  /** The id of its source without the type: "github". */
  readonly server: string;
}

/** Calls the text's tool, and answers what came of it; throws what went wrong. */
type Use = (one: Passed, input: object, context: { readonly caller: Caller; readonly signal: AbortSignal }) => Promise<ToolSuccess>;

/** A prompt of a source, under the name that its source begins: "github__summarize". */
export function toPrompt(one: Passed, use: Use): McpPrompt {
  const { tool, server } = one;
  const { properties = {}, required = [] } = tool.inputSchema as Parameters;
  return {
    name: tool.name.replace(`${server}__prompt.`, `${server}__`),
    ...(tool.title !== undefined && { title: tool.title }),
    description: tool.description,
    arguments: Object.entries(properties).map(([name, { description }]) => ({
      name,
      ...(description !== undefined && { description }),
      ...(required.includes(name) && { required: true }),
    })),
    async get(input, context) {
      const { blocks = [], data } = await use(one, input, context);
      const { roles } = data as { readonly roles: readonly ("user" | "assistant")[] };
      return blocks.map((block, index) => ({ role: roles[index] ?? "user", content: toContent(block) }));
    },
  };
}

interface Parameters {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
  readonly required?: readonly string[];
}

/** JSON has no form of its own in a message. */
function toContent(block: ContentBlock): Readonly<Record<string, unknown>> {
  return toMcpBlock(block);
}

/** A resource of a source, below a URI of ours: two sources may have the same. */
export function toResource(one: Passed, use: Use): AnyResource {
  const { tool, server, text } = one;
  const { name, mimeType, uri, uriTemplate } = text.definition as JsonObject & { readonly uri?: string; readonly uriTemplate?: string };
  const said = {
    name: `${server}__${cleanText(String(name ?? uri ?? uriTemplate))}`,
    ...(tool.title !== undefined && { title: tool.title }),
    ...(tool.description !== "" && { description: tool.description }),
    ...(typeof mimeType === "string" && { mimeType: cleanText(mimeType) }),
  };
  if (uriTemplate === undefined)
    return { ...said, uri: passedUri(server, uri!), read: async (context) => toContents(await use(one, {}, context)) };
  return {
    ...said,
    uriTemplate: passedTemplate(server, uriTemplate),
    read: async (values, context) =>
      toContents(await use(one, { uri: uriTemplate.replaceAll(gap, (_, key: string) => encodeURIComponent(values[key] ?? "")) }, context)),
  };
}

const gap = /\{([^{}]*)\}/g;

function passedUri(server: string, uri: string): string {
  return `toolrack://sources/${server}/${encodeURIComponent(uri)}`;
}

function passedTemplate(server: string, template: string): string {
  return `toolrack://sources/${server}/${template
    .split(/(\{[^{}]*\})/)
    .map((part, index) => (index % 2 === 1 ? part : encodeURIComponent(part)))
    .join("")}`;
}

/** Each part of a resource: its text, which the scanner may have marked, or its bytes. */
function toContents({ blocks = [], data }: ToolSuccess): readonly ResourceContent[] {
  const texts = blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const { parts } = data as { readonly parts: readonly { readonly mimeType?: string; readonly blob?: string }[] };
  let next = 0;
  return parts.map((part) => (part.blob === undefined ? { ...part, text: texts[next++] ?? "" } : part));
}
