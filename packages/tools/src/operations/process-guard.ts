import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";

/** Ends process groups when this process is gone, however it ended. */
export interface ProcessGuard {
  hold(leader: number): void;
  release(leader: number): void;
  /** Ends the guard; what it still holds ends with it. */
  close(): void;
}

/**
 * A small program that reads from a pipe and outlives us: when the pipe ends, because we ended, it kills what it was told to hold.
 * Nothing else works when a process is killed from outside.
 */
export function createProcessGuard(): ProcessGuard {
  let guard: ChildProcess | undefined;
  const tell = (line: string): void => {
    guard ??= startGuard();
    guard.stdin?.write(`${line}\n`);
  };
  return {
    hold: (leader) => tell(`+ ${leader}`),
    release: (leader) => tell(`- ${leader}`),
    close() {
      guard?.stdin?.end();
      guard = undefined;
    },
  };
}

const script = `
trap '' INT TERM HUP
held=' '
while read -r change leader; do
  case $change in
    +) held="$held$leader " ;;
    -) held="\${held%% $leader *} \${held#* $leader }" ;;
  esac
done
for leader in $held; do kill -s KILL -- "-$leader" 2>/dev/null; done
`;

function startGuard(): ChildProcess {
  const guard = spawn("/bin/sh", ["-c", script], { detached: true, stdio: ["pipe", "ignore", "ignore"], env: {} });
  // Without a shell there is no guard; then what runs is still ended when this process ends in order.
  guard.on("error", () => {});
  guard.stdin.on("error", () => {});
  guard.unref();
  (guard.stdin as Writable & { unref?(): void }).unref?.();
  return guard;
}
