import { shellWord } from "@toolrack/core/internal/shell-word";
import { readFileSync } from "node:fs";
import path from "node:path";
import { text as readAll } from "node:stream/consumers";
import type { ProgramDetails, ProgramSummary } from "@toolrack/server";
import { CommandError, type ExitReason, fileFault } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { paintState } from "../print/style.ts";
import type { Terminal } from "../print/terminal.ts";
import { showTime } from "../print/time.ts";
import { callTool } from "./_call-tool.ts";
import { callerOf } from "./_caller.ts";
import { withId } from "./_ids.ts";
import { readInput } from "./_input.ts";
import { readNumber } from "./_numbers.ts";
import type { CommandInput } from "./command.ts";

export async function listPrograms({ options, terminal, connect, nextPage }: CommandInput): Promise<void> {
  const query = {
    limit: readNumber(options["limit"], "--limit", { most: 500 }),
    offset: readNumber(options["after"], "--after"),
  };
  const answer = await (await connect()).ask("GET /programs", { query });
  terminal.answer(
    answer,
    () =>
      answer.programs.length === 0
        ? "No program waits for a person, or did lately."
        : terminal.table(
            columns,
            answer.programs.map((one) => row(one, terminal)),
          ),
    nextPage("--after"),
  );
}

const columns = [{ id: "ID" }, "STATUS", "STARTED", "AGENT", "TOOL", "LINE"] as const;

function row({ id, status, startedAt, caller, tool, line }: ProgramSummary, { style }: Terminal): readonly string[] {
  return [id, stateOf(status, style), showTime(startedAt), safe(caller.agent ?? ""), safe(tool), line === undefined ? "" : String(line)];
}

function stateOf(status: ProgramSummary["status"], style: Terminal["style"]): string {
  return status === "ended" ? style.good(status) : paintState(style, status);
}

export async function showProgram({ arguments: [given], terminal, connect, program }: CommandInput<[given: string]>): Promise<void> {
  const connection = await connect();
  const one = await withId(connection, "program", given, (id) => connection.ask("GET /programs/{id}", { params: { id } }));
  terminal.answer(one, () => describe(one, terminal, program));
}

function describe(one: ProgramDetails, terminal: Terminal, program: string): string {
  const { style } = terminal;
  const standing = new Set(one.pending.map(({ line }) => line));
  const steps = one.chain?.steps.map(({ id, tool, status }) => [safe(id), safe(tool), paintState(style, status)]);
  const source = one.source.split("\n").map((line, index) => {
    const mark = standing.has(index + 1) ? style.warn(">") : " ";
    return `${mark} ${style.dim(String(index + 1).padStart(4))}  ${safe(line)}`;
  });
  const pending = one.pending.flatMap((call) => [
    "",
    `${style.dim("WAITS FOR")}  ${safe(call.tool)} (line ${call.line}, call ${call.callId})`,
    `${style.dim("INPUT")}  ${terminal.json(call.input)}`,
    ...(Object.keys(call.labels).length === 0 ? [] : [`${style.dim("LABELS")}  ${terminal.json(call.labels)}`]),
    ...(call.origins === undefined ? [] : [`${style.dim("FROM")}  ${terminal.json(call.origins)}`]),
    ...(call.approval === undefined ? [] : [`Answer it: ${program} approvals show ${shellWord(safe(call.approval))}`]),
  ]);
  return [
    terminal.table(columns, [row(one, terminal)]),
    "",
    // Nobody wrote the program that a chain is made to.
    ...(steps === undefined ? source : [terminal.table(["STEP", "TOOL", "STATUS"], steps)]),
    ...pending,
    ...(one.outcome === undefined ? [] : ["", `${style.dim("RESULT")}  ${terminal.json(one.outcome)}`]),
    ...(one.error === undefined ? [] : ["", style.bad(`${safe(one.error.code)}: ${safe(one.error.message)}`)]),
  ].join("\n");
}

export async function cancelProgram({ arguments: [given], terminal, connect }: CommandInput<[given: string]>): Promise<void> {
  const connection = await connect();
  const cancelled = await withId(connection, "program", given, async (id) => {
    await connection.ask("DELETE /programs/{id}", { params: { id } });
    return id;
  });
  terminal.answer({ cancelled }, () => `Cancelled ${safe(cancelled)}.`);
}

export async function runProgramFile(given: CommandInput<[file: string]>): Promise<ExitReason> {
  const {
    arguments: [file],
    rest,
    options,
    terminal,
    connect,
    folder,
  } = given;
  const code = file === "-" ? await readAll(terminal.input) : readSource(path.resolve(folder, file), file);
  if (code.trim() === "") throw new CommandError("usage", `${safe(file)} is empty: there is no program to run.`);
  const data = rest.length === 0 ? undefined : await readInput(rest, terminal.input);
  const caller = callerOf(options);
  const body = { input: { code, ...(data !== undefined && { input: data }) }, ...(caller && { runAs: caller }) };
  return callTool(given, await connect(), { name: "run_code", body });
}

function readSource(file: string, shown: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new CommandError("usage", `${safe(shown)} cannot be read: ${fileFault(error)}`);
  }
}
