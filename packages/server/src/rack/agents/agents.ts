import type { AgentEvent, Message, MessageOrigin, RunResult } from "@toolrack/agent";
import type { Caller } from "@toolrack/core";
import type { Session, SessionStore } from "@toolrack/store";
import type { RunnableAgent } from "../../config/agents.ts";

/** The agents that this server runs, and the sessions of all servers on the store. Nothing is loaded before the first run. */
export interface Agents {
  /** As the settings in force have them. */
  list(): readonly RunnableAgent[];
  /** Sessions with their messages. What a caller may see of them is for whoever shows them to decide: see `starterOf`. */
  readonly sessions: SessionStore<Message>;
  /** Who began a session; undefined where what is stored was changed by somebody else than a server. */
  starterOf(session: Session): Caller | undefined;
  /**
   * Gives an agent something to do. Resolves when that is on record. Throws as a call would be refused: for an agent that the caller may not use, a
   * session of somebody else or one that is busy, and with too many runs.
   */
  start(agent: string, request: RunRequest): Promise<SessionRun>;
  /** Says something to a session: its run reads it between two turns, and a session without one is woken. */
  send(session: string, content: string, from: MessageOrigin): Promise<void>;
  /**
   * Goes on with a session whose last run was cut off or stopped, without a word to it. Resolves when it runs. Throws for a session that runs, waits,
   * has ended, or has nothing to go on with.
   * @param by who asks for it: the run is the owner's only where the owner does, as a person
   */
  resume(session: string, by: Pick<RunRequest, "caller" | "from">): Promise<SessionRun>;
  /** The run of a session on this server. */
  running(session: string): SessionRun | undefined;
  /** Resolves when no server runs the session and it waits for nobody, or also when it waits; or when the signal is aborted. */
  settled(session: string, signal: AbortSignal, orWaits?: "or waits"): Promise<Session | undefined>;
  /** Ends the run of a session, on whichever server it is. The session can be woken again. */
  cancel(session: string, reason?: string): Promise<void>;
}

export interface RunRequest {
  readonly input: string;
  /** The id or key of a session of the same caller, or a name of its own: "notes" is "agent:<agent>:notes". @default a new session */
  readonly session?: string;
  /** Who asks: by this the run is allowed, and its session belongs to it. */
  readonly caller: Caller;
  /** Where the input comes from. A run has the rights of an owner only if a person began it. */
  readonly from: MessageOrigin;
  /** The session whose run this one is a part of: it draws from its budget. */
  readonly parent?: string;
  /** What people and models call the session, where one is made. */
  readonly label?: string;
  /** The name of one of the agent's models, where a session is made. @default its own */
  readonly model?: string;
  /** How many agents called each other until this one. @default 0 */
  readonly depth?: number;
}

/** A run on this server. */
export interface SessionRun {
  readonly session: string;
  readonly key: string;
  readonly agent: string;
  readonly caller: Caller;
  readonly events: AsyncIterable<AgentEvent>;
  /** Never rejects. */
  readonly result: Promise<RunResult>;
  cancel(reason?: string): void;
}
