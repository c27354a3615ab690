import { constants, existsSync, lstatSync } from "node:fs";
import { type FileHandle, open, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ToolError } from "../errors.ts";
import type { HiddenPaths } from "./path-hidden.ts";
import { isInside, resolveInside, type RootCheck, rootReplaced } from "./path-inside.ts";

/** As `fs.open` takes them. */
export type OpenInsideFlags = "r" | "r+" | "w" | "w+" | "wx" | "wx+" | "a" | "a+" | "ax" | "ax+";

export interface OpenInsideOptions {
  /** What is here looks as if it did not exist (ENOENT), and is neither opened nor created. @default nothing */
  readonly hidden?: HiddenPaths | undefined;
  /** What the root must still be in when the file is opened. @default the root may be anywhere */
  readonly within?: RootCheck | undefined;
}

/**
 * Opens a file below `root` and makes sure that it is this file which was opened, for tools that must not be raced by someone who
 * swaps a directory for a link. Rejects with PATH_OUTSIDE_WORKSPACE, or with the system's error; the caller closes the handle.
 */
export function openInside(root: string, path: string, flags: OpenInsideFlags = "r", options: OpenInsideOptions = {}): Promise<FileHandle> {
  return existsSync("/proc/self/fd") ? openBelowFolder(root, path, flags, options) : openAndCompare(root, path, flags, options);
}

/** One way to open a file below a root, as `openInside` promises it. */
type OpenWay = (root: string, path: string, flags: OpenInsideFlags, options?: OpenInsideOptions) => Promise<FileHandle>;

/** Linux: the folder is opened and verified first, then the file below that very folder, so nothing outside is even created. */
export const openBelowFolder: OpenWay = async (root, path, flags, { hidden, within } = {}) => {
  const file = resolved(root, path, within);
  // What is opened below is held against this very path, so the root cannot be swapped after this look at it.
  const realRoot = await realpath(root);
  if (within?.holds(realRoot) === false) throw refusal(path, rootReplaced);
  const isRoot = file === realRoot;
  const folder = await open(isRoot ? file : dirname(file), constants.O_RDONLY | constants.O_DIRECTORY | neverFollow);
  try {
    const realFolder = await readlink(`/proc/self/fd/${folder.fd}`);
    if (!isInside(realRoot, realFolder)) throw swapped(path);
    const at = `/proc/self/fd/${folder.fd}/${isRoot ? "." : basename(file)}`;
    return await openUnlessHidden(at, isRoot ? realFolder : join(realFolder, basename(file)), flags, path, hidden);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "ELOOP" ? swapped(path) : error;
  } finally {
    await folder.close();
  }
};

/** On other systems: what was opened must be what the path leads to afterwards. A file is truncated only then, but may have been created. */
export const openAndCompare: OpenWay = async (root, path, flags, { hidden, within } = {}) => {
  const file = resolved(root, path, within);
  const handle = await openUnlessHidden(file, file, flags, path, hidden, false);
  try {
    const opened = await handle.stat({ bigint: true });
    const there = lstatSync(resolved(root, path, within), { bigint: true });
    if (opened.dev !== there.dev || opened.ino !== there.ino) throw swapped(path);
    if (bits[flags] & constants.O_TRUNC) await handle.truncate();
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
};

/**
 * Looks before it opens, and again at what was opened. A hidden file is not even opened: closing it would end the locks that this
 * process holds on it, and a database relies on those.
 */
async function openUnlessHidden(
  at: string,
  real: string,
  flags: OpenInsideFlags,
  path: string,
  hidden: HiddenPaths | undefined,
  empties = true,
): Promise<FileHandle> {
  const wanted = bits[flags] | neverFollow;
  if (hidden === undefined) return open(at, empties ? wanted : wanted & ~constants.O_TRUNC);
  if (hidden.hides(real, lstatSync(at, { bigint: true, throwIfNoEntry: false }))) throw notThere(path);
  const handle = await open(at, wanted & ~constants.O_TRUNC);
  try {
    if (hidden.hides(real, await handle.stat({ bigint: true }))) throw notThere(path);
    if (empties && wanted & constants.O_TRUNC) await handle.truncate();
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND } = constants;

const bits: Readonly<Record<OpenInsideFlags, number>> = {
  r: O_RDONLY,
  "r+": O_RDWR,
  w: O_WRONLY | O_CREAT | O_TRUNC,
  "w+": O_RDWR | O_CREAT | O_TRUNC,
  wx: O_WRONLY | O_CREAT | O_EXCL,
  "wx+": O_RDWR | O_CREAT | O_EXCL,
  a: O_WRONLY | O_CREAT | O_APPEND,
  "a+": O_RDWR | O_CREAT | O_APPEND,
  ax: O_WRONLY | O_CREAT | O_APPEND | O_EXCL,
  "ax+": O_RDWR | O_CREAT | O_APPEND | O_EXCL,
};

/** No link as the last name, and no waiting for the other end of a pipe. Windows has neither. */
const neverFollow = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function resolved(root: string, path: string, within: RootCheck | undefined): string {
  const inside = resolveInside(root, path, within);
  if (inside.ok) return inside.path;
  throw refusal(path, inside.reason);
}

/** As the system says it. */
function notThere(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`ENOENT: no such file or directory, open ${JSON.stringify(path.slice(0, 200))}`), { code: "ENOENT" });
}

function swapped(path: string): ToolError {
  return refusal(path, "a link took the place of a part of it");
}

function refusal(path: string, reason: string): ToolError {
  return new ToolError(
    "PATH_OUTSIDE_WORKSPACE",
    `The path ${JSON.stringify(path.slice(0, 200))} is refused: ${reason}. Use a path inside of the workspace.`,
  );
}
