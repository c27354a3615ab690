import type { Caller } from "@toolrack/core";
import type { SessionMessage, SessionSummary, StoredSessionMessage, ThinkingLevel } from "../host.ts";

/** One run of a session: from the messages that woke it to its answer. */
export interface SessionRun {
  readonly session: SessionSummary;
  /** Make every call of the run as this caller: what the session may use depends on it. */
  readonly caller: Caller;
  /** How much the model is to think; absent: as it does by itself. */
  readonly thinking?: ThinkingLevel;
  /** All messages so far, the new ones at the end. */
  messages(): readonly StoredSessionMessage[];
  /** Keeps what happens in the run: turns of the model with their calls, and the results of those. The answer is kept by itself. */
  append(message: SessionMessage & { readonly role: "assistant" | "tool" }): void;
  /** What was sent to the session meanwhile, now part of its messages. Ask between turns. */
  takeInbox(): readonly SessionMessage[];
  /** Aborted when the session is ended or its time is over. */
  readonly signal: AbortSignal;
}

export interface RunEnd {
  readonly text: string;
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number; readonly costUsd?: number };
}

/** Lets a session answer: a loop around a model, or a script. What it throws is told to whoever waits. */
export type RunSession = (run: SessionRun) => RunEnd | string | Promise<RunEnd | string>;
