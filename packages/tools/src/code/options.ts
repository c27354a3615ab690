import type { FileOperations } from "../operations/files.ts";
import type { ConfinementOptions } from "../operations/node-processes.ts";
import type { ProcessOperations } from "../operations/processes.ts";
import type { EnvironmentOptions } from "../workspace/environment.ts";

export interface CodeToolsOptions extends ConfinementOptions {
  /** The folder that the tools work in and never leave. */
  readonly root: string;
  /**
   * Absolute paths of files and folders that these tools treat as missing, wherever they are, such as the files of the program that
   * runs them. @default none
   */
  readonly hidden?: readonly string[];
  /** The disk. @default the one of this machine, below `root` */
  readonly files?: FileOperations;
  /** How programs are run. @default those of this machine, isolated unless `unconfined` */
  readonly processes?: ProcessOperations;
  /** Whether there is a tool `bash`, and which lines it runs. No saved setting changes this. @default false: there is none */
  readonly bash?: boolean | BashRules;
  /** Whether the hooks of a repository run, which are programs. @default false */
  readonly gitHooks?: boolean;
  readonly environment?: EnvironmentOptions;
  /** How long a program may run. @default 120_000 */
  readonly timeoutMs?: number;
}

/** Which command lines `bash` runs. A line is compared completely or searched, never judged by how it begins. */
export interface BashRules {
  /** Only these lines, exactly. @default any */
  readonly allow?: readonly string[];
  /** No line that contains one of these texts. @default none */
  readonly forbid?: readonly string[];
}

/** What the tools of the pack share. */
export interface CodePack {
  readonly files: FileOperations;
  readonly processes: ProcessOperations;
  readonly gitHooks: boolean;
  readonly environment: EnvironmentOptions;
  readonly timeoutMs: number;
}
