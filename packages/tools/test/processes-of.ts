import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** The processes of this machine whose command line contains a text, those that only wait to be collected aside. */
export function processesWith(text: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && commandLine(pid).includes(text));
}

/** Waits until as many processes are there, and answers how many are there then. */
export async function untilProcesses(text: string, count: number): Promise<number> {
  for (let left = 500; processesWith(text).length !== count && left > 0; left--) await sleep(20);
  return processesWith(text).length;
}

/** Unlikely to be the number of seconds that anybody else sleeps. */
export function oddSeconds(): string {
  return `${10_000 + Math.floor(Math.random() * 80_000)}.${100_000 + Math.floor(Math.random() * 800_000)}`;
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}
