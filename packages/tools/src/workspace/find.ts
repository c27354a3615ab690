import type { FileOperations } from "../operations/files.ts";
import { compileFileGlob } from "./glob.ts";
import { toShownPath, walk } from "./walk.ts";

export interface FindOptions {
  /** @default the root */
  readonly path?: string | undefined;
  readonly kind?: "file" | "folder" | "any" | undefined;
  readonly obeysIgnore?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface FoundPaths {
  readonly paths: readonly string[];
  /** Whether there may be more. */
  readonly truncated: boolean;
}

/** The paths below a folder that match a pattern, in order. A pattern may be written from the folder or from the root. */
export async function findPaths(files: FileOperations, pattern: string, options: FindOptions = {}): Promise<FoundPaths> {
  const { path = ".", kind = "file", obeysIgnore = true, limit = 500, signal } = options;
  const matches = compileFileGlob(pattern);
  const start = toShownPath(files.root, path);
  const paths: string[] = [];
  let seen = 0;
  for await (const entry of walk(files, path, { obeysIgnore, ...(signal && { signal }) })) {
    if (++seen > maxSeen) return { paths, truncated: true };
    const below = start === "." ? entry.path : entry.path.slice(start.length + 1);
    if ((kind !== "any" && entry.kind !== kind) || !(matches(entry.path) || matches(below))) continue;
    if (paths.length === limit) return { paths, truncated: true };
    paths.push(entry.path);
  }
  return { paths, truncated: false };
}

/** A search among more than this would take too long to be of use. */
const maxSeen = 500_000;
