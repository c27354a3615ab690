/** How a client reaches this Toolrack: a program that it starts, or an address. */
export type ServerEntry = ProgramEntry | AddressEntry;

export interface ProgramEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface AddressEntry {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function isAddress(entry: ServerEntry): entry is AddressEntry {
  return "url" in entry;
}

export type FileFormat = "json" | "toml" | "yaml";

/** An MCP client: where it keeps its servers, and in which form. */
export interface McpClientProgram {
  /** "claude-desktop" */
  readonly id: string;
  /** "Claude Desktop" */
  readonly title: string;
  readonly format: FileFormat;
  /** The key of the file that holds the servers by name. */
  readonly key: string;
  /** The file of one project, relative to its folder; used unless the user's own file is asked for. */
  readonly projectFile?: string;
  /** The file of the user. */
  userFile(places: UserPlaces): string;
  /** The entry in its form. Undefined: it starts programs only, and takes no address. */
  program(entry: ProgramEntry, name: string): Readonly<Record<string, unknown>>;
  address?(entry: AddressEntry, name: string): Readonly<Record<string, unknown>>;
  /** Its entry, read back; undefined if it is neither form. */
  read(entry: Readonly<Record<string, unknown>>): ServerEntry | undefined;
  /** What to do so that it notices: "Restart Claude Desktop." */
  readonly next: string;
}

/** The folders of this user. */
export interface UserPlaces {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** For settings of applications: "~/.config", "~/Library/Application Support", "%APPDATA%". */
  readonly settings: string;
  /** XDG_CONFIG_HOME, else "~/.config": also on macOS. */
  readonly config: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}
