import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";
import { openInside, ToolError, ToolInputError } from "@toolrack/core";

export interface NoteFile {
  /** Below the folder, with "/" between its parts. */
  readonly path: string;
  readonly modifiedAt: number;
  readonly size: number;
}

/** A collection of notes; hand in another to keep them elsewhere. */
export interface NoteOperations {
  /** All notes in the order of their paths, as many as the limit allows, and whether there are more. */
  list(signal: AbortSignal): Promise<{ readonly files: readonly NoteFile[]; readonly hasMore: boolean }>;
  /** Undefined where there is no such note. Throws for a path that leads elsewhere. */
  read(path: string): Promise<string | undefined>;
}

/** The markdown and text files below a folder. Links are not followed, hidden files are not notes. */
export function createFolderNotes(folder: string): NoteOperations {
  return {
    async list(signal) {
      const paths: string[] = [];
      const hasMore = !(await collect(folder, "", paths, signal));
      const files: NoteFile[] = [];
      for (const path of paths.sort()) {
        signal.throwIfAborted();
        const file = await statNote(folder, path);
        if (file !== undefined) files.push(file);
      }
      return { files, hasMore };
    },
    async read(path) {
      if (!isNote(path)) throw new ToolInputError(`"${path}" is not a note. Notes are files that end in .md, .markdown or .txt.`);
      return withNote(folder, path, async (handle, size) => {
        if (size > maxNoteBytes) throw new ToolError("TOOL_FAILED", `The note "${path}" is larger than ${maxNoteBytes} bytes. Divide it.`);
        return handle.readFile("utf8");
      });
    },
  };
}

const maxNotes = 2_000;
const maxDepth = 12;
export const maxNoteBytes = 1_048_576;

function isNote(path: string): boolean {
  return /\.(?:md|markdown|txt)$/i.test(path) && !path.split(/[\\/]/).some((name) => name.startsWith(".") && name !== "." && name !== "..");
}

/** False where the limit was reached. A folder that cannot be read, or is gone by now, has no notes. */
async function collect(folder: string, below: string, paths: string[], signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted();
  const folders: string[] = [];
  try {
    for await (const entry of await opendir(join(folder, below))) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules") folders.push(path);
      else if (entry.isFile() && isNote(path)) {
        if (paths.length >= maxNotes) return false;
        paths.push(path);
      }
    }
  } catch (error) {
    if (below === "" && (error as NodeJS.ErrnoException).code === "ENOENT") throw noFolder(error);
  }
  if (below.split("/").length >= maxDepth) return folders.length === 0;
  for (const inner of folders.sort()) if (!(await collect(folder, inner, paths, signal))) return false;
  return true;
}

function noFolder(cause: unknown): ToolError {
  return new ToolError("NEEDS_CONFIGURATION", "The folder of notes does not exist. Make it, or configure another.", { cause });
}

async function statNote(folder: string, path: string): Promise<NoteFile | undefined> {
  try {
    const stat = await lstat(join(folder, path));
    return stat.isFile() ? { path, size: stat.size, modifiedAt: stat.mtimeMs } : undefined;
  } catch {
    return undefined; // gone since it was listed
  }
}

type Handle = Awaited<ReturnType<typeof openInside>>;

/** Undefined where the file is not there (any more), or is no plain file. */
async function withNote<Answer>(
  folder: string,
  path: string,
  use: (handle: Handle, size: number) => Promise<Answer>,
): Promise<Answer | undefined> {
  let handle: Handle;
  try {
    handle = await openInside(folder, path, "r");
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EISDIR", "EACCES", "ENAMETOOLONG"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
  try {
    const stat = await handle.stat();
    return stat.isFile() ? await use(handle, stat.size) : undefined;
  } finally {
    await handle.close();
  }
}
