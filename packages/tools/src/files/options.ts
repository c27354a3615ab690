import type { FileOperations } from "../operations/files.ts";
import type { ProcessOperations } from "../operations/processes.ts";

export interface FilesToolsOptions {
  /** The folder that the tools work in and never leave. */
  readonly root: string;
  /** The folder that `root` must stay in, also when something else takes its place. @default `root` itself, as it was at the beginning */
  readonly within?: string;
  /**
   * Absolute paths of files and folders that these tools treat as missing, wherever they are, such as the files of the program that
   * runs them. @default none
   */
  readonly hidden?: readonly string[];
  /** The disk. @default the one of this machine, below `root` */
  readonly files?: FileOperations;
  /** How ripgrep is run, which makes `grep` faster where it is installed. @default the programs of this machine; false never runs any */
  readonly processes?: ProcessOperations | false;
}

/** What the tools of the pack share. */
export interface FilesPack {
  readonly files: FileOperations;
  readonly processes: ProcessOperations | undefined;
}
