import { accessSync, constants, readdirSync, readFileSync } from "node:fs";

/** What one isolated program may take, with all that it starts. */
export interface ProgramLimits {
  /** Memory of its own that a process may have, and all of them together. @default 4_294_967_296 */
  readonly maxMemoryBytes?: number;
  /** How many processes may be there at once. @default 1_024 */
  readonly maxProcesses?: number;
}

const defaults = { maxMemoryBytes: 4_294_967_296, maxProcesses: 1_024 } as const;

/**
 * The command that runs a program with limits of the kernel: on its private memory, and on processes. The latter holds in the program's
 * own user namespace, and not for a server that runs as root: there `watchLimits` is what ends it.
 */
export function withKernelLimits(program: string, args: readonly string[], limits: ProgramLimits): readonly [string, ...string[]] {
  if (!canLimit()) return [program, ...args];
  const { maxMemoryBytes = defaults.maxMemoryBytes, maxProcesses = defaults.maxProcesses } = limits;
  return [prlimit, `--data=${maxMemoryBytes}`, `--nproc=${maxProcesses}`, "--core=0", "--", program, ...args];
}

const prlimit = "/usr/bin/prlimit";

function canLimit(): boolean {
  try {
    accessSync(prlimit, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Measures at intervals what a program and all that it started use together, and reports when that is too much. `first` is the first
 * process of its namespace. Answers what ends the watch.
 */
export function watchLimits(first: () => number | undefined, limits: ProgramLimits, onExceeded: (fact: string) => void): () => void {
  const { maxMemoryBytes = defaults.maxMemoryBytes, maxProcesses = defaults.maxProcesses } = limits;
  const timer = setInterval(() => {
    const pid = first();
    if (pid === undefined) return;
    const members = descendantsOf(pid);
    if (members.length > maxProcesses) stop(`it had more than ${maxProcesses} processes (maxProcesses)`);
    // The first sum is cheap and counts shared pages several times, so it is not the one that decides.
    else if (sum(members, privateBytes) > maxMemoryBytes && sum(members, proportionalBytes) > maxMemoryBytes)
      stop(`it took more than ${maxMemoryBytes} bytes of memory (maxMemoryBytes)`);
  }, intervalMs);
  timer.unref();
  const stop = (fact: string): void => {
    clearInterval(timer);
    onExceeded(fact);
  };
  return () => clearInterval(timer);
}

const intervalMs = 250;
const pageBytes = 4_096;

function sum(members: readonly number[], bytesOf: (pid: number) => number): number {
  return members.reduce((total, pid) => total + bytesOf(pid), 0);
}

/** What is resident, without what is shared with files. */
function privateBytes(pid: number): number {
  const [, resident = 0, shared = 0] = (textOf(`/proc/${pid}/statm`) ?? "").split(" ").map(Number);
  return (resident - shared) * pageBytes;
}

/** Shared pages are divided among those who share them. */
function proportionalBytes(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/smaps_rollup`) ?? "")?.[1] ?? 0) * 1_024;
}

/**
 * A process and all that it started, also in namespaces of their own: a process that loses its parent there is adopted by a
 * process that is among them.
 */
function descendantsOf(first: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const name of namesIn("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const parent = parentOf(name);
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found = [first];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
}

/** None where this process has no descriptor left for it: the next look finds them. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The name of the program comes before it, in brackets, and may hold anything. */
function parentOf(pid: string): number | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ", 2)[1]);
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return undefined;
  }
}
