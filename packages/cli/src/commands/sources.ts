import { setTimeout as sleep } from "node:timers/promises";
import type { SourceInfo } from "@toolrack/server";
import type { Connection } from "../connection/connection.ts";
import { CommandError, type ExitReason } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { paintState } from "../print/style.ts";
import type { Terminal } from "../print/terminal.ts";
import { readInput } from "./_input.ts";
import { sourceLines } from "./_source-lines.ts";
import type { Command } from "./command.ts";

const idArgument = { form: "<id>", description: "as `toolrack sources list` shows it" } as const;

export const sourcesList: Command = {
  name: "sources list",
  summary: "List the sources of tools and their state.",
  async run({ terminal, connect }) {
    const connection = await connect();
    const answer = await connection.ask("GET /sources");
    terminal.answer(answer, () =>
      [
        terminal.table(["SOURCE", "KIND", "STATE", "TOOLS", "FROM", "LAST ERROR"], answer.sources.map(row)),
        ...problems(),
        ...answer.sources.flatMap(sourceLines),
      ].join("\n"),
    );

    function row(source: SourceInfo): readonly string[] {
      const { id, kind, state, tools, origin, error } = source;
      return [safe(id), kind, paintState(terminal.style, state), String(tools.length), safe(origin), safe(error ?? "")];
    }

    function problems(): readonly string[] {
      return answer.sources.flatMap(({ id, problems: lines }) => lines.map((line) => terminal.style.warn(`${safe(id)}: ${safe(line)}`)));
    }
  },
};

export const sourcesAdd: Command = {
  name: "sources add",
  summary: "Add an MCP server (a URL, or a program with its arguments after --), or a source of a type that a module adds.",
  arguments: [
    { form: "<id>", description: "id of the source, and prefix of its tools' names" },
    { form: "[words...]", description: "a URL, or -- followed by a program and its arguments; with --type: name=value, or JSON" },
  ],
  options: [
    { flags: "--allow-unpinned", description: "allow npx, uvx and similar to fetch a package without an exact version" },
    { flags: "--type <type>", description: "a type of source that a module of the server adds; then the words are its options" },
  ],
  examples: [
    "toolrack sources add docs https://docs.example.com/mcp",
    "toolrack sources add memory -- npx -y @modelcontextprotocol/server-memory@2026.8.31",
    "toolrack sources add help --type faq file=./faq.json",
  ],
  async run({ arguments: [id = ""], rest, options, terminal, connect, signal }) {
    const { type } = options;
    const body =
      typeof type === "string"
        ? { type, options: await readInput(rest, terminal.input) }
        : serverOf(rest, options["allowUnpinned"] === true);
    const connection = await connect();
    let source = await connection.ask("PUT /sources/{id}", { params: { id }, body });
    // Typing the command counts as approval.
    if (source.identity !== undefined && source.state === "waiting-for-approval")
      source = await connection.ask("POST /sources/{id}/approve", { params: { id }, body: { identity: source.identity } });
    return showStarted(await firstList(connection, source, signal), terminal);
  },
};

/** A URL, or a program with its arguments. */
function serverOf([first, ...args]: readonly string[], allowUnpinned: boolean): object {
  if (first === undefined) throw new CommandError("usage", "Add a URL, or -- followed by a program.");
  return /^https?:/.test(first) ? { url: first } : { command: first, args, ...(allowUnpinned && { allowUnpinned }) };
}

export const sourcesApprove: Command = {
  name: "sources approve",
  summary: "Show the program that a source starts; with its digest, approve exactly that program.",
  arguments: [idArgument, { form: "[digest]", description: "full digest of the program you reviewed; refused if it has changed since" }],
  examples: ["toolrack sources approve memory"],
  async run({ arguments: [id = "", digest], terminal, connect, signal }) {
    const connection = await connect();
    const { sources } = await connection.ask("GET /sources");
    const found = sources.find((source) => source.id === id);
    if (found?.identity === undefined)
      throw new CommandError("notFound", `No source "${id}" starts a program. List them with: toolrack sources list`);
    if (digest === undefined && found.state !== "waiting-for-approval") {
      terminal.answer(found, () => [...sourceLines(found), `${safe(id)} is not waiting for approval.`].join("\n"));
      return "ok";
    }
    if (digest !== found.identity) {
      terminal.answer(found, () => sourceLines(found).join("\n"));
      throw new CommandError(
        "refused",
        digest === undefined
          ? `Not approved. Review the program above, then run: toolrack sources approve ${safe(id)} ${found.identity}`
          : `The program of "${safe(id)}" has the digest ${found.identity}, not "${safe(digest)}". Not approved. Review it again.`,
      );
    }
    const source = await connection.ask("POST /sources/{id}/approve", { params: { id }, body: { identity: found.identity } });
    return showStarted(await firstList(connection, source, signal), terminal);
  },
};

export const sourcesRefresh: Command = {
  name: "sources refresh",
  summary: "Read the tools of a source again.",
  arguments: [idArgument],
  async run({ arguments: [id = ""], terminal, connect }) {
    const connection = await connect();
    const source = await connection.ask("POST /sources/{id}/refresh", { params: { id } });
    terminal.answer(source, () => `${safe(id)} is ${source.state}, with ${source.tools.length} tools.`);
  },
};

export const sourcesRemove: Command = {
  name: "sources remove",
  summary: "Remove a source and its tools.",
  arguments: [idArgument],
  async run({ arguments: [id = ""], terminal, connect }) {
    const connection = await connect();
    await connection.ask("DELETE /sources/{id}", { params: { id } });
    terminal.answer({ id, removed: true }, () => `${safe(id)} was removed.`);
  },
};

/** How long a command waits for the first list of a source. */
const startMs = 20_000;

/** The source once it was read for the first time, or as it is when that takes too long. */
async function firstList(connection: Connection, source: SourceInfo, signal: AbortSignal): Promise<SourceInfo> {
  const end = Date.now() + startMs;
  let now = source;
  while (now.state === "starting" && Date.now() < end) {
    await sleep(50, undefined, { signal });
    const { sources } = await connection.ask("GET /sources", { signal });
    now = sources.find(({ id }) => id === source.id) ?? now;
  }
  return now;
}

function showStarted(source: SourceInfo, terminal: Terminal): ExitReason {
  const { id, state, tools, error } = source;
  terminal.answer(source, () => {
    if (state === "starting") return `${safe(id)} is still starting. Check its state with: toolrack sources list`;
    if (state === "failed") return terminal.style.bad(`${safe(id)} failed: ${safe(error ?? "unknown reason")}`);
    return `${safe(id)} is ${state}, with ${tools.length} tools.`;
  });
  return state === "failed" ? "failed" : "ok";
}
