import type { ToolDefinition } from "@toolrack/core";
import { upstreamToolOf } from "@toolrack/mcp";

/**
 * Names of OpenTelemetry's semantic conventions, GenAI and MCP (status: development), and of ours beside them. Which version they are of is
 * told in decisions/0057.
 */
export const attribute = {
  operation: "gen_ai.operation.name",
  tool: "gen_ai.tool.name",
  toolType: "gen_ai.tool.type",
  toolCallId: "gen_ai.tool.call.id",
  prompt: "gen_ai.prompt.name",
  errorType: "error.type",
  mcpMethod: "mcp.method.name",
  mcpSession: "mcp.session.id",
  mcpVersion: "mcp.protocol.version",
  requestId: "jsonrpc.request.id",
  rpcStatus: "rpc.response.status_code",
  transport: "network.transport",
  protocol: "network.protocol.name",
  address: "server.address",
  port: "server.port",
  httpMethod: "http.request.method",
  httpRoute: "http.route",
  httpStatus: "http.response.status_code",
  callId: "toolrack.call_id",
  parentCallId: "toolrack.parent_call_id",
  agent: "toolrack.agent",
  decision: "toolrack.decision",
  code: "toolrack.code",
  source: "toolrack.source",
  server: "toolrack.server",
} as const;

/** The operation of every call of a tool. */
export const executeTool = "execute_tool";

/** Tools of MCP servers run elsewhere; all others are functions of this process. */
export function toolType(tool: ToolDefinition): "extension" | "function" {
  return upstreamToolOf(tool) === undefined ? "function" : "extension";
}
