import { shellWord } from "@toolrack/core/internal/shell-word";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { SourceInfo } from "@toolrack/server";
import type { Connection } from "../connection/connection.ts";
import { CommandError, type ExitReason } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { paintState } from "../print/style.ts";
import type { Terminal } from "../print/terminal.ts";
import { withId } from "./_ids.ts";
import { readInput } from "./_input.ts";
import { readNumber } from "./_numbers.ts";
import { sourceLines, startedLines } from "./_source-lines.ts";
import { documentOptions } from "./_openapi-options.ts";
import type { Command, CommandInput } from "./command.ts";

const allowHost = {
  flags: "--allow-host <host>",
  description: "host, or host:port, that may be reached although its address is private; can be repeated",
  isList: true,
} as const;
const allowUnpinned = {
  flags: "--allow-unpinned",
  description: "allow npx, uvx and similar to fetch a package without an exact version",
} as const;
const idArgument = { form: "<id>", description: "as `toolrack sources list` shows it, or its beginning" } as const;

export const sourcesList: Command = {
  name: "sources list",
  summary: "List the sources of tools and their state.",
  async run({ terminal, connect }) {
    const connection = await connect();
    const answer = await connection.ask("GET /sources");
    terminal.answer(answer, () =>
      [
        terminal.table(["SOURCE", "KIND", "STATE", "TOOLS", "FROM", "LAST ERROR"], answer.sources.map(row)),
        ...answer.sources.flatMap(retryLines),
        ...problems(),
        ...(answer.sources.some(({ held }) => held !== undefined)
          ? [terminal.style.warn("Held tools wait for a person. See what waits: toolrack approvals")]
          : []),
        ...answer.sources.flatMap(sourceLines),
      ].join("\n"),
    );

    function row(source: SourceInfo): readonly string[] {
      const { id, kind, state, tools, held = [], origin, error } = source;
      const count = held.length === 0 ? String(tools.length) : `${tools.length} (${held.length} held)`;
      return [safe(id), kind, paintState(terminal.style, state), count, safe(origin), safe(error ?? "")];
    }

    function problems(): readonly string[] {
      return answer.sources.flatMap(({ id, problems: lines }) => lines.map((line) => terminal.style.warn(`${safe(id)}: ${safe(line)}`)));
    }
  },
};

