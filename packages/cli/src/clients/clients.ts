import path from "node:path";
import { clientEntry, type ClientFiles, type ClientName, clientNames } from "@toolrack/server/client-entries";
import { type AddressEntry, isAddress, type McpClientProgram, type ServerEntry, type UserPlaces } from "./client.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What to do so that a client notices. */
const nextSteps: Readonly<Record<ClientName, string>> = {
  "claude-desktop": "Quit Claude Desktop completely, and start it again.",
  "claude-code": "Start Claude Code in this folder, and approve the server there: /mcp shows it.",
  cursor: "Enable the server in Cursor: Settings, MCP.",
  vscode: 'Start the server in VS Code: command "MCP: List Servers".',
  codex: "Start Codex again; /mcp shows the server.",
  "gemini-cli": "Start Gemini CLI again; /mcp shows the server.",
  windsurf: "Refresh the servers in Windsurf: Cascade, MCP.",
  zed: "Zed reads the file at once; the settings of the agent panel show the server.",
  goose: "Start a new session of goose.",
};

/** Every client that `toolrack connect` knows, in the order of its list. Their files and formats are those of the server's client entries. */
export const clients: readonly McpClientProgram[] = clientNames.map((id) => {
  const { title, format, files, projectFile, path: keys } = clientEntry(id, { kind: "stdio", command: "toolrack", args: [] });
  return {
    id,
    title,
    format,
    key: keys[0],
    ...(projectFile !== undefined && { projectFile }),
    isProjectFirst: ["claude-code", "cursor", "vscode"].includes(id),
    takesAddresses: id !== "claude-desktop",
    userFile: (places) => (id === "codex" ? codexFile(places) : undefined) ?? fill(files, places),
    next: nextSteps[id],
  };
});

/** The entry as the client writes it down. */
export function toClientValue({ id }: McpClientProgram, entry: ServerEntry, name: string): Fields {
  return clientEntry(id, isAddress(entry) ? { kind: "http", url: entry.url, key: keyOf(entry) } : { kind: "stdio", ...entry }, name).value;
}

/** The entry of any client, read back; undefined if it is neither a program nor an address. */
export function readClientValue(fields: Fields): ServerEntry | undefined {
  const { command, cmd, args, env, envs, url, httpUrl, serverUrl, uri, headers, http_headers: httpHeaders } = fields;
  const program = command ?? cmd;
  if (typeof program === "string") {
    const words = Array.isArray(args) ? args.filter((arg) => typeof arg === "string") : [];
    const variables = env ?? envs;
    return { command: program, args: words, ...(isTexts(variables) && { env: variables }) };
  }
  const address = url ?? httpUrl ?? serverUrl ?? uri;
  const all = headers ?? httpHeaders;
  return typeof address === "string" ? { url: address, headers: isTexts(all) ? all : {} } : undefined;
}

function keyOf({ headers }: AddressEntry): string {
  return headers["Authorization"]!.slice("Bearer ".length);
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === "object" && value !== null && Object.values(value).every((one) => typeof one === "string");
}

function fill({ linux, macos, windows }: ClientFiles, { platform, home, appData, config }: UserPlaces): string {
  const file = platform === "win32" ? windows : platform === "darwin" ? macos : linux;
  if (file.startsWith("%APPDATA%/")) return path.join(appData, file.slice("%APPDATA%/".length));
  return file.startsWith("~/.config/") ? path.join(config, file.slice("~/.config/".length)) : path.join(home, file.slice("~/".length));
}

function codexFile({ environment }: UserPlaces): string | undefined {
  const home = environment["CODEX_HOME"];
  return home ? path.join(home, "config.toml") : undefined;
}
