import { defineTool, type ToolDefinition } from "@toolrack/core";
import type { SendOutcome, SessionsHost } from "./host.ts";
import type { SessionsParts } from "./options.ts";
import { agentParameter, labelParameter, sessionParameter } from "./schemas.ts";
import { unknownSession } from "./unknown-session.ts";

export function createSessionsSend({ open, redact }: SessionsParts): ToolDefinition {
  return defineTool({
    name: "sessions_send",
    title: "Send to a session",
    description: "Sends a message to another session, by its key or its label, and waits for the answer. A timeout ends only the wait.",
    inputSchema: {
      type: "object",
      properties: {
        message: { type: "string", minLength: 1, maxLength: 100_000, description: "The message." },
        sessionKey: sessionParameter("The key or the id of the session; or give its label."),
        label: labelParameter("The label of the session, if you do not give its key."),
        agentId: agentParameter("The agent of the session with this label."),
        timeoutSeconds: {
          type: "integer",
          minimum: 0,
          maximum: 600,
          default: 30,
          description: "How long to wait for the answer; 0: not at all.",
        },
      },
      required: ["message"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        status: {
          type: "string",
          enum: ["ok", "accepted", "timeout", "error", "forbidden"],
          description: "accepted: sent, and nobody waits. timeout: no answer within the time; the run goes on.",
        },
        runId: { type: "string" },
        sessionKey: { type: "string" },
        reply: { type: "string", description: "The answer, if the status is ok." },
        error: { type: "string", description: "Why it was not sent, or not answered." },
      },
      required: ["status"],
    },
    metadata: {
      category: "sessions",
      optionality: "optional",
      usageHint: "To exchange messages with another session. After a timeout look at its history: do not send the message again.",
      examples: [
        {
          description: "A question to a session",
          input: { sessionKey: "agent:support:main", message: "Which order is late?" },
          usage: "result.reply",
        },
      ],
      annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
      limits: { timeoutMs: 630_000 },
      groups: ["sessions"],
      profiles: ["coding", "messaging"],
    },
    async handler(input, context) {
      const { message, timeoutSeconds = 30 } = input as Input;
      const host = await open(context);
      if (host.own === undefined) return refuse("Only a session can send to another, and this call belongs to none.");
      const target = await targetOf(host, input as Input);
      if ("error" in target) return { status: "error", error: target.error };
      const own = await host.status();
      if (own?.key === target.session || own?.id === target.session)
        return refuse("This is your own session. Send to another one, or go on with your task.");
      const outcome = await host.send(target.session, message, { waitMs: timeoutSeconds * 1_000, signal: context.signal });
      if (outcome === undefined) return { status: "error", error: unknownSession(target.session).message };
      const answer = outcome.status === "ok" ? { ...outcome, reply: redact(outcome.reply) } : outcome;
      return { ...answer, sessionKey: (await host.status(target.session))?.key ?? target.session };
    },
  });
}

interface Input {
  readonly message: string;
  readonly sessionKey?: string;
  readonly label?: string;
  readonly agentId?: string;
  readonly timeoutSeconds?: number;
}

function refuse(error: string): SendOutcome {
  return { status: "forbidden", error };
}

/** A label is looked for among the sessions in sight alone. */
async function targetOf(host: SessionsHost, { sessionKey, label, agentId }: Input): Promise<{ session: string } | { error: string }> {
  if ((sessionKey === undefined) === (label === undefined)) return { error: "Name the session by sessionKey or by label, not by both." };
  if (sessionKey !== undefined) return { session: sessionKey };
  const found = await host.list({ label: label!, limit: 2, offset: 0, ...(agentId !== undefined && { agentId }) });
  if (found.length === 1) return { session: found[0]!.key };
  if (found.length > 1)
    return {
      error: `More than one session has the label ${JSON.stringify(label)}: ${found.map(({ key }) => key).join(", ")}. Send to its key.`,
    };
  return { error: unknownSession(label!).message };
}
