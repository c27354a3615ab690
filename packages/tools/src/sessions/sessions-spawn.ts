import { defineTool, type ToolDefinition } from "@toolrack/core";
import { sessionThinking, type SpawnRequest } from "./host.ts";
import type { SessionsParts } from "./options.ts";
import { agentParameter, labelParameter } from "./schemas.ts";

export function createSessionsSpawn({ open }: SessionsParts): ToolDefinition {
  return defineTool({
    name: "sessions_spawn",
    title: "Spawn a sub-agent",
    description:
      "Starts a session that works on a task of its own, and returns at once. The result arrives as a message. Its tools are a part of those of this session.",
    inputSchema: {
      type: "object",
      properties: {
        task: { type: "string", minLength: 1, maxLength: 100_000, description: "The whole task, with the context that it needs." },
        label: labelParameter("A short name, by which you find it again."),
        agentId: agentParameter("The agent that works on it, as agents_list names it; your own if absent."),
        model: { type: "string", minLength: 1, maxLength: 200, description: "Another model than that of the agent." },
        thinking: {
          type: "string",
          enum: [...sessionThinking],
          description: "How much its model thinks before it answers; as the model has it if absent.",
        },
        runTimeoutSeconds: {
          type: "integer",
          minimum: 0,
          maximum: 86_400,
          default: 0,
          description: "It is ended after this time; 0: never.",
        },
        mode: {
          type: "string",
          enum: ["run", "session"],
          default: "run",
          description: "run: it ends with its answer. session: it stays, and takes messages.",
        },
        cleanup: { type: "string", enum: ["keep", "delete"], default: "keep", description: "Whether its messages are kept after its end." },
        tools: {
          type: "array",
          items: { type: "string", minLength: 1, maxLength: 128 },
          maxItems: 200,
          description: 'The tools that it gets, of those that you have: names, or patterns such as "web_*". All of yours if absent.',
        },
      },
      required: ["task"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        status: { type: "string", enum: ["accepted", "forbidden", "error"] },
        childSessionKey: { type: "string" },
        runId: { type: "string" },
        error: { type: "string", description: "Why it was not started." },
      },
      required: ["status"],
    },
    metadata: {
      category: "sessions",
      optionality: "optional",
      usageHint: "For work that can be done in parallel.",
      examples: [
        {
          description: "Research beside the own work",
          input: { task: "Find three sources about tea in Japan, with links.", label: "tea", tools: ["web_*"] },
          usage: "result.childSessionKey",
        },
      ],
      annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
      limits: { timeoutMs: 30_000 },
      groups: ["sessions"],
      profiles: ["coding"],
    },
    async handler(input, context) {
      const {
        runTimeoutSeconds = 0,
        mode = "run",
        cleanup = "keep",
        ...request
      } = input as Partial<SpawnRequest> & { readonly task: string };
      const host = await open(context);
      if (host.own === undefined) return { status: "forbidden", error: "Only a session can spawn others, and this call belongs to none." };
      return host.spawn({ ...request, runTimeoutSeconds, mode, cleanup });
    },
  });
}
