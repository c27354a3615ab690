import { defineTool, type ToolDefinition } from "@toolrack/core";
import type { SessionsParts } from "./options.ts";
import { messageSchema, sessionParameter } from "./schemas.ts";
import { maxHistoryBytes, showHistory } from "./shown-history.ts";
import { unknownSession } from "./unknown-session.ts";

export function createSessionsHistory({ open, redact }: SessionsParts): ToolDefinition {
  return defineTool({
    name: "sessions_history",
    title: "Read a session",
    description:
      "Reads the newest messages of a session, at most 80 KiB of them and 4,000 characters of each text, without images, and with secrets removed.",
    inputSchema: {
      type: "object",
      properties: {
        sessionKey: sessionParameter("The key or the id of the session."),
        limit: { type: "integer", minimum: 1, maximum: 1_000, default: 50, description: "At most this many messages." },
        offset: { type: "integer", minimum: 0, maximum: 1_000_000, default: 0, description: "Leaves out so many of the newest messages." },
        includeTools: { type: "boolean", default: false, description: "Include calls and results of tools." },
      },
      required: ["sessionKey"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        sessionKey: { type: "string" },
        messages: { type: "array", items: messageSchema, description: "The oldest first." },
        truncated: { type: "boolean", description: "There are older messages." },
        droppedMessages: { type: "integer", description: "How many of the messages did not fit into 80 KiB." },
        contentTruncated: { type: "boolean", description: "A text was cut at 4,000 characters." },
        contentRedacted: { type: "boolean", description: "A secret was removed." },
        bytes: { type: "integer" },
      },
      required: ["sessionKey", "messages", "truncated", "droppedMessages", "contentTruncated", "contentRedacted", "bytes"],
    },
    metadata: {
      category: "sessions",
      optionality: "optional",
      usageHint: "To see what happened in a session.",
      examples: [
        { description: "The last messages", input: { sessionKey: "agent:support:main", limit: 10 }, usage: "result.messages.at(-1).text" },
      ],
      annotations: { readOnly: true, idempotent: true, openWorld: false },
      limits: { timeoutMs: 30_000, maxResultBytes: 262_144 },
      groups: ["sessions"],
      profiles: ["coding", "messaging"],
    },
    async handler(input, context) {
      const { sessionKey, limit = 50, offset = 0, includeTools = false } = input as Input;
      const history = await (await open(context)).history(sessionKey, { limit, offset });
      if (history === undefined) throw unknownSession(sessionKey);
      const shown = showHistory(history.messages, { redact, includeTools, maxBytes: maxHistoryBytes });
      return {
        sessionKey: history.session.key,
        messages: shown.messages,
        truncated: history.more || shown.dropped > 0,
        droppedMessages: shown.dropped,
        contentTruncated: shown.cut,
        contentRedacted: shown.redacted,
        bytes: shown.bytes,
      };
    },
  });
}

interface Input {
  readonly sessionKey: string;
  readonly limit?: number;
  readonly offset?: number;
  readonly includeTools?: boolean;
}
