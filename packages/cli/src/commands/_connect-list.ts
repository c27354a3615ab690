import { existsSync } from "node:fs";
import path from "node:path";
import { isAddress, type McpClientProgram, type ServerEntry } from "../clients/client.ts";
import { readClientValue } from "../clients/clients.ts";
import { openFile } from "../clients/edit.ts";
import { readClientFile } from "../clients/files.ts";
import { userPlaces } from "../clients/places.ts";
import type { ExitReason } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { agentIn } from "./_connect-entry.ts";
import type { CommandInput } from "./command.ts";

/** Every client with its files, and whether they have our entry. */
export async function listClients(input: CommandInput, clients: readonly McpClientProgram[]): Promise<ExitReason> {
  const { terminal, folder, environment, options } = input;
  const places = userPlaces(environment);
  const name = String(options["name"]);
  const rows: { readonly client: string; readonly file: string; readonly state: string }[] = [];
  for (const client of clients) {
    const files = [...(client.projectFile === undefined ? [] : [path.resolve(folder, client.projectFile)]), client.userFile(places)];
    for (const file of files) rows.push({ client: client.id, file, state: await stateOf(client, file, name) });
  }
  terminal.answer({ clients: rows }, () =>
    [
      terminal.table(
        ["CLIENT", "ENTRY", "FILE"],
        rows.map(({ client, file, state }) => [client, safe(state), safe(file)]),
      ),
      "Add one with: toolrack connect <client> --agent <id>",
    ].join("\n"),
  );
  return "ok";
}

async function stateOf(client: McpClientProgram, file: string, name: string): Promise<string> {
  try {
    const text = readClientFile(file);
    if (text === undefined) return existsSync(path.dirname(file)) ? "none" : "none (no such folder)";
    const found = (await openFile(file, text, client.format, client.key)).entry(name);
    const entry = found && readClientValue(found);
    return entry === undefined ? "none" : describe(entry);
  } catch {
    return "the file cannot be read";
  }
}

function describe(entry: ServerEntry): string {
  if (isAddress(entry)) return `address ${entry.url}`;
  const agent = agentIn(entry);
  return agent === undefined ? "another server of this name" : `program, agent ${agent}`;
}
