/** Calls of tools with values that earlier calls answered. */
export interface Chain {
  readonly steps: readonly ChainStep[];
  /** The step whose result is the result of the chain. @default the last of the list */
  readonly returnStep?: string;
  /** For every step that does not say it itself. @default false */
  readonly continueOnError?: boolean;
}

export interface ChainStep {
  /** Letters, digits, "_" and "-". "input" is the input of the chain. */
  readonly id: string;
  /** The name of the tool. It cannot hold references. */
  readonly tool: string;
  /** Its texts may hold references: "${step.field}", "${input.x}". "\${" is the text "${". @default {} */
  readonly input?: unknown;
  /** Steps that have to end first, beside those that the input refers to. */
  readonly dependsOn?: readonly string[];
  /** Whether the chain goes on when this step fails. Steps that refer to its result are skipped then. */
  readonly continueOnError?: boolean;
  /** How often a failed call is made again, where that can help. @default 0 */
  readonly retries?: number;
}

/** What keeps a chain from running. */
export interface ChainProblem {
  /** The step, where it is about one. */
  readonly step?: string;
  /** Names the step, the fact and what to do. */
  readonly message: string;
}

/** Calls that one chain may make, retries included: as many as a program. */
export const maximumChainCalls = 50;
export const maximumRetries = 10;
/** Of values in an input, and of fields in a reference. */
export const maximumChainDepth = 64;
