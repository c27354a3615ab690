import type { ProgramLimits } from "../limits.ts";

/** Bumped when a stored program could no longer be read as it was meant. */
export const stateVersion = 3;

/**
 * A program that waits, as plain data. It can be stored as JSON and read by any process with the same version of this package.
 * `heap` holds the objects by number, in the form of rows; values are primitives or rows that begin with a letter.
 */
export interface ProgramState {
  readonly version: number;
  /** SHA-256 of the source, with what it was compiled for. */
  readonly sourceHash: string;
  /** SHA-256 of everything else but the tools: a state that was changed by mistake is refused. */
  readonly stateHash: string;
  readonly source: string;
  readonly tracked: boolean;
  /** What it may call. Both lists may be replaced before it goes on, since that is decided anew. */
  readonly tools: readonly string[];
  readonly freeTools: readonly string[];
  readonly limits: ProgramLimits;
  readonly labelNames: readonly string[];
  readonly heap: readonly unknown[];
  readonly roots: unknown;
}
