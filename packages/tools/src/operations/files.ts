import type { PathCheck } from "@toolrack/core";

/**
 * Everything that the file tools do to a disk. Paths are those of the calls: relative to the root, or absolute and inside of it.
 * Contract: nothing outside the root is read or changed, whatever the path, and even if links are swapped meanwhile; a change is
 * atomic. Failures reject with a `FileFault`, or with a ToolError.
 */
export interface FileOperations {
  /** The folder that no path may leave. */
  readonly root: string;
  /** Undefined where there is nothing. Links are followed. */
  stat(path: string): Promise<FileFacts | undefined>;
  /** The complete file. More than `maxBytes` rejects with EFBIG. */
  read(path: string, maxBytes: number): Promise<FileContent>;
  /** What a folder holds, by name. Links are listed, not followed. */
  list(path: string): Promise<readonly FolderEntry[]>;
  /** Writes the bytes next to the file, with its mode, creating folders. Nothing is visible before `commit`. */
  stage(path: string, bytes: Uint8Array, options?: ChangeOptions): Promise<StagedFile>;
  /** Removes one file or link, never a folder. */
  remove(path: string, options?: ChangeOptions): Promise<void>;
  /**
   * The same files for one call that path rules hold for: a denied place is left out of lists, and refused where it is named.
   * Without it, the rules are applied to the paths that are used, without following links.
   */
  withPathRules?(rules: PathCheck): FileOperations;
}

export interface FileFacts {
  readonly kind: "file" | "folder" | "other";
  readonly bytes: number;
  /** In milliseconds since 1970. */
  readonly modifiedAt: number;
  readonly version: FileVersion;
}

export interface FileContent {
  readonly bytes: Uint8Array;
  readonly version: FileVersion;
}

/** Changes whenever the file does. */
export type FileVersion = string;

export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
}

export interface ChangeOptions {
  /** What the change was made from: with another version, or with any file where "absent" was expected, it is refused. */
  readonly expect?: FileVersion | "absent";
}

export interface StagedFile {
  /** Puts the new file in the place of the old one, in one step. */
  commit(): Promise<void>;
  /** Leaves no trace. Never rejects. */
  discard(): Promise<void>;
}

/** What the system answered, with the path as the call gave it. */
export class FileFault extends Error {
  override readonly name: string = "FileFault";
  /** ENOENT, ENOSPC … */
  readonly code: string;
  readonly path: string;

  constructor(code: string, path: string, options?: ErrorOptions) {
    super(`${code}: ${path}`, options);
    this.code = code;
    this.path = path;
  }
}
