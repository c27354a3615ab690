import { accessSync, constants, readdirSync, readFileSync, readlinkSync } from "node:fs";

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
 * Looks at what a program and all that it started take together, again and again, and tells when that is too much. `first` is the first
 * process of its namespace. Answers what ends the watch.
 */
export function watchLimits(first: () => number | undefined, limits: ProgramLimits, onExceeded: (fact: string) => void): () => void {
  const { maxMemoryBytes = defaults.maxMemoryBytes, maxProcesses = defaults.maxProcesses } = limits;
  const timer = setInterval(() => {
    const pid = first();
    const space = pid === undefined ? undefined : namespaceOf(pid);
    // Before it has begun, it shares the namespace of this process.
    if (space === undefined || space === namespaceOf(process.pid)) return;
    const members = processIds().filter((id) => namespaceOf(id) === space);
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

function processIds(): readonly number[] {
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

function namespaceOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return undefined;
  }
}
