import type { Command, CommandInput } from "./command.ts";

const byId = [{ form: "<session>", description: "id or key of a session" }] as const;

export const sessionsList: Command = {
  name: "sessions list",
  summary: "List sessions of agents, newest first: yours; with the role admin, all.",
  usesTools: false,
  options: [
    { flags: "--agent <id>", description: "only those of this agent" },
    { flags: "--status <status>", description: "idle, running, waiting or ended" },
    { flags: "--limit <n>", description: "maximum number of sessions", default: "50" },
    { flags: "--offset <n>", description: "how many to skip" },
  ],
  examples: ["toolrack sessions", "toolrack sessions list --status waiting"],
  run: (input) => using(({ listSessions }) => listSessions(input)),
};

export const sessionsShow: Command = {
  name: "sessions show",
  summary: "Show the conversation of a session, with the calls and where each message comes from.",
  usesTools: false,
  arguments: [...byId],
  options: [{ flags: "--after <n>", description: "only messages with a greater number" }],
  examples: ["toolrack sessions show agent:demo:notes"],
  run: (input: CommandInput<[id: string]>) => using(({ showSession }) => showSession(input)),
};

export const sessionsSend: Command = {
  name: "sessions send",
  summary: "Say something to a session: a run reads it between two turns, a session without one is woken.",
  arguments: [...byId, { form: "<message...>", description: "what to say" }],
  examples: ['toolrack sessions send agent:demo:notes "And in French?"'],
  run: (input: CommandInput<[id: string]>) => using(({ sendToSession }) => sendToSession(input)),
};

export const sessionsCancel: Command = {
  name: "sessions cancel",
  summary: "End the run of a session, on any server. Resume it, or send it a message, and it goes on.",
  usesTools: false,
  arguments: [...byId],
  examples: ["toolrack sessions cancel agent:demo:notes"],
  run: (input: CommandInput<[id: string]>) => using(({ cancelSession }) => cancelSession(input)),
};

export const sessionsResume: Command = {
  name: "sessions resume",
  summary: "Go on with a session whose last run was cut off or stopped, without saying anything to it.",
  arguments: [...byId],
  examples: ["toolrack sessions resume agent:demo:notes"],
  run: (input: CommandInput<[id: string]>) => using(({ resumeSession }) => resumeSession(input)),
};

async function using<Result>(work: (parts: typeof import("./_sessions.ts")) => Result): Promise<Awaited<Result>> {
  return await work(await import("./_sessions.ts"));
}
