import type { Caller } from "@toolrack/core";
import type { ConfinementOptions } from "../operations/node-processes.ts";
import type { ProcessOperations } from "../operations/processes.ts";
import type { EnvironmentOptions } from "../workspace/environment.ts";
import type { ProcessTable } from "./_table.ts";

export interface RuntimeToolsOptions extends ConfinementOptions {
  /** The folder that programs run in; no working directory leaves it. */
  readonly root: string;
  /** How programs are run. @default those of this machine, isolated unless `unconfined` */
  readonly processes?: ProcessOperations;
  /** Whether `exec` also takes a shell command line, besides a list of arguments: true for /bin/sh, or the path of a shell. @default false */
  readonly shell?: boolean | string;
  readonly environment?: EnvironmentOptions;
  /** How long a program may run where the call does not say. @default 120_000 */
  readonly timeoutMs?: number;
  /** The longest time limit that a call may set. @default 600_000 */
  readonly maxTimeoutMs?: number;
  /** How many characters of each stream a call returns; `process` returns the rest. @default 30_000 */
  readonly maxOutputChars?: number;
  /** How many background programs may run at once. @default 16 */
  readonly maxRunning?: number;
  /** How long a background program may run. @default 3_600_000 */
  readonly maxBackgroundMs?: number;
  /** Is given a function that ends the programs of callers who may do nothing any more, for example because their key was revoked. */
  readonly onCallersEnd?: (end: (isOver: (caller: Caller) => boolean) => void) => void;
}

/** What the tools of the pack share. */
export interface RuntimePack {
  readonly table: ProcessTable;
  /** What programs cannot do here. */
  readonly note: string | undefined;
  /** The shell, where there is one. */
  readonly shell: string | undefined;
  readonly environment: EnvironmentOptions;
  readonly timeoutMs: number;
  readonly maxTimeoutMs: number;
  readonly maxOutputChars: number;
}
