import { text } from "node:stream/consumers";
import { shellWord } from "@toolrack/core/internal/shell-word";
import type { AgentRunAnswer, AgentRunEvent } from "@toolrack/server";
import type { Connection } from "../connection/connection.ts";
import { CommandError, type ExitReason } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { mayGoOn } from "./_confirm.ts";
import type { CommandInput } from "./command.ts";
import { followSession, newestMessage } from "./_sessions.ts";

/** Runs an agent, prints what it says as it comes, and asks the person at the terminal what it has to ask. */
export async function runAgent(given: CommandInput<[id: string]>): Promise<ExitReason> {
  const {
    arguments: [id],
    rest,
    options,
    terminal,
    connect,
    signal,
    program,
  } = given;
  const input = rest.length === 1 && rest[0] === "-" ? await text(terminal.input) : rest.join(" ");
  const connection = await connect();
  const session = options["session"];
  const body = { input, ...(typeof session === "string" && { session }) };
  let ended: AgentRunAnswer | undefined;
  const show = createEventPrinter(given);
  for await (const event of connection.follow("POST /agents/{id}/runs", { params: { id }, body, signal })) {
    show(event);
    if (event.event === "end") ended = event.data;
  }
  if (ended === undefined)
    throw new CommandError("unreachable", `The connection to ${connection.where} closed before the run ended. See: toolrack sessions`);
  if (ended.status === "waiting") ended = await answerQuestions(given, connection, ended);
  const { status, reason = "", text: said = "" } = ended;
  if (terminal.isJson) terminal.answer(ended, () => said);
  if (status !== "done") terminal.note(terminal.style.warn(safe(reason)));
  terminal.note(
    terminal.style.dim(
      `session ${safe(ended.session)} · go on: ${program} run ${shellWord(safe(id))} "…" --session ${shellWord(safe(ended.session))}`,
    ),
  );
  return status === "failed" ? "failed" : status === "waiting" ? "refused" : "ok";
}

/** Asks for each call that waits; where nobody is at the terminal, says how to answer. */
async function answerQuestions(given: CommandInput, connection: Connection, ended: AgentRunAnswer): Promise<AgentRunAnswer> {
  const { terminal, program } = given;
  for (let now = ended; ;) {
    const { waiting } = await connection.ask("GET /approvals", { query: { limit: 200 } });
    const questions = waiting.filter(({ caller }) => caller.session === now.session);
    const newest = await newestMessage(connection, now.session);
    for (const { id, tool, input, message, digest } of questions) {
      terminal.note(terminal.style.warn(`${safe(tool)} needs your approval: ${safe(message)}`));
      terminal.note(`  ${terminal.json(input)}`);
      if (terminal.isJson || terminal.input.isTTY !== true || terminal.output.isTTY !== true) {
        terminal.note(`  Answer with: ${program} approvals approve ${shellWord(safe(id))}`);
        return now;
      }
      const approved = await mayGoOn(given, `Call ${safe(tool)}?`);
      await connection.ask("POST /approvals/{id}/decide", { params: { id }, body: { approved, digest } });
    }
    if (questions.length === 0) return now;
    now = { ...now, ...(await followSession(given, connection, now.session, newest)) };
    if (now.status !== "waiting") return now;
  }
}

/** Text as it comes; calls on lines of their own. */
function createEventPrinter({ terminal }: CommandInput): (event: AgentRunEvent) => void {
  const { style, output, isJson } = terminal;
  let isOpen = false;
  const endLine = (): void => {
    if (isOpen) output.write("\n");
    isOpen = false;
  };
  return ({ event, data }) => {
    if (isJson) return;
    if (event === "text") {
      output.write(safe(data.text));
      isOpen = true;
    }
    if (event === "call" || event === "result" || event === "end" || event === "shown") endLine();
    if (event === "call") terminal.note(style.dim(`→ ${safe(data.tool)} ${safe(JSON.stringify(data.input)).slice(0, 200)}`));
    if (event === "shown") terminal.note(safe(data.result.content));
    if (event === "result" && !data.result.ok) terminal.note(style.warn(`← ${safe(data.tool)}: ${safe(data.result.error)}`));
    if (event === "retry") terminal.note(style.dim(`${safe(data.reason)} It is asked again.`));
  };
}
