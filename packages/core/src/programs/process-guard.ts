import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";

/** Ends programs when this process is gone, however it ended. */
export interface ProcessGuard {
  /** A process group, by the negative number of its leader, or all processes that were started with this mark. */
  hold(target: number | string): void;
  release(target: number | string): void;
  /** Ends the guard; what it still holds ends with it. */
  close(): void;
}

/** The variable that marks a program and all that it starts: what left the process group is found by it. */
export const markVariable = "TOOLRACK_PROCESS";

/**
 * A small program that reads from a pipe and outlives this process: when the pipe ends, it kills the registered programs.
 * Nothing else works when a process is killed from outside.
 */
export function createProcessGuard({ endsWhenIdle = false }: ProcessGuardOptions = {}): ProcessGuard {
  let guard: ChildProcess | undefined;
  const held = new Set<number | string>();
  const tell = (line: string): void => {
    guard ??= startGuard();
    guard.stdin?.write(`${line}\n`);
  };
  const close = (): void => {
    guard?.stdin?.end();
    guard = undefined;
    held.clear();
  };
  return {
    hold(target) {
      held.add(target);
      tell(`+ ${target}`);
    },
    release(target) {
      if (!held.delete(target)) return;
      tell(`- ${target}`);
      if (endsWhenIdle && held.size === 0) close();
    },
    close,
  };
}

export interface ProcessGuardOptions {
  /** Whether the guard ends when nothing is held any more; it starts again when it is needed. @default false */
  readonly endsWhenIdle?: boolean;
}

const script = `
trap '' INT TERM HUP
held=' '
while read -r change target; do
  case $change in
    +) held="$held$target " ;;
    -) held="\${held%% $target *} \${held#* $target }" ;;
  esac
done
for target in $held; do
  case $target in -*) kill -s KILL -- "$target" ;; esac
done
# Several rounds, because a process may start another one while it is being looked for.
for target in $held; do
  case $target in -*) continue ;; esac
  for round in 1 2 3 4 5 6 7 8 9; do
    files=$(grep -lsF -- "${markVariable}=$target" /proc/[0-9]*/environ)
    [ -n "$files" ] || break
    for file in $files; do
      process=\${file#/proc/}
      kill -s KILL "\${process%/environ}"
    done
  done
done
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
