import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { shellWord } from "@toolrack/core/internal/shell-word";
import { findServer } from "@toolrack/server/known-servers";
import { isAddress, type McpClientProgram, type ProgramEntry, type ServerEntry } from "../clients/client.ts";
import { readClientValue, toClientValue } from "../clients/clients.ts";
import { type EditableFile, openFile } from "../clients/edit.ts";
import { copiesOf, isReadByOthers, readClientFile, removeClientFile, restoreCopy, writeClientFile } from "../clients/files.ts";
import type { Connection } from "../connection/connection.ts";
import { CommandError, fileFault, type ExitReason } from "../errors.ts";
import { counted } from "../print/counted.ts";
import { safe } from "../print/safe.ts";
import { warnOfFirstKey } from "./_first-key.ts";
import { version } from "../version.ts";
import { mayGoOn } from "./_confirm.ts";
import { keyIn, revokeKeyOf } from "./_connect-key.ts";
import type { CommandInput } from "./command.ts";

export interface EntryPlace {
  readonly client: McpClientProgram;
  readonly file: string;
  /** Of the entry. */
  readonly name: string;
}

/** Shows the entry; writes it if that is wanted. */
export async function addEntry(input: CommandInput, place: EntryPlace): Promise<ExitReason> {
  const { client, file, name } = place;
  const { options, terminal } = input;
  const text = readClientFile(file);
  const opened = await openFile(file, text ?? "", client.format, client.key);
  const before = mustBeOurs(opened, place);
  const connection = await input.connect();
  const agent = await chooseAgent(connection, options["agent"]);
  const plan = options["http"] === true ? planAddress(connection, client) : planProgram(connection, input, agent);
  const entryOf = (key: string | undefined): Readonly<Record<string, unknown>> => toClientValue(client, plan.entry(key), name);
  const preview = entryOf(plan.needsKey ? `<a new key of ${agent.id}>` : undefined);
  const shown = (await openFile(file, "", client.format, client.key)).with(name, preview);
  if (!terminal.isJson)
    terminal.answer(undefined, () =>
      [
        `${client.title} reads ${safe(file)}${text === undefined ? ", which does not exist yet" : ""}.`,
        // Without a server nothing is loaded, so the tools of modules and sources are not known here.
        `The entry gives it the ${connection.isServer ? counted(agent.tools, "tool") : "tools"} of agent ${safe(agent.id)}:`,
        "",
        shown.trimEnd(),
        "",
      ].join("\n"),
    );
  if (plan.opensProject && input.environment["DATABASE_URL"])
    terminal.warn(
      "The variable DATABASE_URL is set here, and the client does not have it: while no server runs for this project, the entry does not use that database. Keep the server running, or use --http.",
    );
  if (!(await mayGoOn({ options: { yes: options["write"] === true }, terminal }, `Write it into ${file}?`))) {
    if (terminal.isJson) terminal.answer({ client: client.id, file, agent: agent.id, entry: preview, written: false }, () => "");
    else terminal.answer(undefined, () => "Nothing was written. Write it with: --write");
    return "ok";
  }
  const key = plan.needsKey ? await createKey(connection, agent.id, client, terminal) : undefined;
  const [holdsKey, wasRead] = [key !== undefined, text !== undefined && isReadByOthers(file)];
  let backup: string | undefined;
  try {
    // An entry of ours is replaced: the copy that was kept of the file without it stays the one to go back to.
    const write = { before: text, keepsCopy: before === undefined, isPrivate: holdsKey };
    ({ backup } = writeClientFile(file, opened.with(name, entryOf(key?.secret)), write));
  } catch (error) {
    if (key !== undefined) await connection.ask("DELETE /keys/{id}", { params: { id: key.id } });
    throw error;
  }
  const { reason } = before === undefined ? { reason: "ok" as const } : await revokeKeyOf(input, before);
  if (holdsKey && isReadByOthers(file))
    terminal.warn(`${safe(file)} holds a key, and others on this machine can read it: its file system does not keep them out.`);
  else if (holdsKey && wasRead)
    terminal.warn(`${safe(file)} holds a key now, so only you can read it from now on; others on this machine could before.`);
  if (holdsKey && client.projectFile !== undefined && file === path.resolve(input.folder, client.projectFile))
    terminal.warn(`${safe(file)} holds a key now: do not commit it. The user's own file is used with --user.`);
  terminal.answer({ client: client.id, file, agent: agent.id, written: true, ...(backup !== undefined && { backup }) }, () =>
    [
      terminal.style.good(`Written: ${safe(file)}`),
      ...(backup === undefined ? [] : [`Backup:  ${safe(backup)}`]),
      client.next,
      `Undo with: ${undoCommand(input, place)}`,
    ].join("\n"),
  );
  return reason;
}

