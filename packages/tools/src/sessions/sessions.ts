import type { ToolDefinition } from "@toolrack/core";
import { createAgentsList } from "./agents-list.ts";
import type { SessionsParts, SessionsToolsOptions } from "./options.ts";
import { redactSecretForms } from "./redact.ts";
import { createSessionStatus } from "./session-status.ts";
import { createSessionsHistory } from "./sessions-history.ts";
import { createSessionsList } from "./sessions-list.ts";
import { createSessionsSend } from "./sessions-send.ts";
import { createSessionsSpawn } from "./sessions-spawn.ts";
import { createSubagents } from "./subagents.ts";

/** Tools by which an agent finds its sessions, reads and writes to them, and lets others work for it. */
export function createSessionsTools({ open, redact, now = () => Date.now() }: SessionsToolsOptions): readonly ToolDefinition[] {
  const parts: SessionsParts = {
    open,
    now,
    redact: redact === undefined ? redactSecretForms : (text) => redactSecretForms(redact(text)),
  };
  return [
    createSessionsList(parts),
    createSessionsHistory(parts),
    createSessionsSend(parts),
    createSessionsSpawn(parts),
    createSubagents(parts),
    createSessionStatus(parts),
    createAgentsList(parts),
  ];
}
