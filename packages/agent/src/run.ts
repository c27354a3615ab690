import type { Caller, ToolResult } from "@toolrack/core";
import type { Clock } from "@toolrack/core/node";
import { answerCalls, callIdOf, cutCalls, maxCallsInReply } from "./calls/answer-calls.ts";
import { callMemoryOf } from "./calls/call-memory.ts";
import { type CallScope, refuse } from "./calls/scope.ts";
import { type Settle, settleCalls } from "./calls/settle.ts";
import { type ContextHook, fitContext } from "./context/fit-context.ts";
import { finishTool } from "./criteria/finish-tool.ts";
import { fromSystem, type Goal } from "./criteria/goal.ts";
import type { Phase } from "./criteria/phases.ts";
import { findMissingInputs } from "./criteria/progress.ts";
import type { RunCode, RunResult, RunStatus } from "./events.ts";
import type { Message, UserMessage } from "./message.ts";
import type { Model, ModelEnd } from "./model.ts";
import type { OpenCalls, Transcript } from "./transcript/transcript.ts";
import { askModel } from "./turn/ask-model.ts";
import type { Offer, OfferTools } from "./turn/offer-tools.ts";

/** Everything that one run works with. */
export interface LoopParts extends Omit<CallScope, "caller" | "offer" | "tooEarly"> {
  readonly transcript: Transcript;
  readonly model: Model;
  readonly instructions: string;
  readonly offerTools: OfferTools;
  readonly goal: Goal;
  readonly settle: Settle | undefined;
  readonly hook: ContextHook | undefined;
  readonly clock: Clock;
  callerIn(phase: Phase | undefined): Caller;
  /** Keeps an input for later that cannot be read yet. */
  defer(input: UserMessage): Promise<void>;
  /** Why the signal was aborted. */
  interruption(): Ending;
}

export type Ending = Pick<RunResult, "status" | "code" | "reason" | "text" | "waiting">;

/** How often a model that stops too early is told what is missing. */
const maxReminders = 3;

const goOn = "You may go on with what is not done yet.";

/** What an earlier run of the session left. */
const freshRun = { phase: undefined, reminders: undefined, isUnfinished: undefined };

