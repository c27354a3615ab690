import { readdirSync, readFileSync } from "node:fs";
import type { ProcessSignal } from "./processes.ts";

/** The variable that marks a program and all that it starts. */
export const familyVariable = "TOOLRACK_PROCESS";

/** Tells the whole process group of a program. False where nobody is left in it. */
export function signalGroup(leader: number, signal: ProcessSignal): boolean {
  try {
    process.kill(process.platform === "win32" ? leader : -leader, signal);
    return true;
  } catch {
    return false;
  }
}

/**
 * Ends what is left of a program: its group, and on Linux also what left the group, by the mark in its environment.
 * Several rounds, because a process may start another one while it is being looked for.
 */
export function endFamily(leader: number, mark: string): void {
  signalGroup(leader, "SIGKILL");
  for (let round = 0; round < maxRounds; round++) {
    const left = markedProcesses(mark);
    if (left.length === 0) return;
    for (const pid of left) signalProcess(pid);
  }
}

const maxRounds = 20;

function signalProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}

/** Ended ones that nobody has waited for have no environment, so they are not found again. */
function markedProcesses(mark: string): number[] {
  const entry = Buffer.from(`${familyVariable}=${mark}\0`);
  return numbersIn("/proc").filter((pid) => pid !== process.pid && environmentOf(pid)?.includes(entry));
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

function environmentOf(pid: number): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch {
    return undefined;
  }
}
