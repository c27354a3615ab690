import type { AgentRun, Message, MessageOrigin } from "@toolrack/agent";
import type { Registry } from "@toolrack/core";
import type { Clock } from "@toolrack/core/node";
import type { Secrets, Session, SessionStore } from "@toolrack/store";
import { type RunnableAgent, withModel } from "../../config/agents.ts";
import type { UnfinishedOptions } from "../calls/unfinished.ts";
import type { RunningCall } from "../rack.ts";
import type { SessionRun } from "./agents.ts";
import { createAnsweredOnce } from "./answered-once.ts";
import { createCheckedModel } from "./checked-model.ts";
import type { HostStates, Starter } from "./host-state.ts";
import { createHostedSessions, type TakenRun } from "./hosted-sessions.ts";
import { openModel } from "./open-model.ts";
import { callerOf } from "./starter.ts";

export interface RunParts {
  readonly registry: Registry;
  readonly sessions: SessionStore<Message>;
  readonly states: HostStates;
  readonly secrets: Pick<Secrets, "get">;
  readonly unfinished: UnfinishedOptions;
  readonly clock: Clock;
  ownName(): string;
  runningCall(callId: string): RunningCall | undefined;
  isAgent(tool: string): boolean;
}

export interface NewRun {
  readonly agent: RunnableAgent;
  readonly session: Session;
  /** With the rights that it has now. */
  readonly starter: Starter;
  /** What is kept of that for the next run. @default starter */
  readonly given?: Starter;
  /** Undefined: it goes on with what is there. */
  readonly input?: { readonly text: string; readonly from: MessageOrigin };
  /** The session whose run it is a part of. */
  readonly parent?: string;
  /** Why it may not go on, as a sentence. Asked before each turn. */
  whyNot(): Promise<string | undefined>;
}

/** A run, with what others have to know of it. */
export interface BegunRun extends SessionRun {
  /** Once it has the session. */
  taken(): TakenRun | undefined;
}

/** Begins a run through the loop of `@toolrack/agent`, which is loaded now. */
export async function beginRun(
  parts: RunParts,
  { agent, session, starter, given = starter, input, parent, whyNot }: NewRun,
): Promise<BegunRun> {
  const { registry, sessions, states, secrets, unfinished, clock, ownName, runningCall, isAgent } = parts;
  const [{ createAgent }, model] = await Promise.all([import("@toolrack/agent"), openModel(withModel(agent, session.model), secrets)]);
  const { id, instructions, description, until } = agent;
  const { runTimeoutMs = 0 } = starter.spawned ?? {};
  const budget = { ...agent.budget, ...(runTimeoutMs > 0 && { ms: Math.min(runTimeoutMs, agent.budget?.ms ?? Infinity) }) };
  const caller = callerOf(withModel(agent, session.model), starter);
  let taken: TakenRun | undefined;
  const { thinking } = starter.spawned ?? {};
  const loop = createAgent({
    name: id,
    instructions,
    model: createCheckedModel(model, { whyNot, stop: (reason) => run.cancel(reason), thinking }),
    ...(description !== undefined && { description }),
    budget,
    ...(until !== undefined && { until }),
    registry: createAnsweredOnce({ registry, unfinished, taken: () => taken, ownName, running: runningCall, goesOn: isAgent }),
    sessions: createHostedSessions({
      sessions,
      states,
      ownName,
      change: (host) => ({
        ...host,
        starter: states.seal(session.key, given),
        // A person answered what it waited for.
        unattended: input !== undefined ? 0 : session.status === "waiting" ? host.unattended : host.unattended + 1,
      }),
      onTaken: (run) => void (taken = run),
    }),
    caller,
    settle: async () => "again", // the registry knows
    clock,
  });
  const shared = parent === undefined ? {} : { parent };
  const run: AgentRun =
    input === undefined ? loop.resume(session.id, shared) : loop.run(input.text, { ...shared, session: session.id, from: input.from });
  return {
    session: session.id,
    key: session.key,
    agent: id,
    caller,
    events: run,
    result: Promise.resolve(run),
    taken: () => taken,
    cancel: (reason) => run.cancel(reason),
  };
}