export const sourcesAdd: Command = {
  name: "sources add",
  summary:
    "Add an MCP server (a URL, or a program with its arguments after --), an API with an OpenAPI document, or a type that a module adds.",
  arguments: [
    { form: "<id>", description: "id of the source, and prefix of its tools' names" },
    { form: "[words...]", description: "a URL, or -- followed by a program and its arguments; with --type: name=value, or JSON" },
  ],
  options: [
    { flags: "--header <header>", description: 'header for a URL, "Name: value"; can be repeated', isList: true },
    { flags: "--env <variable>", description: "variable for a program, NAME=value; can be repeated", isList: true },
    allowHost,
    allowUnpinned,
    { flags: "--trust-first <how>", description: "what happens to a new tool: pin, scan or ask (default: ask)" },
    { flags: "--trust-change <how>", description: "what happens to a changed tool: hold, keep-old or follow (default: hold)" },
    { flags: "--max-tools <number>", description: "how many tools an MCP server may list (default: 1000)" },
    { flags: "--required", description: "the server is ready only while this source is" },
    { flags: "--replace", description: "overwrite secrets that exist under the names of its credentials" },
    { flags: "--type <type>", description: "a type of source that a module of the server adds; then the words are its options" },
    { flags: "--openapi <document>", description: "URL or file of an OpenAPI document; the following options are about it" },
    ...documentOptions,
    { flags: "--refresh-minutes <number>", description: "read the document again this often (default: on demand)" },
    { flags: "--max-pages <number>", description: "let calls read up to this many pages of an answer, with max_pages" },
    { flags: "--result-fields", description: "let calls take parts of a JSON answer, with result_fields" },
  ],
  examples: [
    "toolrack sources add docs https://docs.example.com/mcp",
    "toolrack sources add github https://api.githubcopilot.com/mcp --header 'Authorization: Bearer ${secret:github-token}'",
    "toolrack sources add own http://127.0.0.1:3000/mcp --allow-host 127.0.0.1:3000",
    "toolrack sources add memory -- npx -y @modelcontextprotocol/server-memory@2026.8.31",
    "toolrack sources add help --type faq file=./faq.json",
    "toolrack sources add pets --openapi https://api.example.com/openapi.json --include tag:pets --secret api_key=PETS_KEY",
  ],
  async run(input: CommandInput<[id: string]>) {
    const {
      arguments: [id],
      rest,
      options,
      lists,
      terminal,
      connect,
      signal,
    } = input;
    const { type, openapi } = options;
    const own =
      typeof openapi === "string"
        ? await apiOf(openapi, input)
        : typeof type === "string"
          ? { type, options: await readInput(rest, terminal.input) }
          : serverOf(rest, {
              headers: namedValues("--header", lists("header"), ":"),
              env: namedValues("--env", lists("env"), "="),
              allowHosts: lists("allowHost"),
              allowUnpinned: options["allowUnpinned"] === true,
              replaceSecrets: options["replace"] === true,
            });
    const body = { ...own, ...sharedOptions(options) };
    const connection = await connect();
    let source = await connection.ask("PUT /sources/{id}", { params: { id }, body });
    // Typing the command counts as approval.
    if (source.identity !== undefined && source.state === "waiting-for-approval")
      source = await connection.ask("POST /sources/{id}/approve", { params: { id: source.id }, body: { identity: source.identity } });
    const started = await firstList(connection, source, terminal, signal);
    const { agreeToOperations } = typeof openapi === "string" ? await import("./_openapi.ts") : { agreeToOperations: undefined };
    return showStarted((await agreeToOperations?.(connection, started)) ?? started, terminal);
  },
};

/** An API; what belongs to an MCP server is refused. */
async function apiOf(document: string, input: CommandInput): Promise<object> {
  const { rest, options, lists } = input;
  const foreign =
    rest.length > 0 ? `"${rest[0]}"` : ["header", "env"].filter((name) => lists(name).length > 0).map((name) => `--${name}`)[0];
  if (foreign !== undefined || options["type"] !== undefined)
    throw new CommandError(
      "usage",
      `--openapi names the document of an API; ${foreign ?? "--type"} cannot be given with it. Credentials are named with --secret.`,
    );
  const { readGiven } = await import("./_openapi.ts");
  return readGiven(document, input);
}

/** "docs is tried again at 2026-11-19T20:00:03.120Z." */
function retryLines({ id, retryAt, required }: SourceInfo): readonly string[] {
  if (retryAt === undefined) return [];
  const effect = required === true ? " Until it is there, this server is not ready." : "";
  return [`${safe(id)} is tried again at ${new Date(retryAt).toISOString()}.${effect}`];
}

/** What any kind of source takes. The server says which values there are. */
function sharedOptions({ trustFirst: first, trustChange: change, maxTools, required }: CommandInput["options"]): object {
  const trust = { ...(first !== undefined && { first }), ...(change !== undefined && { change }) };
  return {
    ...(Object.keys(trust).length > 0 && { trust }),
    ...(maxTools !== undefined && { maxTools: readNumber(maxTools, "--max-tools") }),
    ...(required === true && { required }),
  };
}

interface ServerOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly allowHosts: readonly string[];
  readonly allowUnpinned: boolean;
  readonly replaceSecrets: boolean;
}

