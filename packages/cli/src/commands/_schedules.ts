import { shellWord } from "@toolrack/core/internal/shell-word";
import { showDuration } from "@toolrack/core/internal/duration";
import type { ScheduleDetails, ScheduleInfo, ScheduleSpec } from "@toolrack/server";
import { safe } from "../print/safe.ts";
import { paintState } from "../print/style.ts";
import type { Terminal } from "../print/terminal.ts";
import { showTime } from "../print/time.ts";
import { readDuration } from "./_durations.ts";
import { withId } from "./_ids.ts";
import { readInput } from "./_input.ts";
import { orNameAgent } from "./_runs-as.ts";
import type { CommandInput } from "./command.ts";

export async function listSchedules({ terminal, connect }: CommandInput): Promise<void> {
  const answer = await (await connect()).ask("GET /schedules", { query: { limit: 500 } });
  terminal.answer(answer, () =>
    answer.schedules.length === 0
      ? "There are no schedules. Add one with: toolrack schedules add <id> <tool> --every 1h"
      : terminal.table(
          columns,
          answer.schedules.map((one) => row(one, terminal)),
        ),
  );
}

const columns = [{ id: "ID" }, "STATE", "CALLS", "WHEN", "AS", "NEXT (UTC)", "LATEST (UTC)"] as const;

function row(one: ScheduleInfo, { style }: Terminal): readonly string[] {
  const { id, state, spec, runsAs, nextAt, last, reason } = one;
  const latest = last === undefined ? "" : `${last.outcome} ${showTime(last.due)}`;
  return [
    safe(id),
    state === "active" ? style.good(state) : paintState(style, state),
    safe(spec.tool),
    safe(whenOf(spec)),
    safe(runsAs.agent ?? ""),
    nextAt === undefined ? safe(reason ?? "") : showTime(nextAt),
    latest,
  ];
}

function whenOf({ at, everyMs, cron, tz }: ScheduleSpec): string {
  if (at !== undefined) return `at ${at}`;
  return cron === undefined ? `every ${showDuration(everyMs ?? 0)}` : `${cron} (${tz ?? ""})`;
}

export async function addSchedule({
  arguments: [id, tool],
  rest,
  options,
  terminal,
  connect,
  program,
}: CommandInput<[id: string, tool: string]>): Promise<void> {
  const { at, cron, tz, missed, overlap, agent } = options;
  const everyMs = readDuration(options["every"], "--every");
  const jitterMs = readDuration(options["jitter"], "--jitter");
  const input = await readInput(rest, terminal.input);
  const connection = await connect();
  const asked = connection.ask("POST /schedules", {
    body: {
      id,
      tool,
      input,
      ...texts({ at, cron, tz, missed, overlap, agent }),
      ...(options["seconds"] === true && { seconds: true }),
      ...(everyMs !== undefined && { everyMs }),
      ...(jitterMs !== undefined && { jitterMs }),
    },
  });
  const made = await orNameAgent(agent, asked);
  terminal.answer(made, () => describe(made, terminal, program));
}

function texts(values: Readonly<Record<string, string | boolean | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

export async function showSchedule({ arguments: [given], terminal, connect, program }: CommandInput<[given: string]>): Promise<void> {
  const connection = await connect();
  const one = await withId(connection, "schedule", given, (id) => connection.ask("GET /schedules/{id}", { params: { id } }));
  terminal.answer(one, () => describe(one, terminal, program));
}

function describe(one: ScheduleDetails, terminal: Terminal, program: string): string {
  const { style } = terminal;
  const { last } = one;
  return [
    terminal.table(columns, [row(one, terminal)]),
    "",
    `${style.dim("INPUT")}  ${terminal.json(one.spec.input ?? {})}`,
    ...(one.next.length === 0 ? [] : [style.dim("NEXT (UTC)"), ...one.next.map((time) => `  ${showTime(time)}`)]),
    ...(one.state === "waiting" ? [`A person has to approve it: ${program} approvals show ${shellWord(safe(`schedule-${one.id}`))}`] : []),
    ...(last?.job === undefined ? [] : [`Its latest run: ${program} jobs show ${shellWord(safe(last.job))}`]),
    ...(last?.reason === undefined ? [] : [style.bad(safe(last.reason))]),
  ].join("\n");
}

export async function changeSchedule(
  { arguments: [given], terminal, connect, program }: CommandInput<[given: string]>,
  what: "pause" | "resume",
): Promise<void> {
  const connection = await connect();
  const one = await withId(connection, "schedule", given, (id) => connection.ask(`POST /schedules/{id}/${what}`, { params: { id } }));
  terminal.answer(one, () => describe(one, terminal, program));
}

export async function runSchedule({ arguments: [given], terminal, connect, program }: CommandInput<[given: string]>): Promise<void> {
  const connection = await connect();
  const started = await withId(connection, "schedule", given, (id) => connection.ask("POST /schedules/{id}/run", { params: { id } }));
  terminal.answer(started, () => safe(started.job));
  terminal.note(`Its result comes later: ${program} jobs show ${shellWord(safe(started.job))} --wait`);
}

export async function removeSchedule({ arguments: [given], terminal, connect }: CommandInput<[given: string]>): Promise<void> {
  const connection = await connect();
  const id = await withId(connection, "schedule", given, async (found) => {
    await connection.ask("DELETE /schedules/{id}", { params: { id: found } });
    return found;
  });
  terminal.answer({ id, removed: true }, () => `The schedule ${safe(id)} was removed.`);
}
