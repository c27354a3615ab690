import { shellWord } from "@toolrack/core/internal/shell-word";
import type { JobDetails, JobSummary } from "@toolrack/server";
import type { Connection } from "../connection/connection.ts";
import type { ExitReason } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { paintState } from "../print/style.ts";
import type { Terminal } from "../print/terminal.ts";
import { showTime } from "../print/time.ts";
import type { CallBody } from "./_call-tool.ts";
import { withId } from "./_ids.ts";
import { readNumber } from "./_numbers.ts";
import type { CommandInput } from "./command.ts";

/** Makes a job of a call, and prints its id. */
export async function makeJob(
  { terminal, program }: Pick<CommandInput, "terminal" | "program">,
  connection: Connection,
  { name, body, headers }: { readonly name: string; readonly body: CallBody; readonly headers?: Readonly<Record<string, string>> },
): Promise<ExitReason> {
  const made = await connection.ask("POST /tools/{name}/call", {
    params: { name },
    body: { ...body, mode: "job" },
    ...(headers && { headers }),
  });
  const { id } = (made.data as { readonly job: { readonly id: string } }).job;
  terminal.answer(made, () => safe(id));
  terminal.note(`Its result comes later: ${program} jobs show ${shellWord(safe(id))} --wait`);
  return "ok";
}

export async function listJobs({ options, terminal, connect, nextPage }: CommandInput, only?: "dead"): Promise<void> {
  const query = {
    limit: readNumber(options["limit"], "--limit", { most: 500 }),
    after: options["after"],
    state: only ?? options["state"],
    origin: options["origin"],
  };
  const answer = await (await connect()).ask("GET /jobs", { query });
  terminal.answer(
    answer,
    () =>
      answer.jobs.length === 0
        ? `No ${only === undefined ? "" : "dead "}jobs.`
        : terminal.table(
            columns,
            answer.jobs.map((one) => row(one, terminal)),
          ),
    nextPage("--after"),
  );
}

const columns = [{ id: "ID" }, "STATE", "DUE", "AS", "CALLS", "MADE BY", "FAILED", "REASON"] as const;

function row({ id, state, dueAt, caller, subject, origin, failed, tries, error }: JobSummary, { style }: Terminal): readonly string[] {
  // What runs, or waits to run, has failed before.
  const before = state === "running" || state === "waiting" ? "before: " : "";
  const reason = error === undefined ? "" : `${before}${safe(error.code)}: ${safe(error.message)}`;
  return [
    id,
    state === "done" ? style.good(state) : paintState(style, state),
    showTime(dueAt),
    safe(caller?.agent ?? ""),
    safe(subject),
    safe(origin),
    `${failed}/${tries}`,
    reason.length > 80 ? `${reason.slice(0, 79)}…` : reason,
  ];
}

export async function showJob({
  arguments: [given],
  options,
  terminal,
  connect,
  program,
}: CommandInput<[given: string]>): Promise<ExitReason> {
  const connection = await connect();
  let one = await withId(connection, "job", given, (id) => connection.ask("GET /jobs/{id}", { params: { id } }));
  while (options["wait"] === true && one.endedAt === undefined)
    one = await connection.ask("GET /jobs/{id}/wait", { params: { id: one.id }, query: { timeoutMs: 20_000 } });
  terminal.answer(one, () => describe(one, terminal, program));
  return one.state === "dead" ? "failed" : "ok";
}

function describe(one: JobDetails, terminal: Terminal, program: string): string {
  const { style } = terminal;
  const line = (name: string, value: string): string => `${style.dim(name)}  ${value}`;
  return [
    terminal.table(columns, [row(one, terminal)]),
    "",
    ...(one.input === undefined ? [] : [line("INPUT", terminal.json(one.input))]),
    ...(one.callId === undefined ? [] : [line("CALL", `${one.callId} (${program} calls ${shellWord(safe(one.callId))})`)]),
    ...(one.server === undefined ? [] : [line("SERVER", safe(one.server))]),
    ...(one.progress === undefined || one.endedAt !== undefined ? [] : [line("PROGRESS", terminal.json(one.progress))]),
    ...(one.result === undefined ? [] : [line("RESULT", terminal.json(one.result))]),
    ...(one.error === undefined ? [] : [style.bad(`${safe(one.error.code)}: ${safe(one.error.message)}`)]),
    ...(one.state === "dead" ? [`Run it again: ${program} jobs replay ${shellWord(safe(one.id))}`] : []),
  ].join("\n");
}

export async function changeJob(
  { arguments: [given], terminal, connect }: CommandInput<[given: string]>,
  what: "cancel" | "run" | "replay",
): Promise<void> {
  const connection = await connect();
  const one = await withId(connection, "job", given, (id) => connection.ask(`POST /jobs/{id}/${what}`, { params: { id } }));
  terminal.answer(one, () => terminal.table(columns, [row(one, terminal)]));
}
