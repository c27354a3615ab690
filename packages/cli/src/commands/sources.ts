import { path } from "../connection/connection.ts";
import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { paintState } from "../print/style.ts";
import type { Command } from "./command.ts";

interface Source {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly tools: readonly string[];
  readonly problems: readonly string[];
  readonly origin: string;
  readonly error?: string;
  readonly identity?: string;
}

const idArgument = { form: "<id>", description: "as `toolrack sources list` shows it" } as const;

export const sourcesList: Command = {
  name: "sources list",
  summary: "List where tools come from, and how each source is doing.",
  async run({ terminal, connect }) {
    const connection = await connect();
    const answer = (await connection.ask("GET", "/sources")) as { readonly sources: readonly Source[] };
    terminal.answer(answer, () =>
      [terminal.table(["SOURCE", "KIND", "STATE", "TOOLS", "FROM", "LAST ERROR"], answer.sources.map(row)), ...problems()].join("\n"),
    );

    function row(source: Source): readonly string[] {
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
  summary: "Add an MCP server: a URL, or a program with its arguments after --.",
  arguments: [
    { form: "<id>", description: "the beginning of its tools' names" },
    { form: "[words...]", description: "a URL, or: -- program arguments" },
  ],
  options: [{ flags: "--allow-unpinned", description: "let npx, uvx and the like fetch a package without an exact version" }],
  examples: [
    "toolrack sources add docs https://docs.example.com/mcp",
    "toolrack sources add memory -- npx -y @modelcontextprotocol/server-memory@2026.8.31",
  ],
  async run({ arguments: [id = ""], rest: [first, ...args], options, terminal, connect }) {
    if (first === undefined) throw new CommandError("usage", "Name a URL, or a program after --.");
    const connection = await connect();
    const place = path`/sources/${id}`;
    const body = /^https?:/.test(first)
      ? { url: first }
      : { command: first, args, ...(options["allowUnpinned"] === true && { allowUnpinned: true }) };
    let source = (await connection.ask("PUT", place, { body })) as Source;
    // Whoever types a command means to run it.
    if (source.identity !== undefined && source.state === "waiting-for-approval")
      source = (await connection.ask("POST", path`/sources/${id}/approve`, { body: { identity: source.identity } })) as Source;
    terminal.answer(source, () => `${safe(id)} is ${source.state}, with ${source.tools.length} tools.`);
  },
};

export const sourcesApprove: Command = {
  name: "sources approve",
  summary: "Agree to the program that a source starts, exactly as it is now.",
  arguments: [idArgument],
  async run({ arguments: [id = ""], terminal, connect }) {
    const connection = await connect();
    const { sources } = (await connection.ask("GET", "/sources")) as { readonly sources: readonly Source[] };
    const identity = sources.find((source) => source.id === id)?.identity;
    if (identity === undefined)
      throw new CommandError("notFound", `No source "${id}" starts a program. List them with: toolrack sources list`);
    const source = (await connection.ask("POST", path`/sources/${id}/approve`, { body: { identity } })) as Source;
    terminal.answer(source, () => `${safe(id)} is ${source.state}, with ${source.tools.length} tools.`);
  },
};

export const sourcesRefresh: Command = {
  name: "sources refresh",
  summary: "Read the list of a source again, now.",
  arguments: [idArgument],
  async run({ arguments: [id = ""], terminal, connect }) {
    const connection = await connect();
    const source = (await connection.ask("POST", path`/sources/${id}/refresh`)) as Source;
    terminal.answer(source, () => `${safe(id)} is ${source.state}, with ${source.tools.length} tools.`);
  },
};

export const sourcesRemove: Command = {
  name: "sources remove",
  summary: "Take a source away, and its tools with it.",
  arguments: [idArgument],
  async run({ arguments: [id = ""], terminal, connect }) {
    const connection = await connect();
    await connection.ask("DELETE", path`/sources/${id}`);
    terminal.answer({ id, removed: true }, () => `${safe(id)} is gone.`);
  },
};
