import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { markVariable, signalGroup } from "@toolrack/core/internal/programs";
import type { ProcessSignal } from "./processes.ts";

/** A program and all that it started. */
export interface ProcessFamily {
  /** The process that this one started. */
  readonly leader: number;
  /** The first process of the program's own namespace, where it has one and that is known by now. */
  first(): number | undefined;
  /** Sends a signal to the program. False if no process is left. */
  signal(name: ProcessSignal): boolean;
  /** Ends all of it at once. */
  end(): void;
  /** Resolves when the leader has ended and nothing else of it is left. */
  gone(): Promise<void>;
}

/**
 * An unconfined program: its process group, and on Linux also what left the group, found by the mark in its environment. A program
 * that leaves the group and clears its environment is not found.
 */
export function markedFamily(leader: number, mark: string): ProcessFamily {
  return {
    leader,
    first: () => undefined,
    signal: (name) => signalGroup(leader, name),
    end() {
      signalGroup(leader, "SIGKILL");
      // Several rounds, because a process may start another one while it is being looked for.
      for (let round = 0; round < maxRounds; round++) {
        const left = markedProcesses(mark);
        if (left.length === 0) return;
        for (const pid of left) signalProcess(pid);
      }
    },
    gone: () => Promise.resolve(),
  };
}

/**
 * An isolated program: it ends with the first process of its namespace. That one ends with the leader, except in its first moments, when
 * it has left the leader's group and has not yet asked to end with it; so it is ended as well.
 */
export function isolatedFamily(leader: number, toldFirst: number | undefined): ProcessFamily {
  let first = processNamed(toldFirst);
  const findFirst = (): ProcessId | undefined => (first ??= processNamed(childOf(leader)));
  return {
    leader,
    first: () => findFirst()?.pid,
    // The processes inside have a group of their own, so that the leader remains and reports how they ended.
    signal(name) {
      const inside = findFirst();
      return inside !== undefined && signalGroup(inside.pid, name);
    },
    end() {
      const inside = findFirst();
      signalGroup(leader, "SIGKILL");
      if (inside !== undefined && isRunning(inside)) signalProcess(inside.pid);
    },
    async gone() {
      while (first !== undefined && isRunning(first)) await sleep(2);
    },
  };
}

const maxRounds = 20;

function signalProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}

/** Zombie processes have no environment, so they are not found again. */
function markedProcesses(mark: string): number[] {
  const entry = Buffer.from(`${markVariable}=${mark}\0`);
  return numbersIn("/proc").filter((pid) => pid !== process.pid && readIfThere(`/proc/${pid}/environ`)?.includes(entry));
}

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder)
      .map(Number)
      .filter((pid) => Number.isInteger(pid));
  } catch {
    return [];
  }
}

function childOf(pid: number): number | undefined {
  const children = readIfThere(`/proc/${pid}/task/${pid}/children`)?.toString().trim();
  return children ? Number(children.split(" ")[0]) : undefined;
}

/** Process ids are reused; the start time distinguishes two processes. */
interface ProcessId {
  readonly pid: number;
  readonly startedAt: string;
}

function processNamed(pid: number | undefined): ProcessId | undefined {
  const stat = pid === undefined ? undefined : statOf(pid);
  return stat && { pid: pid!, startedAt: stat.startedAt };
}

/** One that only waits to be collected has ended, and everything in its namespace before it. */
function isRunning({ pid, startedAt }: ProcessId): boolean {
  const stat = statOf(pid);
  return stat !== undefined && stat.startedAt === startedAt && stat.state !== "Z" && stat.state !== "X";
}

function statOf(pid: number): { readonly state: string; readonly startedAt: string } | undefined {
  const text = readIfThere(`/proc/${pid}/stat`)?.toString("latin1");
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields && { state: fields[0]!, startedAt: fields[19]! };
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
