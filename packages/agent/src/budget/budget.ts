/** What a run may use up. What is not given has no limit, except turns and failures. */
export interface Budget {
  /** Requests to the model. @default 30 */
  readonly turns?: number;
  /** Tokens in and out. */
  readonly tokens?: number;
  readonly costUsd?: number;
  /** Time from the beginning of the run, without the time that it waits for people. */
  readonly ms?: number;
  /** Calls of tools. */
  readonly calls?: number;
  /** Calls that fail one after the other. @default 8 */
  readonly failuresInARow?: number;
}

/** What a run has used up. */
export interface Spent {
  readonly turns: number;
  readonly tokens: number;
  readonly costUsd: number;
  readonly ms: number;
  readonly calls: number;
  readonly failuresInARow: number;
}

export const defaultTurns = 30;
export const defaultFailures = 8;
