// The public names of @toolrack/mcp, one by one: adding a line here is a decision.

// MCP servers as a source of tools
export { upstreamIdentity } from "./upstream/fingerprint.ts";
export { type McpJson, type McpJsonOptions, readMcpJson } from "./upstream/mcp-json.ts";
export { mcpSource } from "./upstream/source.ts";
export {
  type HttpUpstream,
  type McpSource,
  type McpSourceOptions,
  type StdioUpstream,
  type UpstreamAuth,
  type UpstreamOptions,
  type UpstreamStatus,
  type UpstreamTool,
  upstreamToolOf,
} from "./upstream/upstream.ts";
