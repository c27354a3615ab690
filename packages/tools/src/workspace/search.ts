import type { FileOperations } from "../operations/files.ts";
import { compileFileGlob } from "./glob.ts";
import { splitLines } from "./lines.ts";
import type { LineTest } from "./pattern.ts";
import { decodeText } from "./text.ts";
import { toShownPath, walk } from "./walk.ts";

export interface SearchOptions {
  /** A file or a folder. @default the root */
  readonly path?: string | undefined;
  /** Only files whose path matches. */
  readonly glob?: string | undefined;
  readonly obeysIgnore?: boolean | undefined;
  /** Lines shown before and after each match. @default 0 */
  readonly context?: number | undefined;
  /** How many matching lines. @default 100 */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Preselects the files that may contain a match, if there is a faster way to know. Undefined: no preselection. */
  readonly narrow?: ((paths: readonly string[], signal: AbortSignal | undefined) => Promise<ReadonlySet<string> | undefined>) | undefined;
}

export interface SearchResult {
  readonly matches: readonly LineMatch[];
  /** Whether there may be more. */
  readonly truncated: boolean;
  /** How many files were looked at. */
  readonly files: number;
}

export interface LineMatch {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

/** Looks at every line of every text file, in the order of their paths. */
export async function searchLines(files: FileOperations, test: LineTest, options: SearchOptions = {}): Promise<SearchResult> {
  const { limit = 100, signal, context = 0 } = options;
  const paths = await filesToSearch(files, options);
  const narrowed = await options.narrow?.(paths, signal);
  const matches: LineMatch[] = [];
  for (const path of paths) {
    signal?.throwIfAborted();
    if (narrowed !== undefined && !narrowed.has(path)) continue;
    const lines = await linesOf(files, path, paths.length === 1);
    for (let index = 0; index < lines.length; index++) {
      if (!test(lines[index]!)) continue;
      if (matches.length === limit) return { matches, truncated: true, files: paths.length };
      matches.push(toMatch(path, lines, index, context));
    }
  }
  return { matches, truncated: paths.length === maxFiles, files: paths.length };
}

/** A search through more files than this would take too long to be of use. */
const maxFiles = 50_000;
const maxSearchedBytes = 5 * 1024 * 1024;
const maxShownLine = 500;

async function filesToSearch(files: FileOperations, options: SearchOptions): Promise<string[]> {
  const { path = ".", glob, obeysIgnore = true, signal } = options;
  const isWanted = glob === undefined ? () => true : compileFileGlob(glob);
  if ((await files.stat(path))?.kind === "file") return [toShownPath(files.root, path)];
  const paths: string[] = [];
  for await (const entry of walk(files, path, { obeysIgnore, ...(signal && { signal }) })) {
    if (entry.kind === "file" && isWanted(entry.path)) paths.push(entry.path);
    if (paths.length === maxFiles) break;
  }
  return paths;
}

/** What is no text, too large, or gone by now has no lines; only a file that was named itself must be there. */
async function linesOf(files: FileOperations, path: string, isNamed: boolean): Promise<readonly string[]> {
  try {
    const { bytes } = await files.read(path, maxSearchedBytes);
    return splitLines(decodeText(bytes)?.text ?? "");
  } catch (error) {
    if (isNamed) throw error;
    return [];
  }
}

function toMatch(path: string, lines: readonly string[], index: number, context: number): LineMatch {
  const match = { path, line: index + 1, text: cut(lines[index]!) };
  if (context === 0) return match;
  const before = lines.slice(Math.max(0, index - context), index).map(cut);
  return { ...match, before, after: lines.slice(index + 1, index + 1 + context).map(cut) };
}

function cut(line: string): string {
  return line.length > maxShownLine ? `${line.slice(0, maxShownLine)}…` : line;
}
