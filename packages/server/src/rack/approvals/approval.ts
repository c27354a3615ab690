import type { Caller } from "@toolrack/core";
import type { ApprovalScope } from "@toolrack/core/policy";
import type { Author } from "../audit/author.ts";

/** Calls that wait for approval. Stored, so that any server can show and answer them. */
export interface Approvals {
  /** All waiting calls of every server, the oldest first. */
  list(): Promise<readonly WaitingApproval[]>;
  /** How many wait, as far as this server knows without asking the store. */
  waiting(): number;
  /** A waiting call; undefined if it was answered or has ended. */
  get(id: string): Promise<WaitingApproval | undefined>;
  /** Undefined if it was answered already or its call has ended. */
  decide(id: string, decision: ApprovalDecision): Promise<WaitingApproval | undefined>;
  /** Valid approvals for more than one call. */
  remembered(): Promise<readonly RememberedApproval[]>;
  /** Revokes such an approval; false if there is none. */
  forget(id: string, by: Author): Promise<boolean>;
}

/** An approval for further calls of the same agent with the same tool and arguments. */
export interface RememberedApproval {
  readonly id: string;
  readonly tool: string;
  readonly digest: string;
  readonly caller: Caller;
  readonly scope: Exclude<ApprovalScope, "once">;
  readonly by: string;
  readonly decidedAt: number;
  /** Absent for an approval that is valid until it is revoked. */
  readonly until?: number;
}

export interface WaitingApproval {
  readonly id: string;
  readonly callId: string;
  readonly tool: string;
  /** The question. */
  readonly message: string;
  readonly input: unknown;
  /** Of the tool and these arguments: an answer is for exactly these. */
  readonly digest: string;
  /** The schema of an answer; absent for yes or no. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** What is known of the input, by JSON Pointer; "" holds for all of it. */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  /** The program that waits for the answer, and the line where it stands. */
  readonly program?: {
    readonly id: string;
    readonly line: number;
    readonly text: string;
    /** Where the labels come from, by JSON Pointer: `{ "/text": ["read_mail (line 2)"] }`. */
    readonly origins?: Readonly<Record<string, readonly string[]>>;
  };
  readonly caller: Caller;
  readonly askedAt: number;
  readonly expiresAt: number;
}

export interface ApprovalDecision {
  readonly approved: boolean;
  /** What the person saw; refused if the request has other arguments. */
  readonly digest?: string;
  /** For a question that asks for more than yes or no. */
  readonly value?: unknown;
  /** How long the answer is valid. @default "once" */
  readonly scope?: ApprovalScope;
  readonly reason?: string;
  /** Who decided. */
  readonly by: Author;
}

/** A call has begun to wait for approval. */
export interface WaitingNotice {
  /** The id of the approval. */
  readonly approval: string;
  /** The tool that needs it: the one that was called, or one that it calls. */
  readonly tool: string;
  /** The question. */
  readonly message: string;
  readonly expiresAt: number;
}
