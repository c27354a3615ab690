import type { Answer, AskRequest, Caller } from "../../tool/context.ts";

/** What a person is asked: may this call go ahead, or what is the missing value. */
export interface ApprovalRequest extends AskRequest {
  /** Binds the answer to this tool as it is defined now, these arguments and this question. */
  readonly digest: string;
  readonly tool: string;
  /** The tools whose calls led to this one, the nearest first; absent where the caller made it. */
  readonly parents?: readonly string[];
  readonly input: unknown;
  readonly callId: string;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** The way to a person. Absent means that nobody can be asked here, and what needs asking is refused. */
export interface Approver {
  ask(request: ApprovalRequest): Promise<Answer>;
}

/** The answer that a call brings along when it is made again after APPROVAL_REQUIRED. */
export interface Approval {
  readonly digest: string;
  readonly answer: Answer;
}
