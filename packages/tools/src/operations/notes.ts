import { type PathCheck, ToolAuthorizationError, ToolError, ToolInputError } from "@toolrack/core";
import { FileFault, type FileOperations } from "./files.ts";
import { createFileOperations } from "./node-files.ts";

export interface NoteFile {
  /** Below the folder, with "/" between its parts. */
  readonly path: string;
  readonly modifiedAt: number;
  readonly size: number;
}

/** A collection of notes; pass your own to store them elsewhere. */
export interface NoteOperations {
  /** All notes in the order of their paths, as many as the limit allows, and whether there are more. */
  list(signal: AbortSignal): Promise<{ readonly files: readonly NoteFile[]; readonly hasMore: boolean }>;
  /** Undefined where there is no such note. Throws for a path that leads elsewhere. */
  read(path: string): Promise<string | undefined>;
  /** The same notes for one call that path rules hold for. Without it, the rules are applied to the paths of the notes. */
  withPathRules?(rules: PathCheck): NoteOperations;
}

export interface FolderNotesOptions {
  /** Absolute paths of files and folders that are not notes. @default none */
  readonly hidden?: readonly string[];
  /** The folder that the notes must stay in, also when something else takes the place of their folder. @default their folder itself */
  readonly within?: string;
}

/** The markdown and text files below a folder. Links are not followed, hidden files are not notes. */
export function createFolderNotes(folder: string, options: FolderNotesOptions = {}): NoteOperations {
  return notesIn(createFileOperations({ root: folder, ...options }));
}

/** The notes as a call sees them that these rules hold for. */
export function notesUnder(notes: NoteOperations, rules: PathCheck | undefined): NoteOperations {
  if (rules === undefined) return notes;
  return notes.withPathRules?.(rules) ?? askByPath(notes, rules);
}

function notesIn(files: FileOperations): NoteOperations {
  return {
    async list(signal) {
      const paths: string[] = [];
      const hasMore = !(await collect(files, "", paths, signal));
      const found: NoteFile[] = [];
      for (const path of paths.sort()) {
        signal.throwIfAborted();
        const facts = await unlessGone(() => files.stat(path));
        if (facts?.kind === "file") found.push({ path, size: facts.bytes, modifiedAt: facts.modifiedAt });
      }
      return { files: found, hasMore };
    },
    async read(path) {
      if (!isNote(path)) throw new ToolInputError(`"${path}" is not a note. Notes are files that end in .md, .markdown or .txt.`);
      const content = await unlessGone(() => files.read(path, maxNoteBytes));
      return content && Buffer.from(content.bytes).toString("utf8");
    },
    withPathRules: (rules) => notesIn(files.withPathRules!(rules)),
  };
}

/** For notes that are no files. */
function askByPath(notes: NoteOperations, rules: PathCheck): NoteOperations {
  return {
    async list(signal) {
      const { files, hasMore } = await notes.list(signal);
      return { files: files.filter(({ path }) => rules(path, path) === undefined), hasMore };
    },
    async read(path) {
      const sentence = rules(path, path);
      if (sentence !== undefined) throw new ToolAuthorizationError(sentence);
      return notes.read(path);
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
async function collect(files: FileOperations, below: string, paths: string[], signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted();
  const folders: string[] = [];
  for (const { name, kind } of await listIfThere(files, below)) {
    const path = below === "" ? name : `${below}/${name}`;
    if (kind === "folder" && !name.startsWith(".") && name !== "node_modules") folders.push(path);
    else if (kind === "file" && isNote(path)) {
      if (paths.length >= maxNotes) return false;
      paths.push(path);
    }
  }
  if (below.split("/").length >= maxDepth) return folders.length === 0;
  for (const inner of folders) if (!(await collect(files, inner, paths, signal))) return false;
  return true;
}

async function listIfThere(files: FileOperations, below: string): ReturnType<FileOperations["list"]> {
  try {
    return await files.list(below || ".");
  } catch (error) {
    if (below !== "") return [];
    throw error instanceof FileFault && error.code === "ENOENT" ? noFolder(error) : error;
  }
}

function noFolder(cause: unknown): ToolError {
  return new ToolError("NEEDS_CONFIGURATION", "The folder of notes does not exist. Make it, or configure another.", { cause });
}

/** Undefined where the file is not there (any more), or is no plain file. */
async function unlessGone<Value>(run: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    if (error.code === "EFBIG")
      throw new ToolError("TOOL_FAILED", `The note "${error.path}" is larger than ${maxNoteBytes} bytes. Divide it.`, { cause: error });
    if (["ENOENT", "ENOTDIR", "EISDIR", "ENOTSUP", "EACCES", "ENAMETOOLONG"].includes(error.code)) return undefined;
    throw error;
  }
}
