import type { Command, CommandInput } from "./command.ts";

const byId = [{ form: "<id>", description: "id of a webhook, as `toolrack hooks list` shows it" }] as const;
const overlap = { flags: "--overlap <duration>", description: "how long the old secret counts as well", default: "1d" } as const;

export const hooksList: Command = {
  name: "hooks list",
  summary: "List webhooks: those that are sent, with the health of their receivers, and those that are taken.",
  usesTools: false,
  examples: ["toolrack hooks"],
  run: (input) => using(({ listHooks }) => listHooks(input)),
};

export const hooksSend: Command = {
  name: "hooks send",
  summary: "Send events to a URL, signed. Prints the secret that the receiver needs; it is shown only once.",
  usesTools: false,
  arguments: [
    { form: "<id>", description: "id of the new webhook" },
    { form: "<url>", description: "where to send them; https" },
    { form: "<on...>", description: 'which events, as JSON or name=value pairs: schema_name=news.v1, types=["approval-waiting"]' },
  ],
  examples: [`toolrack hooks send desk https://hooks.example.com/toolrack 'types=["approval-waiting","configuration-missing"]'`],
  run: (input: CommandInput<[id: string, url: string]>) => using(({ sendHook }) => sendHook(input)),
};

export const hooksTake: Command = {
  name: "hooks take",
  summary: "Take requests of another system at /hooks/<name>, and call a tool with each. Prints the secret; it is shown only once.",
  arguments: [
    { form: "<name>", description: "name of the new hook" },
    { form: "<tool>", description: "tool to call" },
  ],
  options: [
    { flags: "--agent <agent>", description: "agent that the calls run as; required" },
    { flags: "--key", description: "senders send the secret itself as Authorization: Bearer, instead of a signature" },
    { flags: "--input <json>", description: 'parameter → where its value comes from: {"title": {"from": "/body/issue/title"}}' },
  ],
  examples: [`toolrack hooks take tracker file_issue --agent tracker --input '{"title": {"from": "/body/issue/title"}}'`],
  run: (input: CommandInput<[name: string, tool: string]>) => using(({ takeHook }) => takeHook(input)),
};

export const hooksShow: Command = {
  name: "hooks show",
  summary: "Show a webhook that is sent: its events, its secrets by name, the health of its receiver.",
  usesTools: false,
  arguments: [...byId],
  examples: ["toolrack hooks show desk"],
  run: (input: CommandInput<[id: string]>) => using(({ showHook }) => showHook(input)),
};

export const hooksDeliveries: Command = {
  name: "hooks deliveries",
  summary: "List what a webhook sent, what waits to be sent again, and what died, newest first.",
  usesTools: false,
  arguments: [...byId],
  options: [
    { flags: "--state <state>", description: "waiting, running, done, dead or cancelled" },
    { flags: "--limit <n>", description: "maximum number", default: "50" },
    { flags: "--after <id>", description: "continue after this delivery" },
  ],
  examples: ["toolrack hooks deliveries desk --state dead"],
  run: (input: CommandInput<[id: string]>) => using(({ listDeliveries }) => listDeliveries(input)),
};

export const hooksReplay: Command = {
  name: "hooks replay",
  summary: "Send a dead delivery again, with the same webhook-id.",
  usesTools: false,
  arguments: [...byId, { form: "<delivery>", description: "id of the delivery" }],
  examples: ["toolrack hooks replay desk 0mh3c8"],
  run: (input: CommandInput<[id: string, delivery: string]>) => using(({ replayDelivery }) => replayDelivery(input)),
};

export const hooksTest: Command = {
  name: "hooks test",
  summary: "Send an event of the type test.",
  usesTools: false,
  arguments: [...byId],
  examples: ["toolrack hooks test desk"],
  run: (input: CommandInput<[id: string]>) => using(({ testHook }) => testHook(input)),
};

export const hooksPause: Command = {
  name: "hooks pause",
  summary: "Pause a webhook that is sent. Events that happen meanwhile are not sent.",
  usesTools: false,
  arguments: [...byId],
  examples: ["toolrack hooks pause desk"],
  run: (input: CommandInput<[id: string]>) => using(({ changeHook }) => changeHook(input, "pause")),
};

export const hooksResume: Command = {
  name: "hooks resume",
  summary: "Resume a webhook that is paused, or disabled because its receiver was gone.",
  usesTools: false,
  arguments: [...byId],
  examples: ["toolrack hooks resume desk"],
  run: (input: CommandInput<[id: string]>) => using(({ changeHook }) => changeHook(input, "resume")),
};

export const hooksRotate: Command = {
  name: "hooks rotate",
  summary: "Make a new secret for a webhook. Prints it; it is shown only once.",
  usesTools: false,
  arguments: [...byId],
  options: [overlap],
  examples: ["toolrack hooks rotate desk", "toolrack hooks rotate desk --overlap 2h"],
  run: (input: CommandInput<[id: string]>) => using(({ rotateHook }) => rotateHook(input)),
};

export const hooksRemove: Command = {
  name: "hooks remove",
  summary: "Remove a webhook and its secrets.",
  usesTools: false,
  arguments: [...byId],
  examples: ["toolrack hooks remove desk"],
  run: (input: CommandInput<[id: string]>) => using(({ removeHook }) => removeHook(input)),
};

/** What the commands do is loaded with the first of them. */
async function using<Result>(work: (module: typeof import("./_hooks.ts")) => Promise<Result>): Promise<Result> {
  return work(await import("./_hooks.ts"));
}
