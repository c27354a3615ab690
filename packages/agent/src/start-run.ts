import type { Approval, Caller, Registry } from "@toolrack/core";
import { longestTimerMs, onAbort } from "@toolrack/core/internal";
import type { Clock } from "@toolrack/core/node";
import type { AgentOptions } from "./agent.ts";
import type { Budget } from "./budget/budget.ts";
import { createMeter, type Meter } from "./budget/meter.ts";
import { createGoal } from "./criteria/goal.ts";
import type { Phase } from "./criteria/phases.ts";
import { readProgress } from "./criteria/progress.ts";
import { codeOf, messageOf } from "./errors.ts";
import type { Emit, RunResult } from "./events.ts";
import type { UserMessage } from "./message.ts";
import { type Ending, runLoop } from "./run.ts";
import { activeRunOf, addActiveRun } from "./running/active-runs.ts";
import type { Session, SessionLease, SessionStore } from "./sessions.ts";
import { holdLease } from "./transcript/lease.ts";
import { openTranscript, type Transcript } from "./transcript/transcript.ts";
import type { OfferTools } from "./turn/offer-tools.ts";

/** An agent whose defaults are filled in. */
export interface ReadyAgent extends AgentOptions {
  readonly registry: Registry;
  readonly sessions: SessionStore;
  readonly clock: Clock;
  readonly offerTools: OfferTools;
}

/** One run that is to begin. */
export interface RunRequest {
  /** Undefined: go on with what is there. */
  readonly input: UserMessage | undefined;
  readonly budget: Budget | undefined;
  readonly approvals: readonly Approval[] | undefined;
  readonly parent: string | undefined;
  readonly emit: Emit;
  /** Aborted with an `Ending`. */
  readonly stopping: AbortController;
  /** Finds the session, or makes it. A text says why there is none. */
  openSession(): Promise<Session | string>;
}

/** Takes the session, runs the loop, and gives the session back. Never rejects. */
export async function startRun(agent: ReadyAgent, request: RunRequest): Promise<RunResult> {
  const { sessions, clock } = agent;
  const { stopping } = request;
  let session: Session | undefined;
  try {
    const opened = await request.openSession();
    if (typeof opened === "string") return withoutRun("session", opened, "");
    session = opened;
    const lost = (): void => stopping.abort(failed("Another runner has taken over the session."));
    const held = await holdLease(sessions, session.id, { clock, onLost: lost });
    if (held === undefined) return withoutRun("busy", busy(session), session.id);
    try {
      return await runHeld(agent, request, held.lease, session.id);
    } finally {
      await held.release().catch(() => undefined);
    }
  } catch (error) {
    return withoutRun("session", messageOf(error), session?.id ?? "");
  }
}

async function runHeld(agent: ReadyAgent, request: RunRequest, lease: SessionLease, id: string): Promise<RunResult> {
  const { sessions, clock, registry, model } = agent;
  const { emit, input, stopping, approvals = [] } = request;
  const { signal } = stopping;
  const transcript = await openTranscript(id, { sessions, lease, emit });
  const parent = activeRunOf(request.parent);
  const budget = { ...agent.budget, ...request.budget };
  const meter = createMeter({ budget, clock, parent: parent?.meter, spent: input === undefined ? transcript.state.spent : undefined });
  const callerIn = createCallers(agent, transcript.session, parent?.caller);
  const since = input === undefined ? (transcript.state.since ?? 0) : transcript.session.last;
  const toolOf = (name: string): ReturnType<Registry["get"]> => registry.get(name);
  const progress = readProgress({ messages: transcript.messages, since, artifacts: agent.artifacts ?? [], toolOf });
  const goal = createGoal({ until: agent.until, phases: agent.phases ?? [], transcript, progress, emit, signal });
  const allApprovals = [...approvals, ...(parent?.approvals ?? [])];

  const { key, depth } = transcript.session;
  const leave = addActiveRun({ session: id, key, depth, meter, approvals: allApprovals, caller: callerIn(undefined), emit });
  const cancelTimer = endInTime(meter, clock, stopping);
  emit({ type: "start", session: id, isResumed: input === undefined });
  let ending: Ending;
  try {
    ending = await runLoop(
      {
        registry,
        model,
        meter,
        progress,
        goal,
        transcript,
        emit,
        signal,
        clock,
        callerIn,
        approvals: allApprovals,
        instructions: agent.instructions,
        offerTools: agent.offerTools,
        settle: agent.settle,
        hook: agent.context,
        defer: async ({ content, from }) => void (await sessions.send(id, { content, from })),
        interruption: () => signal.reason as Ending,
      },
      input,
    );
  } catch (error) {
    ending = signal.aborted ? (signal.reason as Ending) : failed(messageOf(error));
    if (codeOf(error) === "LEASE_LOST") return { ...ending, usage: meter.usage, session: id };
  } finally {
    cancelTimer();
    leave();
  }
  await giveBack(transcript, ending);
  return { ...ending, text: ending.text || transcript.lastText(), usage: meter.usage, session: id };
}

