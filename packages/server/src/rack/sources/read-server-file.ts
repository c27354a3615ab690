import { ToolError } from "@toolrack/core";
import { type McpJson, type McpJsonOptions, readMcpJson, readMcpServers } from "@toolrack/mcp";

export type ServerFileFormat = "json" | "toml" | "yaml";

/** Reads the file in which an editor or another client keeps its MCP servers. Throws CONFIG_INVALID for a text that is none. */
export async function readServerFile(text: string, format: ServerFileFormat | undefined, options: McpJsonOptions): Promise<McpJson> {
  const known = format ?? formatOf(text);
  if (known === "json") return readMcpJson(text, options);
  let parsed: unknown;
  try {
    parsed = known === "toml" ? (await import("smol-toml")).parse(text) : (await import("yaml")).parse(text, { maxAliasCount: 100 });
  } catch (error) {
    throw new ToolError("CONFIG_INVALID", `The file of MCP servers cannot be used: it is not ${known.toUpperCase()}: ${firstLine(error)}`);
  }
  return readMcpServers(parsed, options);
}

/** By its first character that is not a comment: "{" begins JSON, "[" a table of TOML. */
function formatOf(text: string): ServerFileFormat {
  const bare = text.replace(/^\uFEFF/, "").replace(/^(\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|#[^\n]*)+/, "");
  if (bare.startsWith("{")) return "json";
  return /^(\[|[\w."'-]+\s*=)/.test(bare) ? "toml" : "yaml";
}

function firstLine(error: unknown): string {
  return String((error as Error).message).split("\n")[0]!;
}
