import { shellWord } from "@toolrack/core/internal/shell-word";
import type { CallEvent, ToolResult } from "@toolrack/server";
import type { Connection } from "../connection/connection.ts";
import { CommandError, type ExitReason } from "../errors.ts";
import { readJsonText } from "../print/json.ts";
import { safe } from "../print/safe.ts";
import type { Terminal } from "../print/terminal.ts";
import { showDuration, showTime } from "../print/time.ts";
import { answerLines } from "./_answer-lines.ts";
import type { CommandInput } from "./command.ts";

/** Calls a tool, tells what it waits for, and prints its result. */
export async function callTool(
  { terminal, signal, program }: Pick<CommandInput, "terminal" | "signal" | "program">,
  connection: Connection,
  { name, body, headers }: { readonly name: string; readonly body: CallBody; readonly headers?: Readonly<Record<string, string>> },
): Promise<ExitReason> {
  const showProgress = createProgressLine(name);
  const events = connection.follow("POST /tools/{name}/call", { params: { name }, body, ...(headers && { headers }), signal });
  for await (const { event, data } of events) {
    if (event === "progress") terminal.progress(showProgress(data));
    if (event === "waiting") for (const line of waitingLines(data, program, connection, terminal)) terminal.note(line);
    if (event !== "result") continue;
    const ended = finish(data, terminal);
    if (ended === "notFound") for (const line of await nextSteps(name, connection)) terminal.note(terminal.style.warn(line));
    return ended;
  }
  throw new CommandError("unreachable", `The connection to ${connection.where} closed before the result arrived. See: toolrack calls`);
}

/** What a call is made with. */
export type CallBody = Readonly<Record<string, unknown>> & { readonly input: unknown };

type Update<Name extends CallEvent["event"]> = Extract<CallEvent, { readonly event: Name }>["data"];

/** What the call waits for, and how to answer. */
function waitingLines(notice: Update<"waiting">, program: string, connection: Connection, { style }: Terminal): readonly string[] {
  const { approval, tool, message, expiresAt } = notice;
  return [
    style.warn(`Waiting for a person's approval to call ${safe(tool)}: ${safe(message)}`),
    `  Approval ${safe(approval)}, until ${showTime(expiresAt)} UTC. To see the whole call: ${program} approvals show ${shellWord(safe(approval))}`,
    ...answerLines(approval, program, connection),
  ];
}

/** In a terminal JSON is laid out; in a pipe the content comes as the tool gave it. */
function showContent(content: string, terminal: Terminal): string {
  const value = terminal.isInteractive ? readJsonText(content) : undefined;
  return value === undefined ? safe(content) : terminal.json(value);
}

function finish(result: ToolResult, terminal: Terminal): ExitReason {
  const { style } = terminal;
  for (const notice of [...(result.meta.repairs ?? []), ...(result.meta.warnings ?? [])]) terminal.note(style.warn(safe(notice)));
  terminal.answer(result, () => (result.ok ? showContent(result.content, terminal) : style.bad(safe(result.error))));
  const { durationMs, waitedMs = 0, callId } = result.meta;
  const waited = waitedMs === 0 ? "" : ` · waited ${showDuration(waitedMs)} for a person`;
  terminal.note(style.dim(`${showDuration(durationMs - waitedMs)}${waited} · call ${callId}`));
  if (result.ok) return "ok";
  if (result.retryable) terminal.note("Retrying the same call may succeed.");
  if (result.code === "TOOL_NOT_FOUND") return "notFound";
  return result.status === 403 ? "refused" : "failed";
}

/** What a tool that was not found waits for, as far as the caller may know, or where the names are. */
async function nextSteps(name: string, connection: Connection): Promise<readonly string[]> {
  const waiting = await findWaiting(name, connection);
  return waiting.length > 0 ? waiting : ["List the tools with: toolrack list. Search them with: toolrack search <words>"];
}

async function findWaiting(name: string, connection: Connection): Promise<readonly string[]> {
  const { sources } = await connection.ask("GET /sources").catch(() => ({ sources: [] }));
  const { definitions } = await connection.ask("GET /lifecycle").catch(() => ({ definitions: [] }));
  return [
    ...sources
      .filter(({ id, state }) => state === "waiting-for-approval" && name.startsWith(`${id}__`))
      .map(({ id }) => `The source ${safe(id)} is waiting for approval. Approve it with: toolrack sources approve ${shellWord(safe(id))}`),
    ...definitions
      .filter((one) => one.name === name && (one.state === "draft" || one.state === "validated"))
      .map(
        ({ state }) =>
          `The definition of ${safe(name)} is ${state} and waiting for approval. Review it with: toolrack approve ${shellWord(safe(name))}`,
      ),
  ];
}

/** "slow_tool: 2/3 reading files": an update without a text keeps the last one. */
function createProgressLine(tool: string): (update: Update<"progress">) => string {
  let latest = "";
  return ({ message, progress, total }) => {
    if (message !== undefined) latest = safe(message);
    const share = progress === undefined ? "" : total === undefined ? String(progress) : `${progress}/${total}`;
    return `${safe(tool)}: ${[share, latest].filter((part) => part !== "").join(" ") || "…"}`;
  };
}
