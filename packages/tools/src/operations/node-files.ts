import { randomBytes } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rename, rmdir, unlink } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { ToolAuthorizationError, ToolError } from "@toolrack/core";
import {
  assertChangeable,
  assertChangeableAt,
  createFileBounds,
  type FileBounds,
  hasOwnHandles,
  listable,
  openBounded,
  ownHandles,
  realPathOf,
  withRules,
} from "./file-bounds.ts";
import type { ChangeOptions, FileContent, FileFacts, FileOperations, FolderEntry, StagedFile } from "./files.ts";
import { FileFault } from "./files.ts";

export interface FileOperationsOptions {
  /** The folder that no path may leave. */
  readonly root: string;
  /** The folder that `root` must stay in, also when something else takes its place. @default `root` itself, as it was at the beginning */
  readonly within?: string;
  /** Names that no changed path may contain, in any case. @default [".git"], whose configuration makes git run programs */
  readonly protect?: readonly string[];
  /**
   * Absolute paths of files and folders that the tools treat as missing, wherever they are: they are not listed, read or changed, and
   * nothing is created in their place. They are recognized by device and inode too, so that a link or a new name makes no difference. @default none
   */
  readonly hidden?: readonly string[];
}

/** The disk below one folder. Throws CONFIG_INVALID if the folder is inside a hidden path. */
export function createFileOperations(options: FileOperationsOptions): FileOperations {
  return openDisk(createFileBounds(options.root, options.hidden, options.within), protection(options.protect ?? [".git"]));
}

function openDisk(bounds: FileBounds, isProtected: (name: string) => boolean): FileOperations {
  const { root } = bounds;

  /** The real path of a change: all links resolved, in a folder that exists or will be created. */
  async function locate(path: string): Promise<Place> {
    assertChangeable(bounds, path);
    const existing = await openIfThere(bounds, path);
    if (existing === undefined) {
      if (/[\\/]$/.test(path)) throw new FileFault("EISDIR", path);
      const [folder, name] = [dirname(path), ownName(path)];
      return refuseProtected({ folder, name, found: await danglingLink(bounds, folder, name) }, path);
    }
    try {
      const real = await realPathOf(bounds, existing, path);
      const found = await existing.stat({ bigint: true });
      return await refuseProtected({ folder: dirname(real), name: basename(real), found }, path);
    } finally {
      await existing.close();
    }
  }

  async function refuseProtected(place: Place, path: string): Promise<Place> {
    const names = [...relative(await realpath(root), resolve(root, place.folder)).split(sep), ...path.split(/[\\/]/), place.name];
    const refused = names.find(isProtected);
    if (refused === undefined) return place;
    throw new ToolAuthorizationError(`${JSON.stringify(path)} is not changed: ${JSON.stringify(refused)} is protected.`);
  }

  return {
    root,
    stat: (path) => telling(path, () => stat(bounds, path)),
    read: (path, maxBytes) => telling(path, () => read(bounds, path, maxBytes)),
    list: (path) => telling(path, () => list(bounds, path)),
    stage: (path, bytes, change) => telling(path, async () => stage(bounds, path, await locate(path), bytes, change)),
    remove: (path, change) =>
      telling(path, async () => {
        const { found } = await locate(path);
        if (found === undefined) throw new FileFault("ENOENT", path);
        if (found.isDirectory()) throw new FileFault("EISDIR", path);
        assertExpected(path, found, change);
        await inFolder(unruled(bounds), dirname(path), (folder, real) => {
          assertChangeableAt(bounds, path, join(real, ownName(path)));
          return unlink(`${folder}/${ownName(path)}`);
        });
      }),
    withPathRules: (rules) => openDisk(withRules(bounds, rules), isProtected),
  };
}

/** For the folders around a file: rules that allow the file may not name them, and rules that deny them deny the file too. */
function unruled(bounds: FileBounds): FileBounds {
  return { ...bounds, rules: undefined };
}

interface Place {
  readonly folder: string;
  readonly name: string;
  readonly found: BigIntStats | undefined;
}

/** System errors with the path of the call, and not with the one that it was really done by. */
async function telling<Value>(path: string, run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException | null)?.code;
    if (ToolError.is(error) || error instanceof FileFault || typeof code !== "string") throw error;
    throw new FileFault(code, path, { cause: error });
  }
}

async function openIfThere(bounds: FileBounds, path: string): Promise<FileHandle | undefined> {
  try {
    return await openBounded(bounds, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function stat(bounds: FileBounds, path: string): Promise<FileFacts | undefined> {
  const handle = await openIfThere(bounds, path);
  if (handle === undefined) return undefined;
  try {
    const found = await handle.stat({ bigint: true });
    return { kind: kindOf(found), bytes: Number(found.size), modifiedAt: Number(found.mtimeMs), version: versionOf(found) };
  } finally {
    await handle.close();
  }
}

async function read(bounds: FileBounds, path: string, maxBytes: number): Promise<FileContent> {
  const handle = await openBounded(bounds, path);
  try {
    const found = await handle.stat({ bigint: true });
    if (found.isDirectory()) throw new FileFault("EISDIR", path);
    if (!found.isFile()) throw new FileFault("ENOTSUP", path);
    if (found.size > maxBytes) throw new FileFault("EFBIG", path);
    return { bytes: await readUpTo(handle, Number(found.size), maxBytes, path), version: versionOf(found) };
  } finally {
    await handle.close();
  }
}

/** A file may grow while it is read, so its size is a guess and the limit is not. */
async function readUpTo(handle: FileHandle, size: number, maxBytes: number, path: string): Promise<Uint8Array> {
  let buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    length += bytesRead;
    if (bytesRead === 0) return buffer.subarray(0, length);
    if (length > maxBytes) throw new FileFault("EFBIG", path);
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length + 65_536)]);
  }
}

