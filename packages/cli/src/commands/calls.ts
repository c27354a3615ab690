import type { CallDetails, RecordedCall } from "@toolrack/server";
import { safe } from "../print/safe.ts";
import { paintState } from "../print/style.ts";
import { showDuration, showTime } from "../print/time.ts";
import type { Command } from "./command.ts";

export const calls: Command = {
  name: "calls",
  summary: "List calls, newest first; with an id, show one call and the calls it made.",
  usesTools: false,
  arguments: [{ form: "[id]", description: "id of a call" }],
  options: [
    { flags: "--errors", description: "only failed calls" },
    { flags: "--tool <name>", description: "only calls of this tool" },
    { flags: "--agent <id>", description: "only calls by this agent" },
    { flags: "--limit <n>", description: "maximum number of calls", default: "20" },
    { flags: "--before <number>", description: "continue after the previous page" },
  ],
  async run({ arguments: [id], options, terminal, connect }) {
    const connection = await connect();
    if (id !== undefined) {
      const one = await connection.ask("GET /calls/{id}", { params: { id } });
      return terminal.answer(one, () => showCall(one));
    }
    const answer = await connection.ask("GET /calls", {
      query: {
        ok: options["errors"] === true ? false : undefined,
        tool: text(options["tool"]),
        agent: text(options["agent"]),
        limit: text(options["limit"]),
        before: text(options["before"]),
      },
    });
    terminal.answer(
      answer,
      () =>
        answer.calls.length === 0
          ? "No calls yet. Make one with: toolrack call"
          : terminal.table(["WHEN", "TOOL", "AGENT", "OUTCOME", "DURATION", "CALL"], answer.calls.map(row)),
      "toolrack calls --before",
    );

    function row(one: RecordedCall): readonly string[] {
      const outcome = paintState(terminal.style, one.ok ? "ok" : "failed") + (one.code === undefined ? "" : ` ${one.code}`);
      return [showTime(one.startedAt), safe(one.tool), safe(one.caller.agent ?? ""), outcome, showDuration(one.durationMs), one.callId];
    }

    function showCall(one: CallDetails): string {
      const { style } = terminal;
      const answerOf = one.ok ? one.output : one.error;
      return [
        terminal.table(["WHEN", "TOOL", "AGENT", "OUTCOME", "DURATION", "CALL"], [one, ...one.children].map(row)),
        "",
        `${style.dim("INPUT")}  ${safe(JSON.stringify(one.input))}`,
        `${style.dim(one.ok ? "OUTPUT" : "ERROR")}  ${safe(JSON.stringify(answerOf))}`,
      ].join("\n");
    }
  },
};

function text(value: string | boolean | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