/** The command that removes this very entry. */
function undoCommand({ program, options }: CommandInput, { client, file, name }: EntryPlace): string {
  const words = [
    ...(typeof options["file"] === "string" ? ["--file", shellWord(safe(file))] : []),
    ...["user", "project"].filter((flag) => options[flag] === true).map((flag) => `--${flag}`),
    ...(name === "toolrack" ? [] : ["--name", name]),
  ];
  return [program, "connect", client.id, ...words, "--undo"].join(" ");
}

/** Takes the entry out again, and puts the file back as it was if nothing else changed since. */
export async function removeEntry(input: CommandInput, place: EntryPlace): Promise<ExitReason> {
  const { client, file, name } = place;
  const { terminal } = input;
  const text = readClientFile(file);
  const opened = text === undefined ? undefined : await openFile(file, text, client.format, client.key);
  const entry = opened && mustBeOurs(opened, place);
  if (text === undefined || opened === undefined || entry === undefined)
    throw new CommandError(
      "notFound",
      `${safe(file)} has no entry "${safe(name)}", so there is nothing to undo. List them with: toolrack connect`,
    );
  const rest = opened.without(name);
  const copy = await findOriginal(place, text, opened);
  const isLeft = !(await openFile(file, rest, client.format, client.key)).isEmpty;
  if (copy !== undefined) restoreCopy(file, text, copy);
  else if (isLeft || copiesOf(file).length > 0) writeClientFile(file, rest, { before: text, keepsCopy: true });
  else removeClientFile(file, text);
  const { isRevoked, reason } = await revokeKeyOf(input, entry);
  terminal.answer({ client: client.id, file, removed: true, restored: copy !== undefined, revoked: isRevoked }, () =>
    [
      `The entry "${safe(name)}" was removed from ${safe(file)}${copy === undefined ? "" : ", which is again as it was"}.`,
      ...(isRevoked ? ["Its key was revoked."] : []),
    ].join("\n"),
  );
  return reason;
}

/** The copy that, with our entry, gives exactly what the file is now. */
async function findOriginal({ client, file, name }: EntryPlace, text: string, opened: EditableFile): Promise<string | undefined> {
  for (const copy of copiesOf(file)) {
    const original = readClientFile(copy) ?? "";
    const before = await openFile(copy, original, client.format, client.key).catch(() => undefined);
    if (before !== undefined && before.entry(name) === undefined && before.with(name, opened.entry(name)!) === text) return copy;
  }
  return undefined;
}

/** An entry of the same name that somebody else wrote is not touched. */
function mustBeOurs(opened: EditableFile, { file, name }: EntryPlace): ServerEntry | undefined {
  const found = opened.entry(name);
  if (found === undefined) return undefined;
  const entry = readClientValue(found);
  const isOurs = entry !== undefined && (isAddress(entry) ? keyIn(entry) !== undefined : agentIn(entry) !== undefined);
  if (isOurs) return entry;
  throw new CommandError("refused", `${file} has an entry "${name}" that this command did not write. Choose another name with --name.`);
}

/** "anna" of "… mcp --agent anna". */
export function agentIn({ args }: ProgramEntry): string | undefined {
  const at = args.indexOf("--agent");
  return at > 0 && args[at - 1] === "mcp" ? args[at + 1] : undefined;
}

