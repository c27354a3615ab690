import type { ChildProcess } from "node:child_process";

/** Signals every process of a child's group: what the child started goes with it. */
export function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child;
  if (pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-pid, signal);
  } catch {
    // The group has already ended.
  }
}

const living = new Set<ChildProcess>();

/** Children that still run when this process ends are killed with it. */
export function trackChild(child: ChildProcess): void {
  if (living.size === 0) listen();
  living.add(child);
}

export function untrackChild(child: ChildProcess): void {
  if (living.delete(child) && living.size === 0) stopListening();
}

function endAll(): void {
  for (const child of living) killGroup(child, "SIGKILL");
}

/** A signal that nobody else handles ends this process, and would leave the groups behind. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  endAll();
  stopListening();
  process.kill(process.pid, signal);
}

const signals: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

function listen(): void {
  process.on("exit", endAll);
  for (const signal of signals) process.on(signal, onSignal);
}

function stopListening(): void {
  process.off("exit", endAll);
  for (const signal of signals) process.off(signal, onSignal);
}