/** A URL, or a program with its arguments. */
function serverOf([first, ...args]: readonly string[], options: ServerOptions): object {
  const { headers, env, allowHosts, allowUnpinned, replaceSecrets } = options;
  if (first === undefined) throw new CommandError("usage", "Add a URL, or -- followed by a program.");
  const isUrl = /^https?:/.test(first);
  const [foreign, next] = isUrl
    ? [Object.keys(env).length > 0 && "--env", "A URL takes --header."]
    : [Object.keys(headers).length > 0 ? "--header" : allowHosts.length > 0 && "--allow-host", "A program takes --env."];
  if (foreign !== false) throw new CommandError("usage", `${foreign} is not for ${isUrl ? "a URL" : "a program"}. ${next}`);
  const isGiven = (values: object): boolean => Object.keys(values).length > 0;
  // A value that may be a credential is stored as a secret, and the source refers to it.
  const stored = (isUrl || isGiven(env)) && { storeSecrets: true, ...(replaceSecrets && { replaceSecrets }) };
  return isUrl
    ? {
        url: first,
        ...(isGiven(headers) && { headers }),
        ...(allowHosts.length > 0 && { allowHosts }),
        ...stored,
      }
    : {
        command: first,
        args,
        ...(isGiven(env) && { env }),
        ...(allowUnpinned && { allowUnpinned }),
        ...stored,
      };
}

/** ["Accept: text/plain"] → { Accept: "text/plain" } */
function namedValues(flag: string, texts: readonly string[], mark: ":" | "="): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(mark);
      const name = text.slice(0, at).trim();
      // The text is not repeated: it may be a credential alone.
      if (at < 1 || !(mark === ":" ? /^[!#$%&'*+.^_`|~\w-]+$/ : /^[A-Za-z_]\w*$/).test(name))
        throw new CommandError(
          "usage",
          `${flag} takes ${mark === ":" ? '"Name: value"' : "NAME=value"}, and one of yours has another form.`,
        );
      return [name, mark === ":" ? text.slice(at + 1).trim() : text.slice(at + 1)];
    }),
  );
}

export const sourcesImport: Command = {
  name: "sources import",
  summary: "Take over the MCP servers of an editor or another client: mcp.json, claude_desktop_config.json, config.toml, config.yaml.",
  arguments: [
    { form: "<file>", description: "the client's file: JSON with comments, TOML or YAML" },
    { form: "[names...]", description: "servers to take over (default: all)" },
  ],
  options: [
    { flags: "--dry-run", description: "only show what would come" },
    { flags: "--yes", description: "do not ask; needed where no person can answer" },
    { flags: "--replace", description: "replace sources, and the secrets of their credentials, of the same name" },
    {
      flags: "--allow-variable <name>",
      description: "variable whose value the file may have, or that it may set although it can change what code runs; can be repeated",
      isList: true,
    },
    allowHost,
    allowUnpinned,
  ],
  examples: ["toolrack sources import ~/.cursor/mcp.json --dry-run", "toolrack sources import .vscode/mcp.json github --yes"],
  async run(input: CommandInput<[file: string]>) {
    const { importSources } = await import("./_import-sources.ts");
    return importSources(input, (connection, source) => firstList(connection, source, input.terminal, input.signal));
  },
};

