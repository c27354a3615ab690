import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { dirname, relative } from "node:path";
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
 * Bundles a TypeScript file and the sources that it imports into one JavaScript file that plain Node runs, without a build. `file` is its URL.
 * Returns the path of the JavaScript file.
 */
export async function bundleProgram(file: URL): Promise<string> {
  const scripts = new URL("../../../scripts/lib/bundle-sources.mjs", import.meta.url);
  const { bundleSources } = (await import(scripts.href)) as {
    bundleSources(entries: Readonly<Record<string, string>>, dir: string): Promise<Readonly<Record<string, string>>>;
  };
  const path = relative(fileURLToPath(new URL("../../..", import.meta.url)), fileURLToPath(file));
  const name = /([^/\\]+)\.ts$/.exec(path)![1]!;
  const modules = await bundleSources({ [name]: path }, `packages/testkit/.build/${name}-${randomUUID()}`);
  return fileURLToPath(modules[name]!);
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
