import type { Command, CommandInput } from "./command.ts";

const byId = [{ form: "<id>", description: "id of a schedule" }] as const;

export const schedulesList: Command = {
  name: "schedules list",
  summary: "List schedules: what is called when, as whom, and what came of the latest time.",
  usesTools: false,
  examples: ["toolrack schedules"],
  run: (input) => using(({ listSchedules }) => listSchedules(input)),
};

export const schedulesAdd: Command = {
  name: "schedules add",
  summary: "Call a tool at times: once (--at), every so often (--every), or by cron (--cron with --tz).",
  arguments: [
    { form: "<id>", description: "id of the new schedule" },
    { form: "<tool>", description: "tool to call" },
    { form: "[input...]", description: "JSON, or name=value pairs" },
  ],
  options: [
    { flags: "--at <time>", description: "once, at a time with its offset: 2026-12-24T18:00:00+01:00" },
    { flags: "--every <duration>", description: "every so often: 90s, 15m, 6h, 1d" },
    { flags: "--cron <fields>", description: 'minute, hour, day, month, weekday: "0 7 * * 1-5"' },
    { flags: "--tz <zone>", description: "time zone of --cron: Europe/Berlin" },
    { flags: "--seconds", description: "--cron has a field of seconds before the others" },
    { flags: "--missed <rule>", description: "times that passed while no server ran: skip, once (default) or all" },
    { flags: "--overlap <rule>", description: "while the run before is not over: skip (default), queue or replace" },
    { flags: "--jitter <duration>", description: "begin each run up to so much later" },
    { flags: "--agent <agent>", description: "agent that it runs as; needs the role admin" },
  ],
  examples: [
    'toolrack schedules add daily report --cron "0 7 * * 1-5" --tz Europe/Berlin',
    "toolrack schedules add sync fetch_orders --every 15m",
  ],
  run: (input: CommandInput<[id: string, tool: string]>) => using(({ addSchedule }) => addSchedule(input)),
};

export const schedulesShow: Command = {
  name: "schedules show",
  summary: "Show a schedule, with its next five times.",
  usesTools: false,
  arguments: [...byId],
  examples: ["toolrack schedules show daily"],
  run: (input: CommandInput<[given: string]>) => using(({ showSchedule }) => showSchedule(input)),
};

export const schedulesPause: Command = {
  name: "schedules pause",
  summary: "Pause a schedule: its times pass without a call.",
  usesTools: false,
  arguments: [...byId],
  examples: ["toolrack schedules pause daily"],
  run: (input: CommandInput<[given: string]>) => using(({ changeSchedule }) => changeSchedule(input, "pause")),
};

export const schedulesResume: Command = {
  name: "schedules resume",
  summary: "Resume a paused schedule, from its next time on.",
  usesTools: false,
  arguments: [...byId],
  examples: ["toolrack schedules resume daily"],
  run: (input: CommandInput<[given: string]>) => using(({ changeSchedule }) => changeSchedule(input, "resume")),
};

export const schedulesRun: Command = {
  name: "schedules run",
  summary: "Run a schedule now, beside its times. Prints the id of the job.",
  arguments: [...byId],
  examples: ["toolrack schedules run daily"],
  run: (input: CommandInput<[given: string]>) => using(({ runSchedule }) => runSchedule(input)),
};

export const schedulesRemove: Command = {
  name: "schedules remove",
  summary: "Remove a schedule. A run that has begun goes on.",
  usesTools: false,
  arguments: [...byId],
  examples: ["toolrack schedules remove daily"],
  run: (input: CommandInput<[given: string]>) => using(({ removeSchedule }) => removeSchedule(input)),
};

/** What the commands do is loaded with the first of them. */
async function using<Result>(work: (module: typeof import("./_schedules.ts")) => Promise<Result>): Promise<Result> {
  return work(await import("./_schedules.ts"));
}
