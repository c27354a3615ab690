import { type Client, type ClientConnection, type ClientName, type ClientValue, headersOf } from "./client.ts";

type Http = Extract<ClientConnection, { kind: "http" }>;
type Stdio = Extract<ClientConnection, { kind: "stdio" }>;

/** "~/.x" on every system. */
const inHome = (path: string): Client["files"] => ({ linux: `~/${path}`, macos: `~/${path}`, windows: `~/${path}` });

/** As most clients write a program. */
const program = ({ command, args, env }: Stdio): ClientValue => ({ command, args, ...(env && { env }) });

/** An address under the name that the client has for it, with the headers. */
const address = (name: string, http: Http, more: ClientValue = {}): ClientValue => {
  const headers = headersOf(http);
  return { ...more, [name]: http.url, ...(headers && { headers }) };
};

/** Each client once. The formats are those of the clients' own documentation. */
export const clients: Readonly<Record<ClientName, Client>> = {
  "claude-desktop": {
    name: "claude-desktop",
    title: "Claude Desktop",
    format: "json",
    files: {
      linux: "~/.config/Claude/claude_desktop_config.json",
      macos: "~/Library/Application Support/Claude/claude_desktop_config.json",
      windows: "%APPDATA%/Claude/claude_desktop_config.json",
    },
    key: "mcpServers",
    toValue: (_, connection) => (connection.kind === "stdio" ? program(connection) : bridge(connection)),
    note: ({ kind }) =>
      kind === "http"
        ? "The file of Claude Desktop lists programs only: this entry starts mcp-remote from npm, which forwards to the address. The stdio entry does without it."
        : undefined,
  },
  "claude-code": {
    name: "claude-code",
    title: "Claude Code",
    format: "json",
    files: inHome(".claude.json"),
    projectFile: ".mcp.json",
    key: "mcpServers",
    toValue: (_, connection) =>
      connection.kind === "stdio" ? { type: "stdio", ...program(connection) } : address("url", connection, { type: "http" }),
  },
  cursor: {
    name: "cursor",
    title: "Cursor",
    format: "json",
    files: inHome(".cursor/mcp.json"),
    projectFile: ".cursor/mcp.json",
    key: "mcpServers",
    toValue: (_, connection) => (connection.kind === "stdio" ? program(connection) : address("url", connection)),
  },
  vscode: {
    name: "vscode",
    title: "Visual Studio Code",
    format: "json",
    files: {
      linux: "~/.config/Code/User/mcp.json",
      macos: "~/Library/Application Support/Code/User/mcp.json",
      windows: "%APPDATA%/Code/User/mcp.json",
    },
    projectFile: ".vscode/mcp.json",
    key: "servers",
    toValue: (_, connection) =>
      connection.kind === "stdio" ? { type: "stdio", ...program(connection) } : address("url", connection, { type: "http" }),
  },
  codex: {
    name: "codex",
    title: "Codex",
    format: "toml",
    files: inHome(".codex/config.toml"),
    projectFile: ".codex/config.toml",
    key: "mcp_servers",
    toValue(_, connection) {
      if (connection.kind === "stdio") return program(connection);
      const headers = headersOf(connection);
      return { url: connection.url, ...(headers && { http_headers: headers }) };
    },
  },
  "gemini-cli": {
    name: "gemini-cli",
    title: "Gemini CLI",
    format: "json",
    files: inHome(".gemini/settings.json"),
    projectFile: ".gemini/settings.json",
    key: "mcpServers",
    toValue: (_, connection) => (connection.kind === "stdio" ? program(connection) : address("httpUrl", connection)),
  },
  windsurf: {
    name: "windsurf",
    title: "Windsurf",
    format: "json",
    files: inHome(".codeium/windsurf/mcp_config.json"),
    key: "mcpServers",
    toValue: (_, connection) => (connection.kind === "stdio" ? program(connection) : address("serverUrl", connection)),
  },
  zed: {
    name: "zed",
    title: "Zed",
    format: "json",
    files: { linux: "~/.config/zed/settings.json", macos: "~/.config/zed/settings.json", windows: "%APPDATA%/Zed/settings.json" },
    projectFile: ".zed/settings.json",
    key: "context_servers",
    toValue: (_, connection) => (connection.kind === "stdio" ? { source: "custom", ...program(connection) } : address("url", connection)),
  },
  goose: {
    name: "goose",
    title: "Goose",
    format: "yaml",
    files: {
      linux: "~/.config/goose/config.yaml",
      macos: "~/.config/goose/config.yaml",
      windows: "%APPDATA%/Block/goose/config/config.yaml",
    },
    key: "extensions",
    toValue(name, connection) {
      const common = { enabled: true, name, description: "The tools of Toolrack", timeout: 300 };
      if (connection.kind === "stdio") {
        const { command, args, env } = connection;
        return { ...common, type: "stdio", cmd: command, args, ...(env && { envs: env }) };
      }
      const headers = headersOf(connection);
      return { ...common, type: "streamable_http", uri: connection.url, ...(headers && { headers }) };
    },
  },
};

/** The header is in a variable: some systems break an argument with a space. */
function bridge(http: Http): ClientValue {
  const args = ["--yes", "mcp-remote", http.url];
  if (http.key === undefined) return { command: "npx", args };
  return {
    command: "npx",
    args: [...args, "--header", "Authorization:${TOOLRACK_AUTHORIZATION}"],
    env: { TOOLRACK_AUTHORIZATION: `Bearer ${http.key}` },
  };
}
