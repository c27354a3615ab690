import { safe } from "../print/safe.ts";
import { paintState } from "../print/style.ts";
import { readInput } from "./_input.ts";
import { orNameAgent } from "./_runs-as.ts";
import type { Command, CommandInput } from "./command.ts";

const byId = [{ form: "<id>", description: "id of a trigger" }] as const;

export const triggersList: Command = {
  name: "triggers list",
  summary: "List triggers: which events call which tool, and as whom.",
  usesTools: false,
  examples: ["toolrack triggers"],
  async run({ terminal, connect }) {
    const answer = await (await connect()).ask("GET /triggers");
    terminal.answer(answer, () =>
      answer.triggers.length === 0
        ? "There are no triggers."
        : terminal.table(
            [{ id: "ID" }, "STATE", "ON", "CALLS", "AS", "SKIPPED", "WHY"],
            answer.triggers.map(({ id, state, spec, runsAs, reason, problem, skipped }) => [
              safe(id),
              state === "active" ? terminal.style.good(state) : paintState(terminal.style, state),
              safe(JSON.stringify(spec.on)),
              safe(spec.tool),
              safe(runsAs.agent ?? ""),
              String(skipped?.count ?? 0),
              safe(reason ?? skipped?.reason ?? problem?.reason ?? ""),
            ]),
          ),
    );
  },
};

export const triggersAdd: Command = {
  name: "triggers add",
  summary: "Call a tool when something happens: a record changes, a call ends, a person is asked, a secret is missing.",
  arguments: [
    { form: "<id>", description: "id of the new trigger" },
    { form: "<tool>", description: "tool to call" },
    { form: "<on...>", description: 'which events, as JSON or name=value pairs: schema_name=news.v1, types=["call-end"]' },
  ],
  options: [
    { flags: "--input <json>", description: 'parameter → where its value comes from: {"title": {"from": "/record/title"}}' },
    { flags: "--agent <agent>", description: "agent that the calls run as; needs the role admin" },
  ],
  examples: [`toolrack triggers add news summarize schema_name=news.v1 --input '{"text": {"from": "/record/title"}}'`],
  async run({ arguments: [id, tool], rest, options, terminal, connect }: CommandInput<[id: string, tool: string]>) {
    const on = await readInput(rest, terminal.input);
    const { input, agent } = options;
    const runsAs = typeof agent === "string" ? { agent } : {};
    const mapping = typeof input === "string" ? { input: await readInput([input], terminal.input) } : {};
    const asked = (await connect()).ask("POST /triggers", { body: { id, tool, on, ...mapping, ...runsAs } });
    const made = await orNameAgent(agent, asked);
    terminal.answer(made, () => `The trigger ${safe(id)} calls ${safe(tool)} from now on, as ${safe(made.runsAs.agent ?? "")}.`);
  },
};

export const triggersTest: Command = {
  name: "triggers test",
  summary: "Tell what a trigger would do with an event. Nothing is called.",
  arguments: [...byId, { form: "[event...]", description: 'JSON, or name=value pairs: record={"title":"Rain"}' }],
  examples: [`toolrack triggers test news 'record={"title":"Rain"}'`],
  async run({ arguments: [id], rest, terminal, connect }: CommandInput<[id: string]>) {
    const event = await readInput(rest, terminal.input);
    const told = await (await connect()).ask("POST /triggers/{id}/test", { params: { id }, body: { event } });
    terminal.answer(told, () => (told.fault === undefined ? terminal.json(told.input ?? {}) : terminal.style.bad(safe(told.fault))));
    return told.fault === undefined ? "ok" : "failed";
  },
};

export const triggersPause: Command = {
  name: "triggers pause",
  summary: "Pause a trigger. Events that happen meanwhile call nothing.",
  usesTools: false,
  arguments: [...byId],
  examples: ["toolrack triggers pause news"],
  run: (input: CommandInput<[id: string]>) => change(input, "pause"),
};

export const triggersResume: Command = {
  name: "triggers resume",
  summary: "Resume a paused trigger, for events from now on.",
  usesTools: false,
  arguments: [...byId],
  examples: ["toolrack triggers resume news"],
  run: (input: CommandInput<[id: string]>) => change(input, "resume"),
};

export const triggersRemove: Command = {
  name: "triggers remove",
  summary: "Remove a trigger.",
  usesTools: false,
  arguments: [...byId],
  examples: ["toolrack triggers remove news"],
  async run({ arguments: [id], terminal, connect }: CommandInput<[id: string]>) {
    await (await connect()).ask("DELETE /triggers/{id}", { params: { id } });
    terminal.answer({ id, removed: true }, () => `The trigger ${safe(id)} was removed.`);
  },
};

async function change({ arguments: [id], terminal, connect }: CommandInput<[id: string]>, what: "pause" | "resume"): Promise<void> {
  const one = await (await connect()).ask(`POST /triggers/{id}/${what}`, { params: { id } });
  terminal.answer(one, () => `The trigger ${safe(id)} is ${one.state}.`);
}
