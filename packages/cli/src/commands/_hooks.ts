import { shellWord } from "@toolrack/core/internal/shell-word";
import type { DeliveryInfo, EndpointInfo } from "@toolrack/server";
import type { Connection } from "../connection/connection.ts";
import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { paintState } from "../print/style.ts";
import type { Terminal } from "../print/terminal.ts";
import { showTime } from "../print/time.ts";
import { readDuration } from "./_durations.ts";
import { readInput } from "./_input.ts";
import { readNumber } from "./_numbers.ts";
import type { CommandInput } from "./command.ts";

export async function listHooks({ terminal, connect }: CommandInput): Promise<void> {
  const connection = await connect();
  const [{ webhooks }, { hooks }] = await Promise.all([connection.ask("GET /webhooks"), connection.ask("GET /hooks")]);
  terminal.answer({ webhooks, hooks }, () => {
    const sent = webhooks.map((one) => [
      safe(one.id),
      "sent",
      stateOf(one, terminal),
      safe(one.spec.url),
      safe(JSON.stringify(one.spec.on)),
    ]);
    const taken = hooks.map(({ name, path, spec }) => [safe(name), "taken", "", safe(path), `${safe(spec.tool)} as ${safe(spec.agent)}`]);
    const rows = [...sent, ...taken];
    return rows.length === 0 ? "There are no webhooks." : terminal.table([{ id: "ID" }, "WAY", "STATE", "WHERE", "WHAT"], rows);
  });
}

function stateOf({ state, health }: EndpointInfo, { style }: Terminal): string {
  if (state !== "active") return paintState(style, state);
  return health.state === "failing" ? style.bad("failing") : style.good(health.state === "unused" ? "active" : health.state);
}

export async function sendHook({
  arguments: [id, url],
  rest,
  terminal,
  connect,
  program,
}: CommandInput<[id: string, url: string]>): Promise<void> {
  const on = await readInput(rest, terminal.input);
  const made = await (await connect()).ask("POST /webhooks", { body: { id, url, on } });
  tellSecret(made, terminal);
  terminal.note(`Try it: ${program} hooks test ${shellWord(safe(id))}`);
}

export async function takeHook({
  arguments: [name, tool],
  options,
  terminal,
  connect,
}: CommandInput<[name: string, tool: string]>): Promise<void> {
  const { agent, input } = options;
  if (typeof agent !== "string") throw new CommandError("usage", "Say as whom the calls run: --agent <agent>");
  const mapping = typeof input === "string" ? { input: await readInput([input], terminal.input) } : {};
  const body = { name, tool, agent, ...(options["key"] === true && { verify: "key" }), ...mapping };
  const made = await (await connect()).ask("POST /hooks", { body });
  tellSecret(made, terminal);
  terminal.note(`Senders send to ${safe(made.path)} of this server.`);
}

/** Alone on standard output, so that a script can take it. */
function tellSecret(made: { readonly secret: string }, terminal: Terminal): void {
  terminal.answer(made, () => made.secret);
  terminal.note(terminal.style.dim("Save the secret now: it is not shown again."));
}

export async function showHook({ arguments: [id], terminal, connect, program }: CommandInput<[id: string]>): Promise<void> {
  const one = await (await connect()).ask("GET /webhooks/{id}", { params: { id } });
  terminal.answer(one, () => describe(one, terminal, program));
}

function describe(one: EndpointInfo, terminal: Terminal, program: string): string {
  const { style } = terminal;
  const { id, spec, health, secrets, reason } = one;
  const line = (name: string, value: string): string => `${style.dim(name.padEnd(9))}  ${value}`;
  return [
    line("WEBHOOK", `${safe(id)}  ${stateOf(one, terminal)}`),
    line("URL", safe(spec.url)),
    line("EVENTS", terminal.json(spec.on)),
    line("SECRETS", secrets.map(({ name, until }) => safe(until === undefined ? name : `${name} (until ${showTime(until)})`)).join(", ")),
    line("LATELY", `${health.delivered} delivered, ${health.waiting} waiting, ${health.dead} dead`),
    ...(reason === undefined ? [] : [style.warn(safe(reason))]),
    ...(health.lastError === undefined ? [] : [style.bad(safe(health.lastError))]),
    ...(health.dead === 0 ? [] : [`What died: ${program} hooks deliveries ${shellWord(safe(id))} --state dead`]),
  ].join("\n");
}

