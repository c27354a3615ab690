import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Names a running server: the machine, the process, and a few random letters. "3f9a…-4711-k3Jx0Q" */
export interface ServerName {
  readonly name: string;
  /** Call it when the server has ended. */
  release(): void;
}

/** Servers that run in this process. */
const here = new Set<string>();

export function takeServerName(): ServerName {
  const name = `${machine()}-${process.pid}-${randomBytes(6).toString("hex")}`;
  here.add(name);
  return { name, release: () => void here.delete(name) };
}

/** This server as people know it from `toolrack status`: "6c1d0e on web-1". */
export function shownServer(name: string): string {
  return `${name.slice(-6)} on ${orNothing(() => hostname()) || "an unknown host"}`;
}

/** Whether a server has ended for certain, because its process on this machine has. False: unknown, it may be on another machine. */
export function hasEnded(name: string): boolean {
  const [, host, process_] = /^([0-9a-f]{16})-(\d+)-[0-9a-f]{12}$/.exec(name) ?? [];
  if (host !== machine()) return false;
  const pid = Number(process_);
  if (pid === process.pid) return !here.has(name);
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

let known: string | undefined;

/** Process ids are comparable only within one boot of one machine and, on Linux, within one pid namespace. */
function machine(): string {
  const facts = [() => hostname(), () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8"), () => readlinkSync("/proc/self/ns/pid")];
  return (known ??= createHash("sha256")
    .update(JSON.stringify(facts.map(orNothing)))
    .digest("hex")
    .slice(0, 16));
}

function orNothing(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
