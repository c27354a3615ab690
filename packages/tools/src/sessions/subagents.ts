import { defineTool, type ToolDefinition, ToolInputError } from "@toolrack/core";
import type { JsonSchema } from "@toolrack/json-schema";
import { findChildren } from "./child-target.ts";
import type { ChildRun, SessionsHost } from "./host.ts";
import type { SessionsParts } from "./options.ts";

const text: JsonSchema = { type: "string" };

const child: JsonSchema = {
  type: "object",
  properties: {
    index: { type: "integer", description: "Its place in the list, from 1 on." },
    id: text,
    sessionKey: text,
    label: text,
    task: { type: "string", description: "The beginning of its task." },
    agent: text,
    model: text,
    status: { type: "string", enum: ["running", "done", "failed", "timeout", "cancelled"] },
    startedAt: text,
    endedAt: text,
  },
  required: ["index", "id", "sessionKey", "task", "agent", "status", "startedAt"],
};

export function createSubagents({ open, now }: SessionsParts): ToolDefinition {
  return defineTool({
    name: "subagents",
    title: "Your sub-agents",
    description: "Lists the sessions that you spawned, ends them, or tells a running one something that it reads between its turns.",
    inputSchema: {
      type: "object",
      properties: {
        action: {
          type: "string",
          enum: ["list", "kill", "cancel", "steer"],
          default: "list",
          description: "kill and cancel are the same: they end a child and what it spawned.",
        },
        target: {
          type: "string",
          minLength: 1,
          maxLength: 512,
          description: 'The child: its id, label or index in the list, "last", or "all" to end all. For kill and steer.',
        },
        message: { type: "string", minLength: 1, maxLength: 4_000, description: "What a child is told. For steer." },
        recentMinutes: {
          type: "integer",
          minimum: 1,
          maximum: 1_440,
          default: 30,
          description: "Lists also those that ended in the last minutes.",
        },
      },
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        active: { type: "array", items: child, description: "For list: those that run." },
        recent: { type: "array", items: child, description: "For list: those that ended not long ago." },
        cancelled: { type: "array", items: text, description: "For kill: the ids of those that ran." },
        steered: { type: "string", description: "For steer: the id of the child." },
      },
    },
    metadata: {
      category: "sessions",
      optionality: "optional",
      usageHint: "To see how far your sub-agents are, to correct one, or to end it. Results arrive as messages.",
      examples: [
        { description: "What runs", input: { action: "list" }, usage: "result.active[0].label" },
        {
          description: "A correction",
          input: { action: "steer", target: "last", message: "Sources of this year only." },
          usage: "result.steered",
        },
      ],
      annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
      limits: { timeoutMs: 30_000, maxResultBytes: 262_144 },
      groups: ["sessions"],
      profiles: ["coding"],
    },
    async handler(input, context) {
      const { action = "list", target, message, recentMinutes = 30 } = input as Input;
      const host = await open(context);
      const listed = await host.children({ endedSince: now() - recentMinutes * 60_000 });
      if (action === "list") {
        const rows = listed.map(toRow);
        return { active: rows.filter(({ status }) => status === "running"), recent: rows.filter(({ status }) => status !== "running") };
      }
      if (target === undefined) throw new ToolInputError(`The action ${action} needs a target: an id, a label, an index, "last" or "all".`);
      const found = findChildren(target, listed);
      if ("error" in found) throw new ToolInputError((await isOneself(host, target)) ? oneself(action) : found.error);
      if (action !== "steer") return { cancelled: await cancel(host, found.children) };
      if (message === undefined) throw new ToolInputError("The action steer needs a message.");
      if (target === "all" || found.children.length !== 1)
        throw new ToolInputError("Only one child is steered at a time. Name it by its id, its label or its index.");
      return { steered: await steer(host, found.children[0]!, message) };
    },
  });
}

interface Input {
  readonly action?: "list" | "kill" | "cancel" | "steer";
  readonly target?: string;
  readonly message?: string;
  readonly recentMinutes?: number;
}

async function isOneself(host: SessionsHost, target: string): Promise<boolean> {
  const own = host.own === undefined ? undefined : await host.status();
  return own !== undefined && (own.key === target || own.id === target);
}

function oneself(action: string): string {
  return `A session cannot ${action === "steer" ? "steer" : "end"} itself this way. Name one of your children.`;
}

async function cancel(host: SessionsHost, children: readonly ChildRun[]): Promise<string[]> {
  const ended: string[] = [];
  for (const { id, sessionKey } of children) if ((await host.cancel(sessionKey)) === true) ended.push(id);
  return ended;
}

async function steer(host: SessionsHost, { id, sessionKey }: ChildRun, message: string): Promise<string> {
  const outcome = await host.steer(sessionKey, message);
  if (outcome?.status === "steered") return id;
  if (outcome?.status === "wait")
    throw new ToolInputError(
      `${id} was steered a moment ago. Steer it again in ${Math.ceil(outcome.retryAfterMs / 1_000)} s, with all that it has to know.`,
    );
  throw new ToolInputError(`${id} has ended. Read its result in its history, or spawn another one.`);
}

function toRow({ id, sessionKey, label, task, agent, model, status, startedAt, endedAt }: ChildRun, position: number) {
  return {
    index: position + 1,
    id,
    sessionKey,
    ...(label !== undefined && { label }),
    task: task.length > 200 ? `${task.slice(0, 199)}…` : task,
    agent,
    ...(model !== undefined && { model }),
    status,
    startedAt: new Date(startedAt).toISOString(),
    ...(endedAt !== undefined && { endedAt: new Date(endedAt).toISOString() }),
  };
}