const columns = [{ id: "DELIVERY" }, "STATE", "EVENT", "SINCE", "TRIES", "REASON"] as const;

function row({ id, state, type, createdAt, attempt, error, status }: DeliveryInfo, { style }: Terminal): readonly string[] {
  const shown = state === "done" ? style.good(state) : paintState(style, state);
  return [id, shown, safe(type), showTime(createdAt), String(attempt), safe(state === "done" ? String(status ?? "") : (error ?? ""))];
}

function noDeliveries({ state, after }: CommandInput["options"]): string {
  if (after !== undefined) return "There are no further deliveries.";
  return state === undefined ? "Nothing was sent." : `No delivery of this webhook is ${safe(String(state))}.`;
}

export async function listDeliveries({ arguments: [id], options, terminal, connect, nextPage }: CommandInput<[id: string]>): Promise<void> {
  const query = { limit: readNumber(options["limit"], "--limit", { most: 200 }), state: options["state"], after: options["after"] };
  const answer = await (await connect()).ask("GET /webhooks/{id}/deliveries", { params: { id }, query });
  terminal.answer(
    answer,
    () =>
      answer.deliveries.length === 0
        ? noDeliveries(options)
        : terminal.table(
            columns,
            answer.deliveries.map((one) => row(one, terminal)),
          ),
    nextPage("--after"),
  );
}

export async function replayDelivery({
  arguments: [id, delivery],
  terminal,
  connect,
}: CommandInput<[id: string, delivery: string]>): Promise<void> {
  const one = await (await connect()).ask("POST /webhooks/{id}/deliveries/{delivery}/replay", { params: { id, delivery } });
  terminal.answer(one, () => terminal.table(columns, [row(one, terminal)]));
}

export async function testHook({ arguments: [id], terminal, connect, program }: CommandInput<[id: string]>): Promise<void> {
  const sent = await (await connect()).ask("POST /webhooks/{id}/test", { params: { id } });
  terminal.answer(sent, () => safe(sent.delivery));
  terminal.note(`Whether it arrived: ${program} hooks deliveries ${shellWord(safe(id))}`);
}

export async function changeHook(
  { arguments: [id], terminal, connect, program }: CommandInput<[id: string]>,
  what: "pause" | "resume",
): Promise<void> {
  const one = await (await connect()).ask(`POST /webhooks/{id}/${what}`, { params: { id } });
  terminal.answer(one, () => describe(one, terminal, program));
}

export async function rotateHook({ arguments: [id], options, terminal, connect }: CommandInput<[id: string]>): Promise<void> {
  const overlapHours = (readDuration(options["overlap"], "--overlap") ?? 0) / 3_600_000;
  const connection = await connect();
  const way = await wayOf(connection, id);
  const made = await connection.ask(way === "sent" ? "POST /webhooks/{id}/rotate" : "POST /hooks/{id}/rotate", {
    params: { id },
    body: { overlapHours },
  });
  tellSecret(made, terminal);
}

export async function removeHook({ arguments: [id], terminal, connect }: CommandInput<[id: string]>): Promise<void> {
  const connection = await connect();
  const way = await wayOf(connection, id);
  await connection.ask(way === "sent" ? "DELETE /webhooks/{id}" : "DELETE /hooks/{id}", { params: { id } });
  terminal.answer({ id, removed: true }, () => `The webhook ${safe(id)} was removed.`);
}

/** Whether a webhook of this name is sent or taken. */
async function wayOf(connection: Connection, id: string): Promise<"sent" | "taken"> {
  const [{ webhooks }, { hooks }] = await Promise.all([connection.ask("GET /webhooks"), connection.ask("GET /hooks")]);
  const isSent = webhooks.some((one) => one.id === id);
  const isTaken = hooks.some((one) => one.name === id);
  if (isSent && isTaken)
    throw new CommandError("usage", `There is a webhook "${safe(id)}" that is sent and one that is taken. Use the API for one of them.`);
  if (!isSent && !isTaken) throw new CommandError("notFound", `There is no webhook "${safe(id)}". See: toolrack hooks list`);
  return isSent ? "sent" : "taken";
}
