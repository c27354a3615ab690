import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * What below a folder not everybody on the machine may read, and this process may because it runs as root: files, and folders as a whole.
 * Links are left out: their targets are found where they are. Nothing for others than root, whose programs cannot read such files either.
 * Only the first `mostFiles` are examined, since the start of a program waits for it.
 */
export function privateFilesBelow(
  folder: string,
  isRoot: boolean = process.getuid?.() === 0,
  mostFiles: number = 50_000,
): readonly string[] {
  if (!isRoot) return [];
  const found: string[] = [];
  const pending = [folder];
  let count = 0;
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const name of namesIn(at)) {
      if (++count > mostFiles) return found.sort();
      const path = join(at, name);
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (stat === undefined || stat.isSymbolicLink()) continue;
      const needed = stat.isDirectory() ? forFolders : forFiles;
      if ((stat.mode & needed) !== needed) found.push(path);
      else if (stat.isDirectory()) pending.push(path);
    }
  }
  return found.sort();
}

/** To list a folder and to go into it, for others than its owner and group. */
const forFolders = 0o005;
const forFiles = 0o004;

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export interface PrivateFilesOptions {
  /** @default 1_000 */
  readonly keptMs?: number;
  /** @default whether this process runs as root */
  readonly isRoot?: boolean;
}

/**
 * The same, looked up at most once in so long: /etc has thousands of files, and a program should start at once. Those that are gone by now are
 * left out, because what is not there cannot be covered.
 */
export function createPrivateFiles(folder: string, { keptMs = 1_000, isRoot }: PrivateFilesOptions = {}): () => readonly string[] {
  let last: { readonly at: number; readonly files: readonly string[] } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.at > keptMs) last = { at: now, files: privateFilesBelow(folder, isRoot) };
    return last.files.filter((file) => lstatSync(file, { throwIfNoEntry: false }) !== undefined);
  };
}
