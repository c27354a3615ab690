import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { later } from "./_open.ts";

/** A server in a process of its own. */
export interface Program {
  readonly pid: number;
  /** The lines that it printed so far, each a JSON value. */
  readonly lines: readonly unknown[];
  /** Sends it a line. */
  tell(line: unknown): void;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** A file of `programs/` as plain JavaScript, for child processes: no build is needed. */
export async function bundleProgram(name: string): Promise<string> {
  const { bundle } = (await import(new URL("../../../../bench/lib/bundle.mjs", import.meta.url).href)) as {
    bundle(entries: Readonly<Record<string, string>>, dir: string): Promise<Readonly<Record<string, string>>>;
  };
  const modules = await bundle(
    { [name]: `packages/server/test/rack/programs/${name}.ts` },
    `packages/server/.build/test-${name}-${process.pid}`,
  );
  return fileURLToPath(modules[name]!);
}

export function removeProgram(file: string): void {
  rmSync(dirname(file), { recursive: true, force: true });
}

export function startProgram(file: string, ...args: readonly string[]): Program {
  const child: ChildProcess = spawn(process.execPath, [file, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const lines: unknown[] = [];
  createInterface({ input: child.stdout! }).on("line", (line) => lines.push(JSON.parse(line)));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  later(() => end("SIGKILL"));
  return { pid: child.pid!, lines, tell: (line) => void child.stdin!.write(`${JSON.stringify(line)}\n`), end };
}

/** How many processes carry this text among their arguments. */
export function processesWith(text: string): number {
  return commandLines().filter((line) => line.includes(text)).length;
}

function commandLines(): readonly string[] {
  if (!existsSync("/proc/self/cmdline")) return execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).split("\n");
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      } catch {
        return ""; // it ended meanwhile
      }
    });
}
