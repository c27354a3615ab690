import type { Command, CommandInput } from "./command.ts";

const byId = [{ form: "<id>", description: "id of a job, or its beginning" }] as const;
const pages = [
  { flags: "--limit <n>", description: "maximum number of jobs", default: "50" },
  { flags: "--after <id>", description: "continue after this job" },
] as const;

export const jobsList: Command = {
  name: "jobs list",
  summary: "List jobs, newest first: what will run, runs, ran and died.",
  usesTools: false,
  options: [
    { flags: "--state <state>", description: "waiting, running, done, dead or cancelled" },
    { flags: "--origin <origin>", description: "only those that this made: call, schedule:daily, hook:x" },
    ...pages,
  ],
  examples: ["toolrack jobs", "toolrack jobs list --state running"],
  run: (input) => using(({ listJobs }) => listJobs(input)),
};

export const jobsDead: Command = {
  name: "jobs dead",
  summary: "List jobs that failed for good, with the reason.",
  usesTools: false,
  options: [...pages],
  examples: ["toolrack jobs dead"],
  run: (input) => using(({ listJobs }) => listJobs(input, "dead")),
};

export const jobsShow: Command = {
  name: "jobs show",
  summary: "Show a job: as whom it runs, its input, its progress, its result.",
  usesTools: false,
  arguments: [...byId],
  options: [{ flags: "--wait", description: "wait until the job has ended" }],
  examples: ["toolrack jobs show 0mh3", "toolrack jobs show 0mh3 --wait"],
  run: (input: CommandInput<[given: string]>) => using(({ showJob }) => showJob(input)),
};

export const jobsCancel: Command = {
  name: "jobs cancel",
  summary: "Cancel a job that waits or runs, on any server.",
  usesTools: false,
  arguments: [...byId],
  examples: ["toolrack jobs cancel 0mh3"],
  run: (input: CommandInput<[given: string]>) => using(({ changeJob }) => changeJob(input, "cancel")),
};

export const jobsRun: Command = {
  name: "jobs run",
  summary: "Run a waiting job now, whenever it is due.",
  usesTools: false,
  arguments: [...byId],
  examples: ["toolrack jobs run 0mh3"],
  run: (input: CommandInput<[given: string]>) => using(({ changeJob }) => changeJob(input, "run")),
};

export const jobsReplay: Command = {
  name: "jobs replay",
  summary: "Run a dead or cancelled job again, with all of its tries.",
  usesTools: false,
  arguments: [...byId],
  examples: ["toolrack jobs replay 0mh3"],
  run: (input: CommandInput<[given: string]>) => using(({ changeJob }) => changeJob(input, "replay")),
};

async function using<Result>(work: (parts: typeof import("./_jobs.ts")) => Result): Promise<Awaited<Result>> {
  return await work(await import("./_jobs.ts"));
}
