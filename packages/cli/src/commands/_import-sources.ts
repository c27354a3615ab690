import { shellWord } from "@toolrack/core/internal/shell-word";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { SourceImport, SourceInfo } from "@toolrack/server";
import type { Connection } from "../connection/connection.ts";
import { CommandError, fileFault, type ExitReason } from "../errors.ts";
import { safe } from "../print/safe.ts";
import type { Terminal } from "../print/terminal.ts";
import { mayGoOn } from "./_confirm.ts";
import { startedLines } from "./_source-lines.ts";
import type { CommandInput } from "./command.ts";

type Imported = SourceImport["sources"][number];

/** Shows what a client's file would bring, asks, adds it, and tells what became of each server. */
export async function importSources(
  input: CommandInput<[file: string]>,
  firstList: (connection: Connection, source: SourceInfo) => Promise<SourceInfo>,
): Promise<ExitReason> {
  const {
    arguments: [file],
    rest,
    options,
    lists,
    terminal,
    folder,
    environment,
  } = input;
  const text = readText(path.resolve(folder, file));
  const allowHosts = lists("allowHost");
  const allowVariables = lists("allowVariable");
  const body = {
    text,
    ...formatOf(file),
    folder: startFolder(path.resolve(folder, file)),
    ...(allowVariables.length > 0 && { variables: valuesOf(allowVariables, environment), allowVariables }),
    ...(rest.length > 0 && { only: rest }),
    ...(options["replace"] === true && { replace: true }),
    ...(options["allowUnpinned"] === true && { allowUnpinned: true }),
    ...(allowHosts.length > 0 && { allowHosts }),
  };
  const connection = await input.connect();
  const plan = await connection.ask("POST /sources/import", { body: { ...body, dryRun: true } });
  const isDry = options["dryRun"] === true;
  const count = plan.sources.filter(({ outcome }) => outcome === "planned").length;
  const isLast = isDry || count === 0;
  if (isLast || !terminal.isJson) terminal.answer(plan, () => planLines(plan.sources, terminal).join("\n"));
  if (isLast) return endOf(plan.sources);
  if (!(await mayGoOn(input, `Add ${count === 1 ? "this source" : `these ${count} sources`}, and start their programs?`)))
    throw new CommandError("usage", "Nothing was changed. Run the command again with --yes to add them.");
  const done = await connection.ask("POST /sources/import", { body });
  const started: SourceInfo[] = [];
  for (const { name, outcome, state, identity } of done.sources) {
    if (outcome !== "added" && outcome !== "replaced") continue;
    const params = { id: name };
    // They were shown, and agreed to.
    if (state === "waiting-for-approval" && identity !== undefined)
      await connection.ask("POST /sources/{id}/approve", { params, body: { identity } });
    const { sources } = await connection.ask("GET /sources");
    const found = sources.find(({ id }) => id === name);
    if (found !== undefined) started.push(await firstList(connection, found));
  }
  const isReady = started.every(({ state }) => state === "ready");
  terminal.answer({ ...done, started }, () =>
    [
      ...started.flatMap((source) => startedLines(source, terminal.style)),
      ...done.sources.flatMap((one) => missingLines(one, terminal)),
      ...done.sources.filter(({ outcome }) => outcome === "failed").map((one) => terminal.style.bad(reasonLine(one))),
    ].join("\n"),
  );
  return isReady ? endOf(done.sources) : "failed";
}

function planLines(sources: readonly Imported[], terminal: Terminal): readonly string[] {
  if (sources.length === 0) return ["The file has no MCP servers."];
  return sources.flatMap((one) => {
    if (one.outcome !== "planned") return [(one.outcome === "failed" ? terminal.style.bad : terminal.style.dim)(reasonLine(one))];
    const facts = Object.entries(one.config ?? {}).map(([key, value]) => `  ${key}: ${safe(JSON.stringify(value))}`);
    const secrets = one.secrets.length === 0 ? [] : [`  stored as secrets: ${one.secrets.map(safe).join(", ")}`];
    const variables = one.variables.map(({ name, field, destination }) =>
      terminal.style.warn(`  sends the variable ${safe(name)} to ${safe(destination)}, in ${safe(field)}`),
    );
    return [`${safe(one.name)}:`, ...facts, ...variables, ...secrets, ...missingLines(one, terminal)];
  });
}

function missingLines({ name, missing }: Imported, { style }: Terminal): readonly string[] {
  return missing.map((secret) =>
    style.warn(`  ${safe(name)} needs ${safe(secret)}, which is not set: toolrack secrets set ${shellWord(safe(secret))}`),
  );
}

function reasonLine({ name, outcome, reason = "" }: Imported): string {
  return `${safe(name)} ${outcome === "failed" ? "cannot be taken over" : "is passed over"}: ${safe(reason).replace(/\.$/, "")}.`;
}

function endOf(sources: readonly Imported[]): ExitReason {
  return sources.some(({ outcome }) => outcome === "failed") ? "failed" : "ok";
}

function readText(file: string): string {
  try {
    if (statSync(file).size > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new CommandError(
      "usage",
      `${safe(file)} cannot be read: ${fileFault(error)}. Name the file in which the client keeps its MCP servers.`,
    );
  }
}

const maxBytes = 1_000_000;

/** Where the client starts the programs of a file: the project, of which an editor keeps a folder of its own. */
function startFolder(file: string): string {
  const place = path.dirname(file);
  return /^\.(?:vscode|cursor|zed|codex|gemini|windsurf|idea)$/.test(path.basename(place)) ? path.dirname(place) : place;
}

function formatOf(file: string): { readonly format?: "json" | "toml" | "yaml" } {
  const format = ({ ".json": "json", ".jsonc": "json", ".toml": "toml", ".yaml": "yaml", ".yml": "yaml" } as const)[path.extname(file)];
  return format === undefined ? {} : { format };
}

/** The values of the variables that the file may have: those that the person named, and no others. */
function valuesOf(names: readonly string[], environment: CommandInput["environment"]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])));
}
