import { type CallContext, defineTool, type HandlerResult, type ToolDefinition, ToolInputError } from "@toolrack/core";
import { actionSchema } from "../workspace/actions.ts";
import type { Node, NodesHost } from "./nodes-host.ts";

interface NodesInput {
  readonly action: "status" | "describe" | "invoke";
  readonly node?: string;
  readonly tool?: string;
  readonly input?: Readonly<Record<string, unknown>>;
}

const text = { type: "string" } as const;

export function createNodes(host: NodesHost): ToolDefinition {
  return defineTool({
    name: "nodes",
    title: "Paired machines",
    description:
      "Shows the machines whose tools are served here (paired Toolracks, MCP servers, pools of workers), and calls one of their tools under the same rules as every call.",
    inputSchema: actionSchema({
      description: "status lists the machines, describe shows the tools of one, invoke calls one of them.",
      actions: { status: {}, describe: { needs: ["node"] }, invoke: { needs: ["node", "tool"], takes: ["input"] } },
      properties: {
        node: { ...text, minLength: 1, maxLength: 200, description: "The machine, as status names it." },
        tool: { ...text, minLength: 1, maxLength: 128, description: "The tool, as describe names it." },
        input: { type: "object", description: "The arguments of the tool." },
      },
    }),
    outputSchema: {
      type: "object",
      properties: {
        nodes: {
          type: "array",
          description: "For status.",
          items: {
            type: "object",
            properties: { node: text, kind: text, state: text, tools: { type: "integer" } },
            required: ["node", "kind", "state", "tools"],
          },
        },
        node: text,
        kind: text,
        state: text,
        tools: {
          type: "array",
          description: "For describe.",
          items: { type: "object", properties: { name: text, description: text }, required: ["name", "description"] },
        },
        result: { description: "For invoke, what the tool answered." },
      },
    },
    metadata: {
      category: "nodes",
      optionality: "optional",
      usageHint: "To find out which machines are connected. Their tools can be called directly as well.",
      examples: [{ description: "See what is connected", input: { action: "status" }, usage: "result.nodes[0].node" }],
      annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
      labels: ["untrusted"],
      limits: { timeoutMs: 120_000, maxResultBytes: 1_048_576, concurrency: 4 },
      groups: ["nodes"],
    },
    handler: (input, context) => answer(host, input as unknown as NodesInput, context),
  });
}

async function answer(
  host: NodesHost,
  { action, node: id, tool, input = {} }: NodesInput,
  context: CallContext,
): Promise<HandlerResult | object> {
  const nodes = await host.list(context);
  if (action === "status") return { nodes: nodes.map(({ id: node, kind, state, tools }) => ({ node, kind, state, tools: tools.length })) };
  const node = nodes.find((one) => one.id === id) ?? missing(id!, nodes);
  if (action === "describe") return { node: node.id, kind: node.kind, state: node.state, tools: [...node.tools] };
  if (!node.tools.some(({ name }) => name === tool))
    throw new ToolInputError(`"${node.id}" has no tool ${JSON.stringify(tool)} for you. See: {"action":"describe","node":"${node.id}"}`);
  const result = await context.call(tool!, input);
  if (!result.ok) return result;
  return {
    ok: true,
    content: result.content,
    ...(result.blocks !== undefined && { blocks: result.blocks }),
    data: { node: node.id, result: result.data ?? result.content },
  };
}

function missing(id: string, nodes: readonly Node[]): never {
  throw new ToolInputError(`There is no machine ${JSON.stringify(id)}. Connected: ${nodes.map((one) => one.id).join(", ") || "none"}.`);
}
