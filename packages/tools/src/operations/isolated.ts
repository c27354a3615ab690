import type { Mount } from "./mount.ts";

/** One way to run programs in namespaces of their own, without new privileges. */
export interface Isolation {
  readonly kind: "bubblewrap" | "unshare";
  /** The file that is run. */
  readonly program: string;
  wrap(command: IsolatedCommand): WrappedCommand;
}

export interface IsolatedCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  readonly network: boolean;
  /** The descriptor that `setup` is read from. */
  readonly setupFd: number;
}

export interface WrappedCommand {
  readonly args: readonly string[];
  /** What is written to the descriptor, so that neither variables nor paths are seen in the list of processes. */
  readonly setup: string;
  /** Whether descriptor 4 has the id of the first process inside, as JSON with "child-pid". */
  readonly tellsPid: boolean;
  /** What descriptor 5 has: a filter of system calls. */
  readonly filter?: Uint8Array;
}
