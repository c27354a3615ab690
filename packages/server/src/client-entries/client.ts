/** The MCP clients whose configuration files are known. */
export const clientNames = [
  "claude-desktop",
  "claude-code",
  "cursor",
  "vscode",
  "codex",
  "gemini-cli",
  "windsurf",
  "zed",
  "goose",
] as const;
export type ClientName = (typeof clientNames)[number];

/** How a client reaches the server: by a program that it starts, or by an address with a key. */
export type ClientConnection =
  | {
      readonly kind: "stdio";
      /** "toolrack", or the whole path of the program. */
      readonly command: string;
      /** ["mcp", "--agent", "support"] */
      readonly args: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: "http";
      /** "http://127.0.0.1:7333/mcp" */
      readonly url: string;
      /** The API key; without one, callers need none. */
      readonly key?: string;
    };

export type ClientFormat = "json" | "toml" | "yaml";

/** "~" is the home folder and "%APPDATA%" the folder of that name on Windows; the caller puts the real ones in. */
export interface ClientFiles {
  readonly linux: string;
  readonly macos: string;
  readonly windows: string;
}

/** One client: where its file is, which format it has, and how it writes down a server. */
export interface Client {
  readonly name: ClientName;
  /** "Claude Desktop" */
  readonly title: string;
  readonly format: ClientFormat;
  /** The file of the user. */
  readonly files: ClientFiles;
  /** The file of one project, relative to its folder, for clients that have one. */
  readonly projectFile?: string;
  /** The key of the file that holds the servers: "mcpServers". */
  readonly key: string;
  /** What stands under the server's name. */
  toValue(name: string, connection: ClientConnection): ClientValue;
  /** What a person has to know about the entry. */
  note?(connection: ClientConnection): string | undefined;
}

export type ClientValue = Readonly<Record<string, ClientValuePart>>;
export type ClientValuePart = string | number | boolean | readonly string[] | Readonly<Record<string, string>>;

/** The Authorization header, or nothing where no key is needed. */
export function headersOf({ key }: Extract<ClientConnection, { kind: "http" }>): Readonly<Record<string, string>> | undefined {
  return key === undefined ? undefined : { Authorization: `Bearer ${key}` };
}
