import { createHash, type Hash } from "node:crypto";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import path from "node:path";
import type { SourceConfig } from "../../config/config.ts";
import { loadingVariable } from "../../config/checks/loading-variables.ts";
import { listSourcePaths } from "../files/source-paths.ts";

/** Where a source is started. */
export interface ProgramPlace {
  /** The project: the folder of the configuration. */
  readonly home: string;
  /** The working directory of the program. */
  readonly start: string;
}

/** More files than this are not read. */
const maxFiles = 32;
/** Of all files together, no more than this is read. */
const maxBytes = 33_554_432;
/** More names than this are not looked for. */
const maxNames = 2_000;
const chunkBytes = 1_048_576;

/**
 * The digests of the code that a source names, by path: its command if that is a path, and files of code in its arguments and in variables
 * that load code. Programs of the system that only run other code are left out, and so is what these files load themselves.
 */
export function digestProgramFiles(config: SourceConfig, place: ProgramPlace): ReadonlyMap<string, string> {
  const digests = new Map<string, string>();
  let left = maxBytes;
  for (const { file, isProgram } of filesOf(config, place)) {
    const label = labelOf(file, place);
    if (digests.size >= maxFiles || digests.has(label)) continue;
    const read = digestOf(file, left, isProgram);
    if (read === undefined) continue;
    digests.set(label, read.digest);
    left -= read.bytes;
  }
  return new Map([...digests].sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface NamedFile {
  readonly file: string;
  /** It is run, whatever its name and its content. */
  readonly isProgram: boolean;
}

function filesOf(config: SourceConfig, place: ProgramPlace): readonly NamedFile[] {
  const { home, start } = place;
  const name = path.basename(config.command ?? "").replace(/\.(?:exe|cmd)$/i, "");
  const isOfSystem = interpreters.test(name) || starters.test(name);
  const named = listSourcePaths(config, home, start)
    .filter(({ key }) => !key.startsWith("env.") || loadingVariable.test(key.slice("env.".length)))
    .filter(({ key, path: file }) => key !== "command" || !isOfSystem || isBelow(file, home))
    .slice(0, maxNames)
    .map(({ key, path: file }) => ({ file, isProgram: key === "command" }));
  return [...(interpreters.test(name) ? entriesOf(config, place) : []), ...named];
}

/** What an interpreter runs: "node server" may be server/index.js, "python -m tools.server" tools/server.py. */
function entriesOf({ args = [] }: SourceConfig, { start }: ProgramPlace): readonly NamedFile[] {
  const entry = args.find((arg) => !arg.startsWith("-") && arg !== "run");
  if (entry === undefined) return [];
  const files = [entry, entry.replaceAll(".", "/")].flatMap((name) =>
    entryEndings.map((ending) => path.resolve(start, `${name}${ending}`)),
  );
  const file = files.find((one) => statOf(one) !== undefined);
  return file === undefined ? [] : [{ file, isProgram: true }];
}

/** They belong to the system, as do those that start other programs. */
const interpreters =
  /^(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|pypy[\d.]*|ruby|perl|php|lua|java|dotnet|Rscript|bash|dash|sh|zsh)$/i;
const starters = /^(?:env|npx|npm|pnpm|pnpx|yarn|bunx|uv|uvx|pipx|docker|podman)$/i;

/** What an interpreter finds under the name of its program, in the order in which it looks. */
const entryEndings = ["", ".js", ".mjs", ".cjs", ".ts", ".py", "/index.js", "/index.mjs", "/__main__.py"];

const codeEnding =
  /\.(?:[cm]?[jt]sx?|py[cdwz]?|rb|php|p[lm]|lua|sh|bash|zsh|fish|ps1|bat|cmd|exe|jar|class|wasm|node|so|dylib|dll|r|jl|go|rs|kts?|groovy|scala|exs?|clj|swift|dart|awk|tcl)$/i;

/** "#!", and how programs begin on Linux, Windows and macOS. */
const programBeginnings = ["2321", "7f454c46", "4d5a", "cffaedfe", "cafebabe"].map((text) => Buffer.from(text, "hex"));

function statOf(file: string): ReturnType<typeof readStat> | undefined {
  try {
    const found = readStat(file);
    return found.isFile() ? found : undefined;
  } catch {
    return undefined;
  }
}

function readStat(file: string) {
  return statSync(file, { bigint: true });
}

interface Read {
  readonly digest: string;
  readonly bytes: number;
}

/** By file: what was read of it, as long as nothing about it changed. */
const known = new Map<string, Read & { readonly state: string }>();
const maxKnown = 1_000;

/** Undefined: no file, or none of code. */
function digestOf(file: string, most: number, isProgram: boolean): Read | undefined {
  const found = statOf(file);
  if (found === undefined) return undefined;
  const { dev, ino, size, mtimeNs, ctimeNs } = found;
  const state = [dev, ino, size, mtimeNs, ctimeNs, most >= size ? "" : most].join(" ");
  const before = known.get(file);
  if (before?.state === state) return before;
  const read = readDigest(file, Number(size), most, isProgram || codeEnding.test(file));
  if (read === undefined) return undefined;
  if (known.size >= maxKnown) known.clear();
  known.set(file, { ...read, state });
  return read;
}

/**
 * Of a file that is larger than what may be read of it: its size, its beginning, and its end, where bundled programs have their code. One that
 * cannot be read has no content.
 */
function readDigest(file: string, size: number, most: number, isCode: boolean): Read | undefined {
  const hash = createHash("sha256").update(`${size}\n`);
  const half = Math.floor(most / 2);
  const ranges = size <= most ? [[0, size] as const] : [[0, half] as const, [size - half, size] as const];
  try {
    const descriptor = openSync(file, "r");
    try {
      if (!isCode && !hasProgramBeginning(descriptor)) return undefined;
      for (const [from, to] of ranges) hashRange(hash, descriptor, from, to);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    if (!isCode) return undefined;
  }
  return { digest: hash.digest("hex"), bytes: Math.min(size, most) };
}

function hasProgramBeginning(descriptor: number): boolean {
  const beginning = Buffer.alloc(4);
  readSync(descriptor, beginning, 0, 4, 0);
  return programBeginnings.some((one) => beginning.subarray(0, one.length).equals(one));
}

function hashRange(hash: Hash, descriptor: number, from: number, to: number): void {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (let at = from; at < to;) {
    const count = readSync(descriptor, chunk, 0, Math.min(chunkBytes, to - at), at);
    if (count === 0) return;
    hash.update(chunk.subarray(0, count));
    at += count;
  }
}

/** The same on every server whose project has the same files. */
function labelOf(file: string, { home, start }: ProgramPlace): string {
  if (isBelow(file, home)) return `./${path.relative(home, file)}`;
  return isBelow(file, start) ? `cwd:${path.relative(start, file)}` : file;
}

function isBelow(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== "" && relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
