// The entries of MCP clients for this server: pure functions, without files or network. The command and the console both use them.

import { type ClientConnection, type ClientFiles, type ClientFormat, type ClientName, clientNames, type ClientValue } from "./client.ts";
import { clients } from "./clients.ts";
import { toText } from "./text.ts";

export { type ClientConnection, type ClientFiles, type ClientFormat, type ClientName, clientNames, type ClientValue } from "./client.ts";

/** What goes into a client's file, and where that file is. */
export interface ClientEntry {
  readonly client: ClientName;
  /** "Visual Studio Code" */
  readonly title: string;
  readonly format: ClientFormat;
  readonly files: ClientFiles;
  readonly projectFile?: string;
  /** The keys that lead to the entry in the file: ["mcpServers", "toolrack"]. */
  readonly path: readonly [key: string, name: string];
  /** The entry, as data. */
  readonly value: ClientValue;
  /** A whole file that holds only this entry. */
  readonly text: string;
  readonly note?: string;
}

/**
 * The entry of one client, under the name "toolrack" or another one.
 * clientEntry("cursor", { kind: "http", url, key }).value → { url, headers: { Authorization: "Bearer …" } }
 */
export function clientEntry(client: ClientName, connection: ClientConnection, name = "toolrack"): ClientEntry {
  const { title, format, files, projectFile, key, toValue, note } = clients[client];
  const value = toValue(name, connection);
  const told = note?.(connection);
  return {
    client,
    title,
    format,
    files,
    ...(projectFile !== undefined && { projectFile }),
    path: [key, name],
    value,
    text: toText(format, key, name, value),
    ...(told !== undefined && { note: told }),
  };
}

export function isClientName(text: string): text is ClientName {
  return (clientNames as readonly string[]).includes(text);
}
