import type { ToolDefinition } from "@toolrack/core";
import { createSessionsTools } from "@toolrack/tools";
import { agentsCapability } from "../agents/agents-check.ts";
import type { OpenPack } from "./pack.ts";

/** The status of a session is on every server; the tools by which sessions work together are offered where agents run. */
export const open: OpenPack = (config, { sessions, redact }) =>
  sessions === undefined
    ? []
    : createSessionsTools({ open: sessions(config), ...(redact !== undefined && { redact }) }).map(whereAgentsRun);

function whereAgentsRun(tool: ToolDefinition): ToolDefinition {
  if (tool.name === "session_status") return tool;
  return { ...tool, metadata: { ...tool.metadata, requiresCapabilities: [agentsCapability] } };
}