interface ChosenAgent {
  readonly id: string;
  readonly tools: number;
}

async function chooseAgent(connection: Connection, wanted: string | boolean | undefined): Promise<ChosenAgent> {
  const { agents } = await connection.ask("GET /agents");
  const names = agents.map(({ id }) => id).join(", ");
  if (typeof wanted !== "string") {
    if (agents.length === 1) return agents[0]!;
    throw new CommandError(
      "usage",
      agents.length === 0
        ? "The configuration lists no agent yet. Add one under policy.agents, then name it with --agent."
        : `Name the agent that the client is, with --agent: ${names}.`,
    );
  }
  const found = agents.find(({ id }) => id.toLowerCase() === wanted.toLowerCase());
  if (found !== undefined) return found;
  throw new CommandError(
    "refused",
    `The configuration does not list the agent "${wanted}". ${agents.length === 0 ? "Add it under policy.agents." : `It lists ${names}.`}`,
  );
}

interface EntryPlan {
  readonly needsKey: boolean;
  /** Whether the client's program opens the project itself while no server runs for it. */
  readonly opensProject: boolean;
  entry(key: string | undefined): ServerEntry;
}

function planAddress({ where, isServer }: Connection, client: McpClientProgram): EntryPlan {
  if (!client.takesAddresses)
    throw new CommandError("usage", `${client.title} takes no address in this file: it starts programs. Leave out --http.`);
  if (!isServer || where.startsWith("unix:"))
    throw new CommandError(
      "usage",
      isServer
        ? "A client cannot be given the address of a Unix socket. Leave out --http."
        : "No server is running, so there is no address. Start one with toolrack serve, or leave out --http.",
    );
  return { needsKey: true, opensProject: false, entry: (key) => ({ url: `${where}/mcp`, headers: { Authorization: `Bearer ${key}` } }) };
}

/** The client starts `toolrack mcp` in any folder, so all paths are absolute. A server that is not this user's own asks for a key. */
function planProgram(
  connection: Connection,
  { folder, config, url, environment, script: started }: CommandInput,
  agent: ChosenAgent,
): EntryPlan {
  const named = url ?? environment["TOOLRACK_URL"];
  const file = path.resolve(folder, config ?? "toolrack.config.yaml");
  if (named === undefined && !existsSync(file))
    throw new CommandError("usage", `${file} does not exist, so the client would not find this project. Create it with: toolrack init`);
  const words = named === undefined ? ["--config", file] : ["--url", connection.where];
  const { command, args } = ownProgram(started);
  const needsKey = named !== undefined && findServer(connection.where, environment)?.ownerToken === undefined;
  return {
    needsKey,
    opensProject: named === undefined,
    entry: (key) => ({
      command,
      args: [...args, ...words, "mcp", "--agent", agent.id],
      ...(key !== undefined && { env: { TOOLRACK_KEY: key } }),
    }),
  };
}

/** This very program; from the cache of npx, which is emptied one day, the package of this version. */
function ownProgram(started: string): { readonly command: string; readonly args: readonly string[] } {
  const script = realScript(started);
  return /[\\/]_npx[\\/]/.test(script)
    ? { command: "npx", args: ["-y", `toolrack@${version}`] }
    : { command: process.execPath, args: [script] };
}

function realScript(started: string): string {
  try {
    return realpathSync(started);
  } catch (error) {
    throw new CommandError(
      "failed",
      `The client would have to start ${safe(started)}, which cannot be used: ${fileFault(error)}. Install toolrack again, or start it with: npx toolrack connect`,
    );
  }
}

async function createKey(
  connection: Connection,
  agent: string,
  client: McpClientProgram,
  terminal: CommandInput["terminal"],
): Promise<{ readonly id: string; readonly secret: string }> {
  const key = await connection.ask("POST /keys", { body: { agent, roles: [], description: `toolrack connect ${client.id}` } });
  warnOfFirstKey(key, terminal);
  return key;
}
