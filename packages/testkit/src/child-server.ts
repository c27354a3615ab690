import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { afterThisTest } from "./cleanup.ts";

export { bundleProgram, removeProgram } from "./programs.ts";

/** A server in a process of its own. */
export interface ChildServer {
  readonly pid: number;
  /** The lines that it has printed so far, each a JSON value. */
  readonly lines: readonly unknown[];
  /** Writes a line to its standard input. */
  tell(line: unknown): void;
  end(signal: NodeJS.Signals): Promise<void>;
  /** Resolves when it has ended, by itself or not. */
  readonly ended: Promise<void>;
}

/** Starts a bundled program; it is killed after the test at the latest. */
export function startProgram(file: string, ...args: readonly string[]): ChildServer {
  const child: ChildProcess = spawn(process.execPath, [file, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const lines: unknown[] = [];
  createInterface({ input: child.stdout! }).on("line", (line) => lines.push(JSON.parse(line)));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  afterThisTest(() => end("SIGKILL"));
  return { pid: child.pid!, lines, tell: (line) => void child.stdin!.write(`${JSON.stringify(line)}\n`), end, ended };
}
