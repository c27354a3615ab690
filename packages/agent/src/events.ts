import type { ApprovalTicket, Progress, ToolResult, ToolSuccess } from "@toolrack/core";
import type { Message, Usage } from "./message.ts";

/** What a run tells while it runs, in order. The last one is always "end". */
export type AgentEvent =
  | { readonly type: "start"; readonly session: string; readonly isResumed: boolean }
  | { readonly type: "turn"; readonly turn: number; readonly isLast: boolean }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  /** The model failed before it said anything, and is asked again. */
  | { readonly type: "retry"; readonly attempt: number; readonly waitMs: number; readonly reason: string }
  /** A message is in the session. */
  | { readonly type: "message"; readonly seq: number; readonly message: Message }
  | { readonly type: "call"; readonly callId: string; readonly tool: string; readonly input: unknown }
  | { readonly type: "progress"; readonly callId: string; readonly tool: string; readonly progress: Progress }
  /** A result for the person; the model gets a receipt. */
  | { readonly type: "shown"; readonly callId: string; readonly tool: string; readonly result: ToolSuccess }
  | { readonly type: "result"; readonly callId: string; readonly tool: string; readonly result: ToolResult }
  /** Tools on offer whose inputs nothing has produced so far; a call of one is answered with that. Told when it changes. */
  | { readonly type: "inputs-missing"; readonly tools: readonly MissingInputs[] }
  | { readonly type: "phase"; readonly phase: string }
  | { readonly type: "waiting"; readonly calls: readonly WaitingCall[] }
  | { readonly type: "end"; readonly result: RunResult };

export interface MissingInputs {
  readonly tool: string;
  readonly artifacts: readonly string[];
}

/** A call that a person has to answer before it can be made. */
export interface WaitingCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly approval: ApprovalTicket;
}

/**
 * How a run ended: it has its answer; it waits for a person; a limit ended it, and `resume` goes on; or something failed, which `resume` tries again.
 */
export type RunStatus = "done" | "waiting" | "stopped" | "failed";

/** Why, for programs: the sentence of `reason` is for people. */
export type RunCode = "answered" | "finished" | "approval" | "budget" | "unmet" | "cancelled" | "model" | "refused" | "busy" | "session";

export interface RunUsage extends Usage {
  readonly turns: number;
  readonly calls: number;
}

export interface RunResult {
  readonly status: RunStatus;
  readonly code: RunCode;
  /** A sentence with the fact and the next step. */
  readonly reason: string;
  /** The last thing that the model said, or the answer that it gave to `finish`. */
  readonly text: string;
  /** Of this run alone, with the runs of agents that it called as tools. */
  readonly usage: RunUsage;
  /** The id of the session. */
  readonly session: string;
  /** For "waiting": the calls that need an answer. */
  readonly waiting?: readonly WaitingCall[];
}

export type Emit = (event: AgentEvent) => void;
