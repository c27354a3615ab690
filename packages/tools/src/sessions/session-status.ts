import { defineTool, type ToolDefinition, ToolError, ToolInputError } from "@toolrack/core";
import type { SessionCard } from "./host.ts";
import type { SessionsParts } from "./options.ts";
import { cardSchema, sessionParameter } from "./schemas.ts";
import { unknownSession } from "./unknown-session.ts";

export function createSessionStatus({ open, now }: SessionsParts): ToolDefinition {
  return defineTool({
    name: "session_status",
    title: "Status of a session",
    description: "Shows a card of a session: model, tokens, cost, time, what waits. It can also change the model of the session.",
    inputSchema: {
      type: "object",
      properties: {
        sessionKey: sessionParameter("The key or the id of the session; your own if absent."),
        model: {
          type: "string",
          minLength: 1,
          maxLength: 200,
          description: 'The model of the next turns; "default" for that of the agent. Absent: nothing is changed.',
        },
      },
      additionalProperties: false,
    },
    outputSchema: cardSchema,
    metadata: {
      category: "sessions",
      optionality: "optional",
      usageHint: "To see which model works, what was used so far, and what time it is.",
      examples: [{ description: "The own session", input: {}, usage: "result.card" }],
      annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
      limits: { timeoutMs: 15_000 },
      groups: ["sessions"],
      profiles: ["minimal", "coding", "messaging"],
    },
    async handler(input, context) {
      const { sessionKey, model } = input as { readonly sessionKey?: string; readonly model?: string };
      const host = await open(context);
      if (sessionKey === undefined && host.own === undefined)
        throw new ToolInputError("This call belongs to no session. Name one with sessionKey; sessions_list names those that you may use.");
      const session = sessionKey ?? host.own!;
      if ((await host.status(session)) === undefined) throw unknownSession(session);
      const change = model === undefined ? undefined : await host.setModel(session, model === "default" ? undefined : model);
      if (model !== undefined && change === undefined)
        throw new ToolError(
          "TOOL_NOT_ALLOWED",
          "Only a session itself, and one that it comes from, may change its model. Leave model out.",
        );
      if (change?.ok === false) throw new ToolInputError(change.error);
      const card = await host.status(session);
      if (card === undefined) throw unknownSession(session);
      const time = new Date(now()).toISOString();
      return { ...toFields(card, time), changedModel: change?.changed === true };
    },
  });
}

function toFields(card: SessionCard, time: string): object {
  const { key, kind, agent, label, status, model, updatedAt, tokens, inputTokens, outputTokens, costUsd, queued, runningChildren } = card;
  const lines = [
    `Session ${key}${label === undefined ? "" : ` (${label})`}: ${status}`,
    `Model: ${model ?? "not known"}`,
    `Tokens: ${inputTokens} in, ${outputTokens} out`,
    ...(costUsd === undefined ? [] : [`Cost: $${costUsd.toFixed(4)}`]),
    `Waiting messages: ${queued}; running children: ${runningChildren}`,
    `Time: ${time}`,
  ];
  return {
    card: lines.join("\n"),
    sessionKey: key,
    kind,
    agent,
    ...(label !== undefined && { label }),
    status,
    ...(model !== undefined && { model }),
    updatedAt: new Date(updatedAt).toISOString(),
    tokens,
    inputTokens,
    outputTokens,
    ...(costUsd !== undefined && { costUsd }),
    time,
    queued,
    runningChildren,
  };
}
