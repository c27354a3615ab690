import type { Criteria } from "./criteria.ts";

/** A part of a run with its own tools. The run goes on to the next phase when the criteria of this one are met. */
export interface Phase {
  /** Also the `phase` of the caller, by which a policy can choose tools. */
  readonly name: string;
  /** What is to be done in it; the model is told when it begins. */
  readonly instructions?: string;
  /** The tools on offer. @default all that the caller may use */
  readonly tools?: readonly string[];
  readonly until?: Criteria;
}

/** What the model is told when a phase begins. */
export function announcePhase({ name, instructions }: Phase): string {
  return `Now the phase "${name}" begins.${instructions === undefined ? "" : ` ${instructions}`}`;
}
