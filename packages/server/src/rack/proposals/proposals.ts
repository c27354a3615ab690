import type { Caller } from "@toolrack/core";
import type { Author } from "../audit/author.ts";

/** Changes of settings that agents propose. Nothing changes before a person accepts exactly what was shown. */
export interface Proposals {
  /** Throws CONFIG_INVALID for changes that cannot be, TOOL_NOT_ALLOWED for keys that agents may not name, and RATE_LIMITED beyond the limits. */
  propose(proposal: NewProposal): Promise<WaitingProposal>;
  /** The oldest first. */
  waiting(): readonly WaitingProposal[];
  /** Accepts exactly what was looked at, or drops it. Undefined if nothing waits under this id; throws STATE_INVALID if the settings changed since. */
  decide(id: string, decision: ProposalDecision): Promise<WaitingProposal | undefined>;
}

export interface NewProposal {
  /** Setting → its new value; null removes it. */
  readonly changes: Readonly<Record<string, unknown>>;
  readonly note?: string | undefined;
  readonly caller: Caller;
}

/** A question to a person. */
export interface WaitingProposal {
  /** "proposal-…": among all questions. */
  readonly id: string;
  readonly kind: "proposal";
  /** The tool that proposed it. */
  readonly tool: string;
  readonly note?: string;
  readonly changes: readonly ProposedChange[];
  readonly caller: Caller;
  readonly askedAt: number;
  readonly expiresAt: number;
  readonly digest: string;
}

export interface ProposedChange {
  /** "sources.tickets" */
  readonly key: string;
  /** What is in force, without credentials; absent if nothing is. */
  readonly before?: unknown;
  /** Whole, with the values of variables; null if it is removed. */
  readonly after: unknown;
}

export interface ProposalDecision {
  readonly approved: boolean;
  /** The digest of the proposal that was looked at. */
  readonly digest: string;
  readonly by: Author;
}