/** One run, from its input to its end. Every step is in the session before the next one begins. */
export async function runLoop(parts: LoopParts, input: UserMessage | undefined): Promise<Ending> {
  const { transcript, meter, signal, model, emit, goal } = parts;

  const open = transcript.unanswered(); // The run before was cut off, or waits for a person.
  const waits = open === undefined ? undefined : await answer(open, true);
  if (waits !== undefined && input !== undefined) await parts.defer(input);
  if (waits !== undefined) return waits;

  // 1: what is asked for
  await transcript.takeInbox();
  if (input !== undefined) await transcript.append(input, { ...freshRun, since: transcript.newest?.seq ?? 0 });
  if (!isAsked() && transcript.state.isUnfinished === true) await transcript.append(fromSystem(goOn), { isUnfinished: undefined });
  if (!isAsked()) return ending("done", "answered", "There is nothing to answer in this session.");
  await goal.begin();

  for (let flagged = "[]"; ;) {
    if (signal.aborted) return parts.interruption();
    if (await isFinished()) return ending("done", "finished", "The model has finished.", finalAnswer());
    const last = meter.lastTurn();

    // 2: the tools, as they are now
    const { tools, exported } = offer();
    const missingInputs = findMissingInputs(tools, parts.progress);
    if (flagged !== (flagged = JSON.stringify(missingInputs))) emit({ type: "inputs-missing", tools: missingInputs });

    // 3: the model
    const otherTokens = (exported.text.length + parts.instructions.length) / 4;
    const shown = await fitContext({ ...parts, otherTokens, ask: (messages) => ask(messages, false) });
    emit({ type: "turn", turn: meter.spent.turns + 1, isLast: last !== undefined });
    const reply = await (last === undefined ? ask(shown, true) : ask([...shown, lastWords(last)], false));
    if (signal.aborted || reply.stop === "cancelled") return parts.interruption();
    if (reply.stop === "failed") return ending("failed", "model", reply.failure?.message ?? `Model "${model.name}" failed.`);

    // 4: the reply is on record before anything is called
    const message = cutCalls(reply.message);
    const change = { spent: meter.spent, callsBy: callMemoryOf(parts.registry).id };
    const seq = await transcript.append(message, change, { ...reply.usage, turns: 1, calls: 0 });
    if (reply.stop === "refused" && message.calls.length === 0)
      return ending("failed", "refused", `Model "${model.name}" refused to answer.`);

    // 5: no calls
    if (message.calls.length === 0) {
      const hasNews = (await transcript.takeInbox()) > 0;
      const missing = await goal.missing(message.content);
      if (last !== undefined && (missing !== undefined || hasNews || !goal.hasCriteria)) return outOfBudget(last);
      if (hasNews) continue;
      if (missing === undefined && last === undefined && (await goal.next())) continue;
      if (missing === undefined) return ending("done", "answered", "The model has answered.");
      const reminders = (transcript.state.reminders ?? 0) + 1;
      if (reminders > maxReminders)
        return ending("stopped", "unmet", `The model was told ${maxReminders} times what is missing. ${missing}`);
      await transcript.append(fromSystem(missing), { reminders });
      continue;
    }

    // 6 and 7: the calls, and all their results in one message
    if (last !== undefined) {
      await refuseAll({ seq, message }, last);
      return outOfBudget(last);
    }
    const needsPerson = await answer({ seq, message }, false);
    if (needsPerson !== undefined) return needsPerson;

    // 8: what was said meanwhile
    await transcript.takeInbox();
  }

  function isAsked(): boolean {
    const role = transcript.newest?.message.role;
    return role === "user" || role === "tool";
  }

  /** The newest message answers a call of `finish` that was not too early. Where another phase follows, that one begins. */
  async function isFinished(): Promise<boolean> {
    if (transcript.newest?.message.role !== "tool" || !goal.isFinished()) return false;
    return (await goal.missing(transcript.lastText())) === undefined && !(await goal.next());
  }

  function finalAnswer(): string {
    const calls = transcript.messages.flatMap(({ message }) => (message.role === "assistant" ? message.calls : []));
    const input = calls.findLast(({ name }) => name === finishTool.name)?.input as { readonly answer?: unknown } | undefined;
    return typeof input?.answer === "string" ? input.answer : transcript.lastText();
  }

  function offer(): Offer {
    return parts.offerTools(parts.callerIn(goal.phase), goal.phase, goal.wantsSignal);
  }

  async function ask(messages: readonly Message[], mayCall: boolean): Promise<ModelEnd> {
    // The tools stay in every request: a vendor's cache hits, and earlier calls make sense to it.
    const choice = mayCall ? {} : { choice: "none" as const };
    const request = { instructions: parts.instructions, messages, tools: offer().exported, ...choice, signal };
    const reply = await askModel(model, request, parts);
    meter.addTurn(reply.usage);
    return reply;
  }

  /** Makes the calls; after a cut, those whose outcome is not known. An ending if a person has to be asked first. */
  async function answer(calls: OpenCalls, wasCutOff: boolean): Promise<Ending | undefined> {
    const { session, state } = transcript;
    const tooEarly = (): Promise<string | undefined> => goal.missing(calls.message.content, true);
    const scope: CallScope = { ...parts, caller: parts.callerIn(goal.phase), offer: offer(), tooEarly };
    const known = wasCutOff ? await settleCalls(calls, { session: session.id, state, scope, settle: parts.settle }) : undefined;
    const { results, waiting } = await answerCalls(calls, session.id, scope, known);
    if (waiting.length === 0) return appendResults(calls, results as readonly ToolResult[]);
    await transcript.save({ spent: meter.spent, waiting: { seq: calls.seq, results, calls: waiting } });
    forget(calls); // whoever resumes finds the answers in the session
    emit({ type: "waiting", calls: waiting });
    const names = waiting.map(({ tool }) => `"${tool}"`).join(", ");
    return { ...ending("waiting", "approval", `A person has to answer for ${names}. Resume the session with the answer.`), waiting };
  }

  async function refuseAll(calls: OpenCalls, why: string): Promise<void> {
    const results = calls.message.calls.map(({ name }, index) =>
      refuse("BUDGET_EXCEEDED", `Tool "${name}" was not called. ${why}.`, callIdOf(transcript.session.id, calls.seq, index), name),
    );
    await appendResults(calls, results);
  }

  async function appendResults({ seq, message }: OpenCalls, results: readonly ToolResult[]): Promise<undefined> {
    const usage = { inputTokens: 0, outputTokens: 0, turns: 0, calls: Math.min(results.length, maxCallsInReply) };
    await transcript.append({ role: "tool", results }, { spent: meter.spent, waiting: undefined }, usage);
    forget({ seq, message });
  }

  /** The answers of these calls are stored. */
  function forget({ seq, message }: OpenCalls): void {
    callMemoryOf(parts.registry).forget(message.calls.map((_, index) => callIdOf(transcript.session.id, seq, index)));
  }

  function ending(status: RunStatus, code: RunCode, reason: string, text = transcript.lastText()): Ending {
    return { status, code, reason, text };
  }

  function outOfBudget(why: string): Ending {
    return ending("stopped", "budget", `${why}. Resume the session to go on with a new budget.`);
  }
}

function lastWords(why: string): UserMessage {
  return fromSystem(
    `${why}, so this is the last turn. You cannot call tools any more: answer with what you have, and say what is not done.`,
  );
}
