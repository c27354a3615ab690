import { randomBytes } from "node:crypto";
import { type BigIntStats, existsSync } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, readlink, realpath, rename, rmdir, unlink } from "node:fs/promises";
import { basename, dirname, relative, resolve, sep } from "node:path";
import { openInside, ToolAuthorizationError, ToolError } from "@toolrack/core";
import type { ChangeOptions, FileContent, FileFacts, FileOperations, FolderEntry, StagedFile } from "./files.ts";
import { FileFault } from "./files.ts";

export interface FileOperationsOptions {
  /** The folder that no path may leave. */
  readonly root: string;
  /** Names that no changed path may contain, in any case. @default [".git"], whose configuration makes git run programs */
  readonly protect?: readonly string[];
}

/** The disk below one folder. */
export function createFileOperations(options: FileOperationsOptions): FileOperations {
  const root = resolve(options.root);
  const isProtected = protection(options.protect ?? [".git"]);

  /** Where a change really happens: every link followed, in a folder that exists or is still to be made. */
  async function locate(path: string): Promise<Place> {
    const existing = await openIfThere(root, path);
    if (existing === undefined) {
      if (/[\\/]$/.test(path)) throw new FileFault("EISDIR", path);
      const [folder, name] = [dirname(path), ownName(path)];
      return refuseProtected({ folder, name, found: await danglingLink(root, folder, name) }, path);
    }
    try {
      const real = existsSync(ownHandles) ? await readlink(`${ownHandles}/${existing.fd}`) : await realpath(resolve(root, path));
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
    stat: (path) => telling(path, () => stat(root, path)),
    read: (path, maxBytes) => telling(path, () => read(root, path, maxBytes)),
    list: (path) => telling(path, () => list(root, path)),
    stage: (path, bytes, change) => telling(path, async () => stage(root, path, await locate(path), bytes, change)),
    remove: (path, change) =>
      telling(path, async () => {
        const { found } = await locate(path);
        if (found === undefined) throw new FileFault("ENOENT", path);
        if (found.isDirectory()) throw new FileFault("EISDIR", path);
        assertExpected(path, found, change);
        await inFolder(root, dirname(path), (folder) => unlink(`${folder}/${ownName(path)}`));
      }),
  };
}

interface Place {
  readonly folder: string;
  readonly name: string;
  readonly found: BigIntStats | undefined;
}

/** Where Linux shows the open files of a process; a folder opened once is reached there even when its name is swapped. */
const ownHandles = "/proc/self/fd";

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

async function openIfThere(root: string, path: string): Promise<FileHandle | undefined> {
  try {
    return await openInside(root, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function stat(root: string, path: string): Promise<FileFacts | undefined> {
  const handle = await openIfThere(root, path);
  if (handle === undefined) return undefined;
  try {
    const found = await handle.stat({ bigint: true });
    return { kind: kindOf(found), bytes: Number(found.size), version: versionOf(found) };
  } finally {
    await handle.close();
  }
}

async function read(root: string, path: string, maxBytes: number): Promise<FileContent> {
  const handle = await openInside(root, path);
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

async function list(root: string, path: string): Promise<readonly FolderEntry[]> {
  const entries = await inFolder(root, path, (folder) => readdir(folder, { withFileTypes: true }));
  return entries
    .map((entry): FolderEntry => ({
      name: entry.name,
      kind: entry.isFile() ? "file" : entry.isDirectory() ? "folder" : entry.isSymbolicLink() ? "link" : "other",
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function stage(root: string, path: string, place: Place, bytes: Uint8Array, change: ChangeOptions = {}): Promise<StagedFile> {
  const { folder, name, found } = place;
  if (found?.isDirectory()) throw new FileFault("EISDIR", path);
  if (found !== undefined && !found.isFile()) throw new FileFault("ENOTSUP", path);
  if (found !== undefined && (found.mode & 0o222n) === 0n) throw new FileFault("EACCES", path);
  assertExpected(path, found, change);
  const beside = `.toolrack-${randomBytes(8).toString("hex")}.tmp`;
  const created: string[] = [];
  const discard = async (): Promise<void> => {
    await inFolder(root, folder, (at) => unlink(`${at}/${beside}`)).catch(() => {});
    for (const made of created.toReversed()) await inFolder(root, dirname(made), (at) => rmdir(`${at}/${basename(made)}`)).catch(() => {});
  };
  try {
    await makeFolders(root, folder, created);
    await inFolder(root, folder, (at) => writeNew(`${at}/${beside}`, bytes, found));
  } catch (error) {
    await discard();
    throw error;
  }
  return {
    discard,
    commit: () =>
      telling(path, () =>
        inFolder(root, folder, async (at) => {
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
      // Only the superuser may give a file away; the writer keeps it otherwise.
      await handle.chown(Number(old.uid), Number(old.gid)).catch(() => {});
      await handle.chmod(Number(old.mode & 0o7777n));
    }
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** Makes the folder and those above it, one by one, noting each that was not there. */
async function makeFolders(root: string, folder: string, created: string[]): Promise<void> {
  const there = await openIfThere(root, folder);
  if (there !== undefined) return there.close();
  await makeFolders(root, dirname(folder), created);
  await inFolder(root, dirname(folder), (at) => mkdir(`${at}/${ownName(folder)}`));
  created.push(folder);
}

/** Runs with a path of the folder that stays the same folder until the end, where the system can do that. */
async function inFolder<Value>(root: string, folder: string, use: (at: string) => Promise<Value>): Promise<Value> {
  const handle = await openInside(root, folder);
  try {
    if (!(await handle.stat()).isDirectory()) throw new FileFault("ENOTDIR", folder);
    return await use(existsSync(ownHandles) ? `${ownHandles}/${handle.fd}` : await realpath(resolve(root, folder)));
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
async function danglingLink(root: string, folder: string, name: string): Promise<BigIntStats | undefined> {
  const opened = await openIfThere(root, folder);
  if (opened === undefined) return undefined;
  await opened.close();
  return inFolder(root, folder, (at) => lstatIfThere(`${at}/${name}`));
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
