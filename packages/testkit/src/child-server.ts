import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterThisTest } from "./cleanup.ts";

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

/**
 * Bundles a TypeScript file and all that it imports into JavaScript that plain Node runs, without a build. `file` is its URL. The packages of
 * others are part of the bundle: to find and load their hundreds of files takes a third of the time in which a server starts.
 * Returns the path of the JavaScript file.
 */
export async function bundleProgram(file: URL): Promise<string> {
  const { rolldown } = await import("rolldown");
  const input = fileURLToPath(file);
  const name = basename(input, ".ts");
  const dir = fileURLToPath(new URL(`../.build/${name}-${randomUUID()}`, import.meta.url));
  const build = await rolldown({
    input: { [name]: input },
    // What `pg` and `ws` use where it is installed.
    external: ["pg-native", "pg-cloudflare", "bufferutil", "utf-8-validate"],
    // "import" is not among them: it would hold for `require` too, and give packages with both forms the wrong one.
    resolve: { conditionNames: ["toolrack-source", "node"] },
    platform: "node",
    logLevel: "silent",
  });
  await build.write({ dir, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
  await build.close();
  return join(dir, `${name}.mjs`);
}

export function removeProgram(file: string): void {
  rmSync(dirname(file), { recursive: true, force: true });
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
