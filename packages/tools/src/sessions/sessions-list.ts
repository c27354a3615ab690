import { defineTool, type ToolDefinition } from "@toolrack/core";
import { type SessionsHost, type SessionKind, sessionKinds, type SessionSummary } from "./host.ts";
import type { SessionsParts } from "./options.ts";
import { agentParameter, labelParameter, sessionSchema } from "./schemas.ts";
import { maxHistoryBytes, showHistory, type ShownMessage } from "./shown-history.ts";

export function createSessionsList({ open, redact, now }: SessionsParts): ToolDefinition {
  return defineTool({
    name: "sessions_list",
    title: "List sessions",
    description: "Lists the sessions that you may see, the last active first, with their newest messages if you ask for them.",
    inputSchema: {
      type: "object",
      properties: {
        kinds: {
          type: "array",
          items: { type: "string", enum: [...sessionKinds] },
          minItems: 1,
          maxItems: sessionKinds.length,
          description: "Only sessions of these kinds.",
        },
        limit: { type: "integer", minimum: 1, maximum: 200, default: 100, description: "At most this many sessions." },
        offset: {
          type: "integer",
          minimum: 0,
          maximum: 100_000,
          default: 0,
          description: "Leaves out so many: nextOffset of the page before.",
        },
        activeMinutes: {
          type: "integer",
          minimum: 1,
          maximum: 525_600,
          description: "Only sessions that were active in the last minutes.",
        },
        messageLimit: {
          type: "integer",
          minimum: 0,
          maximum: 20,
          default: 0,
          description: "The newest messages of each session, at most so many.",
        },
        search: { type: "string", minLength: 1, maxLength: 200, description: "Part of the key or of the label." },
        label: labelParameter("Only sessions with exactly this label."),
        agentId: agentParameter("Only sessions of this agent."),
      },
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        count: { type: "integer" },
        sessions: { type: "array", items: sessionSchema },
        nextOffset: { type: "integer", description: "There are more sessions: the offset of the next page." },
      },
      required: ["count", "sessions"],
    },
    metadata: {
      category: "sessions",
      optionality: "optional",
      usageHint: "To find the key of a session before you read it or write to it.",
      examples: [
        { description: "What was active in the last hour", input: { activeMinutes: 60, messageLimit: 1 }, usage: "result.sessions[0].key" },
      ],
      annotations: { readOnly: true, idempotent: true, openWorld: false },
      limits: { timeoutMs: 30_000, maxResultBytes: 524_288 },
      groups: ["sessions"],
      profiles: ["coding", "messaging"],
    },
    async handler(input, context) {
      const { kinds, limit = 100, offset = 0, activeMinutes, messageLimit = 0, search, label, agentId } = input as Input;
      const host = await open(context);
      const found = await host.list({
        limit: limit + 1,
        offset,
        ...(kinds !== undefined && { kinds }),
        ...(agentId !== undefined && { agentId }),
        ...(label !== undefined && { label }),
        ...(search !== undefined && { search }),
        ...(activeMinutes !== undefined && { activeSince: now() - activeMinutes * 60_000 }),
      });
      const sessions: object[] = [];
      let room = maxHistoryBytes;
      for (const session of found.slice(0, limit)) {
        const messages = messageLimit === 0 ? undefined : await newest(host, session, messageLimit, room);
        room -= messages?.bytes ?? 0;
        sessions.push(toRow(session, messages?.messages));
      }
      return { count: sessions.length, sessions, ...(found.length > limit && { nextOffset: offset + limit }) };
    },
  });

  async function newest(host: SessionsHost, { key }: SessionSummary, limit: number, maxBytes: number): Promise<Newest> {
    const history = await host.history(key, { limit, offset: 0 });
    return showHistory(history?.messages ?? [], { redact, includeTools: false, maxBytes });
  }
}

interface Input {
  readonly kinds?: readonly SessionKind[];
  readonly limit?: number;
  readonly offset?: number;
  readonly activeMinutes?: number;
  readonly messageLimit?: number;
  readonly search?: string;
  readonly label?: string;
  readonly agentId?: string;
}

interface Newest {
  readonly messages: readonly ShownMessage[];
  readonly bytes: number;
}

function toRow(session: SessionSummary, messages: readonly ShownMessage[] | undefined): object {
  const { key, kind, agent, label, status, model, updatedAt, tokens } = session;
  return {
    key,
    kind,
    agent,
    ...(label !== undefined && { label }),
    status,
    ...(model !== undefined && { model }),
    updatedAt: new Date(updatedAt).toISOString(),
    tokens,
    ...(messages !== undefined && { messages }),
  };
}
