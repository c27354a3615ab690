import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** The other processes of this machine whose command line contains a text; on Linux, a NUL character follows each argument. Zombies do not count. */
export function processesWith(text: string): number[] {
  return [...commandLines()].filter(([pid, line]) => pid !== process.pid && line.includes(text)).map(([pid]) => pid);
}

/** Waits up to 10 seconds until there are so many of them, and returns how many there are then. */
export async function untilProcesses(text: string, count: number): Promise<number> {
  for (let left = 500; processesWith(text).length !== count && left > 0; left--) await sleep(20);
  return processesWith(text).length;
}

/** A number of seconds that nobody else on this machine is likely to sleep for. */
export function oddSeconds(): string {
  return `${10_000 + Math.floor(Math.random() * 80_000)}.${100_000 + Math.floor(Math.random() * 800_000)}`;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The process and its direct children. */
export function withChildren(pid: number): readonly number[] {
  const children = execFileSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
  return [pid, ...children.split("\n").map(Number).filter(Boolean)];
}

function* commandLines(): Generator<readonly [pid: number, line: string]> {
  if (!existsSync("/proc/self/cmdline")) {
    for (const line of execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" }).split("\n")) yield [Number.parseInt(line, 10), line];
    return;
  }
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      yield [Number(name), readFileSync(`/proc/${name}/cmdline`, "utf8")];
    } catch {
      // The process ended in the meantime.
    }
  }
}
