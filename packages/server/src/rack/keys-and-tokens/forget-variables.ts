import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import type { RackConfig } from "../../config/config.ts";

/** The environment variables that hold secrets of the server, or their location: its own, and those named as "env:NAME" in the configuration. */
export function secretVariables(config: RackConfig): readonly string[] {
  return [...ownVariables, ...namedIn(config)];
}

const ownVariables = [
  "TOOLRACK_MASTER_KEY",
  "TOOLRACK_MASTER_KEY_FILE",
  "TOOLRACK_PREVIOUS_KEYS",
  "TOOLRACK_KEY",
  "DATABASE_URL",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
  // Who has these speaks for the server to systemd.
  "NOTIFY_SOCKET",
  "WATCHDOG_USEC",
  "WATCHDOG_PID",
];

function namedIn(value: unknown): readonly string[] {
  if (typeof value === "string") return value.startsWith("env:") ? [value.slice("env:".length)] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(namedIn) : [];
}

/**
 * Removes environment variables from this process: programs do not inherit them, and code in the process does not find them. On Linux the
 * copy in /proc/<pid>/environ, which processes of the same user can read, is overwritten, too, if the system lets a process write to its
 * own memory. The shell or service manager that set a variable still has it.
 */
export function forgetVariables(names: readonly string[]): void {
  for (const name of names) delete process.env[name];
  if (process.platform !== "linux") return;
  try {
    overwriteInitialValues(new Set(names));
  } catch {
    // The system does not allow it. Isolated programs do not see this process either way.
  }
}

/** Deleting a variable does not clear the memory in which the system passed it. */
function overwriteInitialValues(names: ReadonlySet<string>): void {
  const block = readFileSync("/proc/self/environ");
  const start = startOfBlock();
  const memory = openSync("/proc/self/mem", "r+");
  try {
    for (let at = 0; at < block.length;) {
      const end = block.indexOf(0, at) === -1 ? block.length : block.indexOf(0, at);
      const value = block.subarray(at, end).indexOf("=") + at + 1;
      if (names.has(block.toString("utf8", at, value - 1)) && end > value) {
        writeSync(memory, Buffer.alloc(end - value), 0, end - value, start + value);
      }
      at = end + 1;
    }
  } finally {
    closeSync(memory);
  }
}

/** The 50th field of /proc/self/stat; the second one, a name in parentheses, may hold spaces. */
function startOfBlock(): number {
  const stat = readFileSync("/proc/self/stat", "latin1");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[47]);
}
