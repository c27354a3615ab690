import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
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

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** A file of this folder as plain JavaScript, for child processes: no build is needed. */
export async function bundleProgram(name: string): Promise<string> {
  const folder = here(`../../.build/test-${name}-${process.pid}`);
  const build = await rolldown({
    input: { [name]: here(`./${name}.ts`) },
    external: (id) => /^[^./]/.test(id) && !id.startsWith("@toolrack/"),
    resolve: { conditionNames: ["toolrack-source", "node", "import"] },
    platform: "node",
    logLevel: "silent",
  });
  await build.write({ dir: folder, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
  await build.close();
  return `${folder}/${name}.mjs`;
}

export function removeProgram(file: string): void {
  rmSync(new URL(".", `file://${file}`), { recursive: true, force: true });
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