/** A run that waits goes on with its budget and its reminders; one that is over leaves neither. What fails here is tried again by the next run. */
async function giveBack(transcript: Transcript, { status }: Ending): Promise<void> {
  const isWaiting = status === "waiting";
  const isUnfinished = status === "stopped" || undefined;
  const change = isWaiting ? {} : { spent: undefined, reminders: undefined, waiting: undefined, isUnfinished };
  await transcript.save(change, isWaiting ? "waiting" : "idle").catch(() => undefined);
}

function endInTime({ deadline }: Meter, clock: Clock, stopping: AbortController): () => void {
  if (deadline === Infinity) return () => undefined;
  const reason = "The time of this run is over. Resume the session to go on with a new budget.";
  let cancel = (): void => undefined;
  const wait = (): void => {
    const leftMs = deadline - clock.now();
    const end = (): void => stopping.abort({ status: "stopped", code: "budget", reason, text: "" });
    cancel = leftMs > longestTimerMs ? clock.after(longestTimerMs, wait) : clock.after(Math.max(0, leftMs), end);
  };
  wait();
  return () => cancel();
}

/** Who calls, in each phase: the same value every time. A child has the identity of its parent, and is owner only where its parent is. */
function createCallers(
  { caller = {}, name, model }: ReadyAgent,
  session: Session,
  parent: Caller | undefined,
): (phase: Phase | undefined) => Caller {
  const { tenant, principal, acting, channel, group, sender } = parent ?? {};
  const inherited = Object.fromEntries(
    Object.entries({ tenant, principal, acting, channel, group, sender }).filter(([, value]) => value !== undefined),
  );
  const known = new Map<string | undefined, Caller>();
  const shared: Caller = {
    agent: name,
    model: model.name,
    ...inherited,
    ...caller,
    ...(parent !== undefined && { owner: parent.owner === true && caller.owner === true }),
    ...(session.depth > 0 && { subagentDepth: session.depth }),
    session: session.id,
  };
  return (phase) => {
    let made = known.get(phase?.name);
    if (made === undefined) known.set(phase?.name, (made = Object.freeze(phase === undefined ? shared : { ...shared, phase: phase.name })));
    return made;
  };
}

function failed(reason: string): Ending {
  return { status: "failed", code: "session", reason, text: "" };
}

function withoutRun(code: "busy" | "session", reason: string, session: string): RunResult {
  return { status: "failed", code, reason, text: "", usage: { inputTokens: 0, outputTokens: 0, turns: 0, calls: 0 }, session };
}

function busy({ key }: Session): string {
  return `Session "${key}" is being run already. Wait for its end, or send it a message, which it reads between two turns.`;
}

/** Aborts the controller when a signal from outside is, until the returned function is called. */
export function stopWith(signal: AbortSignal | undefined, stopping: AbortController): () => void {
  return onAbort(signal, () => stopping.abort(cancelled()));
}

export function cancelled(reason = "The run was cancelled."): Ending {
  return { status: "stopped", code: "cancelled", reason: `${reason} Resume the session to go on.`, text: "" };
}