async function list(bounds: FileBounds, path: string): Promise<readonly FolderEntry[]> {
  return inFolder(bounds, path, async (at, real) => {
    const found = await readdir(at, { withFileTypes: true });
    const entries = found
      .map((entry): FolderEntry => ({
        name: entry.name,
        kind: entry.isFile() ? "file" : entry.isDirectory() ? "folder" : entry.isSymbolicLink() ? "link" : "other",
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    return listable(bounds, path, at, real, entries);
  });
}

async function stage(bounds: FileBounds, path: string, place: Place, bytes: Uint8Array, change: ChangeOptions = {}): Promise<StagedFile> {
  const { folder, name, found } = place;
  if (found?.isDirectory()) throw new FileFault("EISDIR", path);
  if (found !== undefined && !found.isFile()) throw new FileFault("ENOTSUP", path);
  if (found !== undefined && (found.mode & 0o222n) === 0n) throw new FileFault("EACCES", path);
  assertExpected(path, found, change);
  const around = unruled(bounds);
  const beside = `.toolrack-${randomBytes(8).toString("hex")}.tmp`;
  const created: string[] = [];
  const discard = async (): Promise<void> => {
    await inFolder(around, folder, (at) => unlink(`${at}/${beside}`)).catch(() => {});
    for (const made of created.toReversed())
      await inFolder(around, dirname(made), (at) => rmdir(`${at}/${basename(made)}`)).catch(() => {});
  };
  try {
    await makeFolders(around, folder, created);
    await inFolder(around, folder, (at) => writeNew(`${at}/${beside}`, bytes, found));
  } catch (error) {
    await discard();
    throw error;
  }
  return {
    discard,
    commit: () =>
      telling(path, () =>
        inFolder(around, folder, async (at, real) => {
          assertChangeableAt(bounds, path, join(real, name));
          if (change.expect !== undefined) assertExpected(path, await lstatIfThere(`${at}/${name}`), change);
          await rename(`${at}/${beside}`, `${at}/${name}`);
        }),
      ),
  };
}

async function writeNew(file: string, bytes: Uint8Array, old: BigIntStats | undefined): Promise<void> {
  const handle = await open(file, "wx");
  try {
    await handle.writeFile(bytes);
    if (old !== undefined) {
      // Only root can change the owner of a file; otherwise the writer owns it.
      await handle.chown(Number(old.uid), Number(old.gid)).catch(() => {});
      await handle.chmod(Number(old.mode & 0o7777n));
    }
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** Makes the folder and those above it, one by one, noting each that was not there. */
async function makeFolders(bounds: FileBounds, folder: string, created: string[]): Promise<void> {
  const there = await openIfThere(bounds, folder);
  if (there !== undefined) return there.close();
  await makeFolders(bounds, dirname(folder), created);
  await inFolder(bounds, dirname(folder), (at) => mkdir(`${at}/${ownName(folder)}`));
  created.push(folder);
}

/** Runs with a path of the folder that stays the same folder until the end, where the system can do that, and with its real path. */
async function inFolder<Value>(bounds: FileBounds, folder: string, use: (at: string, real: string) => Promise<Value>): Promise<Value> {
  const handle = await openBounded(bounds, folder);
  try {
    if (!(await handle.stat()).isDirectory()) throw new FileFault("ENOTDIR", folder);
    const real = await realPathOf(bounds, handle, folder);
    return await use(hasOwnHandles ? `${ownHandles}/${handle.fd}` : real, real);
  } finally {
    await handle.close();
  }
}

/** The last name of a path, where it is a name and not a way up. */
function ownName(path: string): string {
  const name = basename(path);
  if (name === "" || name === "." || name === "..") throw new FileFault("EISDIR", path);
  return name;
}

/** A link that leads to nothing is still there: it may be removed, but not written through. */
async function danglingLink(bounds: FileBounds, folder: string, name: string): Promise<BigIntStats | undefined> {
  const opened = await openIfThere(unruled(bounds), folder);
  if (opened === undefined) return undefined;
  await opened.close();
  return inFolder(unruled(bounds), folder, (at) => lstatIfThere(`${at}/${name}`));
}

async function lstatIfThere(file: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(file, { bigint: true });
  } catch {
    return undefined;
  }
}

function assertExpected(path: string, found: BigIntStats | undefined, { expect }: ChangeOptions = {}): void {
  if (expect === undefined || expect === (found === undefined ? "absent" : versionOf(found))) return;
  const fact = found === undefined ? "was removed" : expect === "absent" ? "was created" : "was changed";
  throw new ToolError(
    "TOOL_FAILED",
    `${JSON.stringify(path)} ${fact} by someone else meanwhile, and is left as it is. Read it again first.`,
    {
      retryable: true,
    },
  );
}

function versionOf({ ino, size, mtimeNs }: BigIntStats): string {
  return `${ino}-${size}-${mtimeNs}`;
}

function kindOf(found: BigIntStats): FileFacts["kind"] {
  return found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
}

/** ".GIT" and ".g\u200cit" are ".git" to some file systems. */
function protection(names: readonly string[]): (name: string) => boolean {
  const fold = (name: string): string =>
    name
      .normalize("NFKC")
      .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
      .replace(/[. ]+$/, "")
      .toLowerCase();
  const folded = new Set(names.map(fold));
  return (name) => name !== "" && folded.has(fold(name));
}
