import path from "node:path";
import type { McpClientProgram } from "../clients/client.ts";
import { CommandError, type ExitReason } from "../errors.ts";
import { didYouMean } from "../print/did-you-mean.ts";
import { safe } from "../print/safe.ts";
import { mustBeAgent } from "./_agent.ts";
import type { Command, CommandInput } from "./command.ts";

export const connect: Command = {
  name: "connect",
  summary: "Add this Toolrack to an MCP client: show the entry, write it into the client's file with a backup, or undo that.",
  usesTools: false,
  arguments: [
    {
      form: "[client]",
      description: "claude-desktop, claude-code, cursor, vscode, codex, gemini-cli, windsurf, zed or goose; without one, all are listed",
    },
  ],
  options: [
    { flags: "--agent <id>", description: "the agent that the client is (default: the only one of the configuration)" },
    { flags: "--write", description: "write the entry; without it, a person is asked, and a pipe only gets shown what would be written" },
    { flags: "--http", description: "an entry with the server's address and a new API key, instead of a program that the client starts" },
    { flags: "--user", description: "the user's own file; the default but for claude-code, cursor and vscode" },
    { flags: "--project", description: "the file of this project; the default for claude-code, cursor and vscode" },
    { flags: "--file <path>", description: "the client's file, if it is somewhere else" },
    { flags: "--name <name>", description: "name of the entry", default: "toolrack" },
    { flags: "--undo", description: "remove the entry again, and revoke its key" },
  ],
  examples: [
    "toolrack connect",
    "toolrack connect claude-desktop --agent assistant",
    "toolrack connect cursor --agent assistant --write",
    "toolrack connect cursor --undo",
  ],
  async run(input): Promise<ExitReason> {
    const {
      arguments: [wanted],
      options,
    } = input;
    const { clients } = await import("../clients/clients.ts");
    if (wanted === undefined) return (await import("./_connect-list.ts")).listClients(input, clients);
    const client = clients.find(({ id }) => id === wanted);
    if (client === undefined) throw unknownClient(wanted, clients);
    const file = await fileOf(input, client);
    const name = String(options["name"]);
    if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name))
      throw new CommandError("usage", `"${safe(name)}" cannot name an entry. Use letters, digits, "-", "_" and ".", at most 64.`);
    if (typeof options["agent"] === "string") mustBeAgent(options["agent"]);
    const { addEntry, removeEntry } = await import("./_connect-entry.ts");
    return (options["undo"] === true ? removeEntry : addEntry)(input, { client, file, name });
  },
};

/** The client's file: as it is named, that of this project, or the user's. */
async function fileOf({ options, folder, environment }: CommandInput, client: McpClientProgram): Promise<string> {
  if (typeof options["file"] === "string") return path.resolve(folder, options["file"]);
  if (options["project"] === true && client.projectFile === undefined)
    throw new CommandError("usage", `${client.title} has no file for one project. Leave out --project.`);
  const isProject = options["project"] === true || (client.isProjectFirst && options["user"] !== true);
  if (isProject) return path.resolve(folder, client.projectFile!);
  const { userPlaces } = await import("../clients/places.ts");
  return client.userFile(userPlaces(environment));
}

function unknownClient(wanted: string, clients: readonly McpClientProgram[]): CommandError {
  const near = clients.find(
    ({ id, title }) => id.replaceAll("-", "").includes(wanted.toLowerCase().replaceAll(/[^a-z]/g, "")) || title === wanted,
  );
  const hint =
    near === undefined
      ? didYouMean(
          wanted,
          clients.map(({ id }) => id),
        )
      : ` Did you mean "${near.id}"?`;
  return new CommandError(
    "usage",
    `"${safe(wanted)}" is not a client that is known here.${hint} Known are ${clients.map(({ id }) => id).join(", ")}. For another one, use the entry of cursor: most clients read it.`,
  );
}
