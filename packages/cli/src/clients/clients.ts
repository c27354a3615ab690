import path from "node:path";
import type { AddressEntry, McpClientProgram, ProgramEntry, ServerEntry } from "./client.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Every client that `toolrack connect` knows, in the order of its list. Sources of the formats: decisions/0056. */
export const clients: readonly McpClientProgram[] = [
  {
    id: "claude-desktop",
    title: "Claude Desktop",
    format: "json",
    key: "mcpServers",
    userFile: ({ settings }) => path.join(settings, "Claude", "claude_desktop_config.json"),
    program: plainProgram,
    read: readPlain,
    next: "Quit Claude Desktop completely, and start it again.",
  },
  {
    id: "claude-code",
    title: "Claude Code",
    format: "json",
    key: "mcpServers",
    projectFile: ".mcp.json",
    userFile: ({ home }) => path.join(home, ".claude.json"),
    program: (entry) => ({ type: "stdio", ...plainProgram(entry), env: entry.env ?? {} }),
    address: ({ url, headers }) => ({ type: "http", url, headers }),
    read: readPlain,
    next: "Start Claude Code in this folder, and approve the server there: /mcp shows it.",
  },
  {
    id: "cursor",
    title: "Cursor",
    format: "json",
    key: "mcpServers",
    projectFile: path.join(".cursor", "mcp.json"),
    userFile: ({ home }) => path.join(home, ".cursor", "mcp.json"),
    program: plainProgram,
    address: plainAddress,
    read: readPlain,
    next: "Enable the server in Cursor: Settings, MCP.",
  },
  {
    id: "vscode",
    title: "VS Code",
    format: "json",
    key: "servers",
    projectFile: path.join(".vscode", "mcp.json"),
    userFile: ({ settings }) => path.join(settings, "Code", "User", "mcp.json"),
    program: (entry) => ({ type: "stdio", ...plainProgram(entry) }),
    address: ({ url, headers }) => ({ type: "http", url, headers }),
    read: readPlain,
    next: 'Start the server in VS Code: command "MCP: List Servers".',
  },
  {
    id: "codex",
    title: "Codex",
    format: "toml",
    key: "mcp_servers",
    userFile: ({ home, environment }) => path.join(environment["CODEX_HOME"] || path.join(home, ".codex"), "config.toml"),
    program: plainProgram,
    address: ({ url, headers }) => ({ url, http_headers: headers }),
    read: (entry) => readPlain({ ...entry, headers: entry["http_headers"] }),
    next: "Start Codex again; /mcp shows the server.",
  },
  {
    id: "gemini-cli",
    title: "Gemini CLI",
    format: "json",
    key: "mcpServers",
    userFile: ({ home }) => path.join(home, ".gemini", "settings.json"),
    program: plainProgram,
    address: ({ url, headers }) => ({ httpUrl: url, headers }),
    read: (entry) => readPlain({ ...entry, url: entry["httpUrl"] }),
    next: "Start Gemini CLI again; /mcp shows the server.",
  },
  {
    id: "windsurf",
    title: "Windsurf",
    format: "json",
    key: "mcpServers",
    userFile: ({ home }) => path.join(home, ".codeium", "windsurf", "mcp_config.json"),
    program: plainProgram,
    address: ({ url, headers }) => ({ serverUrl: url, headers }),
    read: (entry) => readPlain({ ...entry, url: entry["serverUrl"] }),
    next: "Refresh the servers in Windsurf: Cascade, MCP.",
  },
  {
    id: "zed",
    title: "Zed",
    format: "json",
    key: "context_servers",
    userFile: ({ platform, config, settings }) =>
      path.join(platform === "win32" ? settings : config, platform === "win32" ? "Zed" : "zed", "settings.json"),
    program: (entry) => ({ ...plainProgram(entry), env: entry.env ?? {} }),
    address: plainAddress,
    read: readPlain,
    next: "Zed reads the file at once; the agent panel's settings show the server.",
  },
  {
    id: "goose",
    title: "goose",
    format: "yaml",
    key: "extensions",
    userFile: ({ platform, config, settings }) =>
      platform === "win32" ? path.join(settings, "Block", "goose", "config", "config.yaml") : path.join(config, "goose", "config.yaml"),
    program: ({ command, args, env = {} }, name) => ({ ...gooseFields(name), type: "stdio", cmd: command, args, envs: env }),
    address: ({ url, headers }, name) => ({ ...gooseFields(name), type: "streamable_http", uri: url, headers, envs: {} }),
    read: (entry) => readPlain({ ...entry, command: entry["cmd"], url: entry["uri"], env: entry["envs"] }),
    next: "Start a new session of goose.",
  },
];

function plainProgram({ command, args, env }: ProgramEntry): Fields {
  return { command, args, ...(env !== undefined && { env }) };
}

function plainAddress({ url, headers }: AddressEntry): Fields {
  return { url, headers };
}

function gooseFields(name: string): Fields {
  return { enabled: true, name, description: "Tools of Toolrack", env_keys: [], timeout: 300, bundled: false };
}

function readPlain({ command, args, env, url, headers }: Fields): ServerEntry | undefined {
  if (typeof command === "string") {
    const words = Array.isArray(args) ? args.filter((arg) => typeof arg === "string") : [];
    return { command, args: words, ...(isTexts(env) && { env }) };
  }
  return typeof url === "string" ? { url, headers: isTexts(headers) ? headers : {} } : undefined;
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === "object" && value !== null && Object.values(value).every((one) => typeof one === "string");
}
