import type { Answer, AskRequest, Caller } from "../../tool/context.ts";
import type { AbortSignal } from "../../util/abort-signal.ts";

/** A question to a person: whether to approve a call, or for a missing value. */
export interface ApprovalRequest extends AskRequest {
  /** Binds the answer to the current definition of the tool, these arguments and this question. */
  readonly digest: string;
  readonly tool: string;
  /** The tools whose calls led to this one, nearest first; absent for a direct call. */
  readonly parents?: readonly string[];
  /** The ids of those calls, in the same order. */
  readonly parentCallIds?: readonly string[];
  readonly input: unknown;
  /** What is known of the arguments, by JSON Pointer; "" is what decided about the call. Absent if nothing is known. */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  readonly callId: string;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** Asks a person. Without one, calls that need approval are refused. */
export interface Approver {
  ask(request: ApprovalRequest): Promise<Answer>;
}

/** The answer that a repeated call carries after APPROVAL_REQUIRED. */
export interface Approval {
  readonly digest: string;
  readonly answer: Answer;
}
