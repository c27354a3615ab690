import type { ProcessOperations } from "../operations/processes.ts";
import { runCommand } from "./command.ts";
import { environmentFor } from "./environment.ts";
import type { PatternOptions } from "./pattern.ts";
import { toRipgrepPattern } from "./ripgrep-pattern.ts";
import type { SearchOptions } from "./search.ts";

/** The pattern by which ripgrep finds the files that may match; undefined if the pattern has another meaning in ripgrep. */
export type Ripgrep = (pattern: string, options: PatternOptions) => SearchOptions["narrow"];

/**
 * Lets ripgrep choose the files, where it is installed. The lines themselves are still read and matched here, so that the answer is
 * the same with and without it, and so that what is shown was opened inside of the workspace.
 */
export function createRipgrep(processes: ProcessOperations): Ripgrep {
  return (pattern, { isLiteral = false, ignoresCase = false }) => {
    const wanted = isLiteral ? (/^[\x20-\x7e]+$/.test(pattern) ? pattern : undefined) : toRipgrepPattern(pattern);
    if (wanted === undefined) return undefined;
    const args = [
      ...fixedArguments,
      ...(isLiteral ? ["--fixed-strings"] : []),
      ...(ignoresCase ? ["--ignore-case"] : []),
      "-e",
      wanted,
      "--",
    ];
    return async (paths, signal) => {
      if (paths.length < worthIt || !(await isInstalled(processes))) return undefined;
      const found = new Set<string>();
      for (const batch of batchesOf(paths)) {
        const names = await filesWithMatches(processes, [...args, ...batch.map((path) => `./${path}`)], signal);
        if (names === undefined) return undefined;
        for (const name of names) found.add(name.replace(/^\.\//, ""));
      }
      return found;
    };
  };
}

/** Fewer files are read here before another program has started. */
const worthIt = 64;

const fixedArguments = ["--files-with-matches", "--null", "--no-config", "--no-messages", "--text", "--crlf", "--color=never"];

const installed = new WeakMap<ProcessOperations, Promise<boolean>>();

function isInstalled(processes: ProcessOperations): Promise<boolean> {
  const known = installed.get(processes) ?? answersVersion(processes);
  installed.set(processes, known);
  return known;
}

async function answersVersion(processes: ProcessOperations): Promise<boolean> {
  try {
    return (
      (await runCommand(processes, { program: "rg", args: ["--version"], env: environmentFor({}) }, { timeoutMs: 5_000 })).exitCode === 0
    );
  } catch {
    return false;
  }
}

/** Undefined where ripgrep failed: then the files are read here after all. 1 means that nothing was found. */
async function filesWithMatches(
  processes: ProcessOperations,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string[] | undefined> {
  const options = { timeoutMs: 30_000, maxChars: 16 * 1024 * 1024, ...(signal && { signal }) };
  const { exitCode, stdout, timedOut } = await runCommand(processes, { program: "rg", args, env: environmentFor({}) }, options);
  if (timedOut || stdout.start > 0 || (exitCode !== 0 && exitCode !== 1)) return undefined;
  return stdout.slice(0).split("\0").slice(0, -1);
}

/** Few enough for one command line on every system. */
const maxBatchChars = 24_000;

function* batchesOf(paths: readonly string[]): Generator<readonly string[]> {
  let batch: string[] = [];
  let chars = 0;
  for (const path of paths) {
    if (chars + path.length > maxBatchChars && batch.length > 0) {
      yield batch;
      [batch, chars] = [[], 0];
    }
    batch.push(path);
    chars += path.length + 3;
  }
  if (batch.length > 0) yield batch;
}
