import { defineTool, type ToolDefinition } from "@toolrack/core";
import type { SessionsParts } from "./options.ts";

export function createAgentsList({ open }: SessionsParts): ToolDefinition {
  return defineTool({
    name: "agents_list",
    title: "Agents to spawn",
    description: "Lists the agents that sessions_spawn may be asked for, your own first.",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    outputSchema: {
      type: "object",
      properties: {
        requester: { type: "string", description: "Your own agent." },
        allowAny: { type: "boolean", description: "Whether every configured agent may be spawned." },
        agents: {
          type: "array",
          items: {
            type: "object",
            properties: {
              id: { type: "string" },
              name: { type: "string" },
              configured: { type: "boolean", description: "Whether it has a configuration of its own." },
            },
            required: ["id", "configured"],
          },
        },
      },
      required: ["requester", "allowAny", "agents"],
    },
    metadata: {
      category: "sessions",
      optionality: "optional",
      usageHint: "Before you spawn a session of another agent.",
      examples: [{ description: "Who can help", input: {}, usage: "result.agents.map((agent) => agent.id)" }],
      annotations: { readOnly: true, idempotent: true, openWorld: false },
      limits: { timeoutMs: 15_000 },
      groups: ["agents"],
    },
    handler: async (_, context) => (await open(context)).agents(),
  });
}
