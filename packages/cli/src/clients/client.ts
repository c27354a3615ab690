import type { ClientFormat, ClientName } from "@toolrack/server/client-entries";

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

/** An MCP client on this machine. */
export interface McpClientProgram {
  readonly id: ClientName;
  /** "Claude Desktop" */
  readonly title: string;
  readonly format: ClientFormat;
  /** The key of the file that holds the servers by name. */
  readonly key: string;
  /** The file of one project, relative to its folder. */
  readonly projectFile?: string;
  /** Whether that file is used unless the user's own is asked for. */
  readonly isProjectFirst: boolean;
  /** Whether its file takes addresses; otherwise it starts programs only. */
  readonly takesAddresses: boolean;
  /** The file of the user. */
  userFile(places: UserPlaces): string;
  /** What to do so that it notices: "Restart Claude Desktop." */
  readonly next: string;
}

/** The folders of this user. */
export interface UserPlaces {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** %APPDATA% of Windows. */
  readonly appData: string;
  /** XDG_CONFIG_HOME, else "~/.config". */
  readonly config: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}