export const sourcesApprove: Command = {
  name: "sources approve",
  summary: "Show the program that a source starts; with its digest, approve exactly that program.",
  arguments: [idArgument, { form: "[digest]", description: "full digest of the program you reviewed; refused if it has changed since" }],
  examples: ["toolrack sources approve memory"],
  async run({ arguments: [id, digest], terminal, connect, signal }: CommandInput<[id: string, digest?: string]>) {
    const connection = await connect();
    const { sources } = await connection.ask("GET /sources");
    const found = await withId(connection, "source", id, async (meant) => {
      const source = sources.find((one) => one.id === meant || `mcp:${one.id}` === meant);
      if (source?.identity !== undefined) return source;
      throw new CommandError("notFound", `No source "${safe(meant)}" starts a program. List them with: toolrack sources list`);
    });
    if (digest === undefined && found.state !== "waiting-for-approval") {
      terminal.answer(found, () => [...sourceLines(found), `${safe(id)} is not waiting for approval.`].join("\n"));
      return "ok";
    }
    if (digest !== found.identity) {
      terminal.answer(found, () => sourceLines(found).join("\n"));
      throw new CommandError(
        "refused",
        digest === undefined
          ? `Not approved. Review the program above, then run: toolrack sources approve ${shellWord(safe(id))} ${shellWord(found.identity ?? "")}`
          : `The program of "${safe(id)}" has the digest ${found.identity}, not "${safe(digest)}". Not approved. Review it again.`,
      );
    }
    const source = await connection.ask("POST /sources/{id}/approve", { params: { id: found.id }, body: { identity: found.identity } });
    return showStarted(await firstList(connection, source, terminal, signal), terminal);
  },
};

export const sourcesRefresh: Command = {
  name: "sources refresh",
  summary: "Read the tools of a source again.",
  arguments: [idArgument],
  async run({ arguments: [id], terminal, connect }: CommandInput<[id: string]>) {
    const connection = await connect();
    const source = await withId(connection, "source", id, (meant) =>
      connection.ask("POST /sources/{id}/refresh", { params: { id: meant } }),
    );
    return showStarted(source, terminal);
  },
};

export const sourcesRemove: Command = {
  name: "sources remove",
  summary: "Remove a source, its tools, and the secrets that were made for it and that nothing else needs.",
  arguments: [idArgument],
  options: [{ flags: "--keep-secrets", description: "leave the secrets that were made for it" }],
  async run({ arguments: [given], options, terminal, connect }: CommandInput<[given: string]>) {
    const connection = await connect();
    const query = options["keepSecrets"] === true ? {} : { removeSecrets: true };
    const { id, removedSecrets, keptSecrets } = await withId(connection, "source", given, (meant) =>
      connection.ask("DELETE /sources/{id}", { params: { id: meant }, query }),
    );
    terminal.answer({ id, removed: true, removedSecrets, keptSecrets }, () =>
      [
        `${safe(id)} was removed.`,
        ...(removedSecrets.length > 0 ? [`Removed with it: the secrets ${safe(removedSecrets.join(", "))}.`] : []),
        ...keptSecrets.map(
          (name) => `Its secret ${safe(name)} is still there. Remove it with: toolrack secrets remove ${shellWord(safe(name))}`,
        ),
      ].join("\n"),
    );
  },
};

/** How long a command waits for the first list of a source. */
const startMs = 60_000;

/** The source once it was read for the first time, or as it is when that takes too long. */
async function firstList(connection: Connection, source: SourceInfo, terminal: Terminal, signal: AbortSignal): Promise<SourceInfo> {
  const end = Date.now() + startMs;
  let now = source;
  if (now.state === "starting") terminal.note(waitingText(source));
  while (now.state === "starting" && Date.now() < end) {
    await sleep(50, undefined, { signal });
    const { sources } = await connection.ask("GET /sources", { signal });
    now = sources.find(({ id }) => id === source.id) ?? now;
  }
  return now;
}

/** A package that a runner fetches takes its time at the first start only. */
function waitingText({ id, config = {} }: SourceInfo): string {
  const command = String(config["command"] ?? "");
  const fetches = /^(?:np[mx]|pnp[mx]|yarn|bunx?|uvx?|pipx)(?:\.(?:cmd|exe))?$/i.test(path.basename(command));
  return `Waiting for ${safe(id)}${fetches ? `. At the first start, ${safe(path.basename(command))} may have to download the package` : ""} …`;
}

function showStarted(source: SourceInfo, terminal: Terminal): ExitReason {
  terminal.answer(source, () => startedLines(source, terminal.style).join("\n"));
  return source.state === "ready" || source.state === "disabled" ? "ok" : "failed";
}
