import { setTimeout as sleep } from "node:timers/promises";
import type { AgentRunAnswer, SessionRecord } from "@toolrack/server";
import type { Connection } from "../connection/connection.ts";
import { safe } from "../print/safe.ts";
import { paintState } from "../print/style.ts";
import type { Terminal } from "../print/terminal.ts";
import { readNumber } from "./_numbers.ts";
import type { CommandInput } from "./command.ts";

export async function listSessions({ options, terminal, connect, nextPage }: CommandInput): Promise<void> {
  const query = {
    agent: options["agent"],
    status: options["status"],
    limit: readNumber(options["limit"], "--limit", { most: 200 }),
    offset: readNumber(options["offset"], "--offset", { least: 0 }),
  };
  const answer = await (await connect()).ask("GET /sessions", { query });
  terminal.answer(
    answer,
    () =>
      answer.sessions.length === 0
        ? 'No sessions. Begin one: toolrack run <agent> "…"'
        : terminal.table(
            columns,
            answer.sessions.map((one) => row(one, terminal)),
          ),
    nextPage("--offset"),
  );
}

const columns = [{ id: "ID" }, "STATUS", "CHANGED", "AGENT", "KEY", "MESSAGES"] as const;

function row({ context }: SessionRecord, { style }: Terminal): readonly string[] {
  const { session, status, updated_at: changed, agent, key, messages } = context;
  return [
    String(session),
    paintState(style, String(status)),
    String(changed).replace("T", " ").slice(0, 16),
    safe(String(agent)),
    safe(String(key)),
    String(messages),
  ];
}

export async function showSession({ arguments: [id], options, terminal, connect }: CommandInput<[id: string]>): Promise<void> {
  const connection = await connect();
  const session = await connection.ask("GET /sessions/{id}", { params: { id } });
  const messages = await readMessages(connection, id, readNumber(options["after"], "--after", { least: 0 }) ?? 0);
  terminal.answer({ session, messages }, () =>
    [terminal.table(columns, [row(session, terminal)]), "", ...messages.flatMap((one) => messageLines(one, terminal))].join("\n"),
  );
}

async function readMessages(connection: Connection, id: string, after: number): Promise<readonly SessionRecord[]> {
  const all: SessionRecord[] = [];
  for (let next: number | undefined = after; next !== undefined;) {
    const page: { readonly messages: readonly SessionRecord[]; readonly next?: number } = await connection.ask(
      "GET /sessions/{id}/messages",
      {
        params: { id },
        query: { after: next },
      },
    );
    all.push(...page.messages);
    next = page.next;
  }
  return all;
}

interface Shown {
  readonly seq: number;
  readonly role: string;
  readonly content?: string;
  readonly from?: { readonly kind: string; readonly id?: string };
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[];
  readonly results?: readonly {
    readonly ok: boolean;
    readonly content?: string;
    readonly error?: string;
    readonly meta?: { readonly tool?: string };
  }[];
}

function messageLines({ context }: SessionRecord, { style }: Terminal): readonly string[] {
  const { seq, role, content = "", from, calls = [], results = [] } = context as unknown as Shown;
  const origin = from === undefined ? "" : ` from ${safe(from.kind)}${from.id === undefined ? "" : ` ${safe(from.id)}`}`;
  return [
    style.dim(`${seq} ${safe(role)}${origin}`),
    ...(content === "" ? [] : [safe(content)]),
    ...calls.map(({ name, input }) => `→ ${safe(name)} ${safe(JSON.stringify(input)).slice(0, 500)}`),
    ...results.map(({ ok, content: said, error, meta }) => `← ${safe(meta?.tool ?? "")}: ${safe((ok ? said : error) ?? "").slice(0, 500)}`),
    "",
  ];
}

export async function sendToSession({ arguments: [id], rest, terminal, connect }: CommandInput<[id: string]>): Promise<void> {
  const connection = await connect();
  const session = await connection.ask("POST /sessions/{id}/messages", { params: { id }, body: { content: rest.join(" ") } });
  terminal.answer(session, () => terminal.table(columns, [row(session, terminal)]));
}

export async function cancelSession({ arguments: [id], terminal, connect }: CommandInput<[id: string]>): Promise<void> {
  const connection = await connect();
  const session = await connection.ask("POST /sessions/{id}/cancel", { params: { id } });
  terminal.answer(session, () => terminal.table(columns, [row(session, terminal)]));
}

export async function resumeSession({ arguments: [id], terminal, connect }: CommandInput<[id: string]>): Promise<void> {
  const connection = await connect();
  const session = await connection.ask("POST /sessions/{id}/resume", { params: { id } });
  terminal.answer(session, () => terminal.table(columns, [row(session, terminal)]));
}

/** Prints what is said until the session is idle or waits again. */
export async function followSession(
  { terminal, signal }: CommandInput,
  connection: Connection,
  id: string,
  newest: number,
): Promise<Pick<AgentRunAnswer, "status" | "text">> {
  let after = newest;
  let said = "";
  for (;;) {
    await sleep(200, undefined, { signal });
    const { context } = await connection.ask("GET /sessions/{id}", { params: { id } });
    for (const one of await readMessages(connection, id, after)) {
      after = Number(one.context["seq"]);
      if (one.context["role"] === "assistant") said = String(one.context["content"]);
      terminal.note(messageLines(one, terminal).join("\n"));
    }
    if (context["status"] === "idle" || context["status"] === "ended") return { status: "done", text: said };
    if (context["status"] === "waiting" && (await isAsking(connection, id))) return { status: "waiting", text: said };
  }
}

/** The number of the newest message: to be read before the session may go on. */
export async function newestMessage(connection: Connection, id: string): Promise<number> {
  return Number((await connection.ask("GET /sessions/{id}", { params: { id } })).context["messages"]);
}

async function isAsking(connection: Connection, session: string): Promise<boolean> {
  const { waiting } = await connection.ask("GET /approvals", { query: { limit: 200 } });
  return waiting.some(({ caller }) => caller.session === session);
}
