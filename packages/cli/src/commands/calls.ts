import type { CallDetails, RecordedCall } from "@toolrack/server";
import { safe } from "../print/safe.ts";
import { paintState } from "../print/style.ts";
import { showDuration, showTime } from "../print/time.ts";
import { CommandError } from "../errors.ts";
import { exportFormatOf, exportList, exportOptions, rangeOf } from "./_export.ts";
import { withId } from "./_ids.ts";
import { readNumber } from "./_numbers.ts";
import { noteUnknownNames } from "./_known-names.ts";
import type { Command } from "./command.ts";

export const calls: Command = {
  name: "calls",
  summary:
    "List calls, newest first (by their end), with how long each ran and waited for people; with an id, show one call and the calls it made.",
  usesTools: false,
  arguments: [{ form: "[id]", description: "id of a call, or its beginning" }],
  options: [
    { flags: "--errors", description: "only failed calls" },
    { flags: "--tool <name>", description: "only calls of this tool" },
    { flags: "--agent <id>", description: "only calls by this agent" },
    ...exportOptions,
    { flags: "--limit <n>", description: "maximum number of calls (default: 20; all with --format)" },
    { flags: "--before <number>", description: "continue after the previous page" },
  ],
  examples: [
    "toolrack calls",
    "toolrack calls --errors --limit 5",
    "toolrack calls --tool book_table --agent assistant",
    "toolrack calls --since 7d --format csv > calls.csv",
  ],
  async run(input) {
    const {
      arguments: [given],
      options,
      terminal,
      connect,
      nextPage,
    } = input;
    const format = exportFormatOf(input);
    const limit = readNumber(options["limit"], "--limit", { most: 500 });
    const before = readNumber(options["before"], "--before");
    if (given !== undefined && format !== undefined)
      throw new CommandError("usage", "--format is for lists. One call as JSON is: toolrack calls <id> --json");
    const query = {
      ok: options["errors"] === true ? false : undefined,
      tool: text(options["tool"]),
      agent: text(options["agent"]),
      limit: limit ?? (format === undefined ? 20 : undefined),
      before,
      ...rangeOf(input),
    };
    if (format !== undefined) return exportList(input, "GET /calls", { ...query, format });
    const connection = await connect();
    if (given !== undefined) {
      const one = await withId(connection, "call", given, (id) => connection.ask("GET /calls/{id}", { params: { id } }));
      return terminal.answer(one, () => showCall(one));
    }
    const answer = await connection.ask("GET /calls", { query });
    terminal.answer(
      answer,
      () =>
        answer.calls.length === 0
          ? isFiltered(options)
            ? "No calls match."
            : "No calls yet. Make one with: toolrack call"
          : terminal.table(columns, answer.calls.map(row)),
      nextPage("--before"),
    );
    if (answer.calls.length === 0)
      await noteUnknownNames(connection, terminal, { tool: text(options["tool"]), agent: text(options["agent"]) });

    function row(one: RecordedCall): readonly string[] {
      const outcome = paintState(terminal.style, one.ok ? "ok" : "failed") + (one.code === undefined ? "" : ` ${one.code}`);
      const { durationMs, waitedMs = 0 } = one;
      const waited = waitedMs === 0 ? "" : showDuration(waitedMs);
      return [
        showTime(one.startedAt),
        safe(one.tool),
        safe(one.caller.agent ?? ""),
        outcome,
        showDuration(durationMs - waitedMs),
        waited,
        one.callId,
      ];
    }

    function showCall(one: CallDetails): string {
      const { style } = terminal;
      const answerOf = one.ok ? one.output : one.error;
      return [
        terminal.table(columns, [one, ...one.children].map(row)),
        "",
        `${style.dim("INPUT")}  ${terminal.json(one.input)}`,
        ...(one.labels === undefined ? [] : [`${style.dim("LABELS")}  ${terminal.json(one.labels)}`]),
        `${style.dim(one.ok ? "OUTPUT" : "ERROR")}  ${terminal.json(answerOf)}`,
      ].join("\n");
    }
  },
};

const columns = ["STARTED", "TOOL", "AGENT", "OUTCOME", "RAN", "WAITED", { id: "CALL" }] as const;

function isFiltered({ errors, tool, agent, before, since, until }: Parameters<Command["run"]>[0]["options"]): boolean {
  return [errors, tool, agent, before, since, until].some((filter) => filter !== undefined);
}

function text(value: string | boolean | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
