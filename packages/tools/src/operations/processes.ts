import type { ProgramExit } from "@toolrack/core/internal/programs";

export { ProcessFault } from "@toolrack/core/internal/programs";

/**
 * Everything that the tools do with other programs. No shell is involved: a program gets its arguments unchanged.
 * Contract: what a program started dies with it: when it ends, when it is killed, when `close` is called and when this process ends.
 */
export interface ProcessOperations {
  /** What programs cannot do here, as a sentence for the descriptions of tools. */
  readonly note?: string;
  /** Rejects with a `ProcessFault` where the program cannot be started. */
  start(command: ProcessCommand): Promise<StartedProcess>;
  /** Ends every program that still runs. */
  close(): Promise<void>;
}

export interface ProcessCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** A folder of the workspace. @default its root */
  readonly cwd?: string;
  /** The complete environment: nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether `write` will be used; otherwise the program reads the end of its input at once. @default false */
  readonly takesInput?: boolean;
  /** Whether this process may end while the program runs, which then ends too. @default false */
  readonly isBackground?: boolean;
  onOutput(stream: "stdout" | "stderr", bytes: Uint8Array): void;
}

export interface StartedProcess {
  readonly pid: number;
  /** Resolves when the program and all that it started have ended, and all output was passed to `onOutput`. */
  readonly ended: Promise<ProcessEnd>;
  /** Rejects with EPIPE if the input is closed. */
  write(input: string | Uint8Array): Promise<void>;
  endInput(): void;
  /** Sends a signal to the program and everything it started. */
  signal(name: ProcessSignal): void;
  /** Asks the program to end, ends it after a moment, and resolves as `ended` does. */
  stop(): Promise<ProcessEnd>;
}

export type ProcessSignal = "SIGINT" | "SIGTERM" | "SIGKILL" | "SIGHUP";

/** How a program ended. */
export type ProcessEnd = ProgramExit;
