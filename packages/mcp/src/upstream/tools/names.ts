import { createHash } from "node:crypto";
import { ToolError } from "@toolrack/core";

/** The most that every model vendor takes. */
const maxLength = 64;
const separator = "__";

/**
 * ("github", "create_issue") → "github__create_issue". A name that is too long or has other characters ends in a digest of itself:
 * ("files", "read.file") → "files__read_file_c2a1b0d9e8". The first "__" always ends the server's name.
 */
export function toToolName(server: string, tool: string): string {
  const plain = `${server}${separator}${tool}`;
  if (plain.length <= maxLength && /^[A-Za-z0-9_-]+$/.test(tool)) return plain;
  const digest = createHash("sha256").update(tool).digest("hex").slice(0, 10);
  const room = maxLength - server.length - separator.length - digest.length - 1;
  return `${server}${separator}${tool.slice(0, room).replaceAll(/[^A-Za-z0-9_-]/g, "_")}_${digest}`;
}

export function assertServerName(name: unknown): asserts name is string {
  if (typeof name === "string" && name.length <= 32 && /^[A-Za-z0-9](?:[_-]?[A-Za-z0-9])*$/.test(name)) return;
  const shown = typeof name === "string" ? JSON.stringify(name.slice(0, 80)) : `A ${typeof name}`;
  throw new ToolError(
    "CONFIG_INVALID",
    `${shown} cannot name an MCP server. Use 1 to 32 letters, digits, and single "-" or "_" between them: its tools are called name__tool.`,
  );
}
