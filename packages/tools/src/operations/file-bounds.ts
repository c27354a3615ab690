import { type BigIntStats, lstatSync, realpathSync } from "node:fs";
import { type FileHandle, lstat, readlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type PathCheck, ToolAuthorizationError, ToolError } from "@toolrack/core";
import { type Boundary, createBoundary, createHiddenPaths, type HiddenPaths, openInside, resolveInside } from "@toolrack/core/node";
import type { FolderEntry } from "./files.ts";

/** What file operations may reach. Everything that they open, list or change is held against this, and nothing else decides. */
export interface FileBounds {
  /** The folder that no path may leave. */
  readonly root: string;
  /** What the root must stay in. */
  readonly within: Boundary;
  /** What looks as if it did not exist. */
  readonly hidden: HiddenPaths | undefined;
  /** The path rules that hold for one call. */
  readonly rules: PathCheck | undefined;
}

/** Throws CONFIG_INVALID for a root inside a hidden path. */
export function createFileBounds(givenRoot: string, hiddenPaths: readonly string[] = [], outer: string = givenRoot): FileBounds {
  const root = resolve(givenRoot);
  const within = createBoundary(outer);
  if (hiddenPaths.length === 0) return { root, within, hidden: undefined, rules: undefined };
  const hidden = createHiddenPaths(hiddenPaths);
  if (hidden.hides(realIfThere(root)))
    throw new ToolError(
      "CONFIG_INVALID",
      `The workspace ${root} is in a folder of the server itself, whose files no tool may see. Choose a workspace outside of it.`,
    );
  return { root, within, hidden, rules: undefined };
}

/** The same bounds, for a call that path rules hold for. */
export function withRules(bounds: FileBounds, rules: PathCheck): FileBounds {
  const { rules: before } = bounds;
  return { ...bounds, rules: before === undefined ? rules : (...place) => before(...place) ?? rules(...place) };
}

/** Opens what may be read. The caller closes the handle. */
export async function openBounded(bounds: FileBounds, path: string): Promise<FileHandle> {
  const { root, within, hidden, rules } = bounds;
  if (rules === undefined) return openInside(root, path, "r", { hidden, within });
  const inside = resolveInside(root, path, within);
  // Checked even if nothing exists there: otherwise the answer would reveal what exists.
  if (inside.ok) refuseByRules(bounds, path, inside.path);
  const handle = await openInside(root, path, "r", { hidden, within });
  try {
    refuseByRules(bounds, path, await realPathOf(bounds, handle, path));
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Refuses a change at a path that is hidden or denied, whether or not it exists. */
export function assertChangeable(bounds: FileBounds, path: string): void {
  const inside = resolveInside(bounds.root, path, bounds.within);
  if (inside.ok) assertChangeableAt(bounds, path, inside.path);
}

/** The same for a place whose real path is known. */
export function assertChangeableAt(bounds: FileBounds, path: string, real: string): void {
  if (bounds.hidden?.hides(real, lstatIfThere(real)))
    throw new ToolAuthorizationError(`${JSON.stringify(path)} is not changed: this place is reserved. Choose another path.`);
  refuseByRules(bounds, path, real);
}

/** Leaves out what is hidden or denied, and links that lead there. `at` is the folder that was opened, `real` its real path. */
export async function listable(
  bounds: FileBounds,
  path: string,
  at: string,
  real: string,
  entries: readonly FolderEntry[],
): Promise<readonly FolderEntry[]> {
  const { root, hidden, rules } = bounds;
  if (hidden === undefined && rules === undefined) return entries;
  const folder = hidden && (await lstat(real, { bigint: true }));
  const mayShow = (name: string, place: string): boolean => rules?.(resolve(root, path, name), place) === undefined;
  return entries.filter(({ name, kind }) => {
    const place = join(real, name);
    if (hidden?.hidesIn(folder!, place, lstatIfThere(join(at, name)))) return false;
    if (!mayShow(name, place)) return false;
    if (kind !== "link") return true;
    const target = resolveInside(root, place);
    if (!target.ok) return true;
    return !hidden?.hides(target.path, lstatIfThere(target.path)) && mayShow(name, target.path);
  });
}

/** Where Linux shows the open files of a process; a folder opened once is reached there even when its name is swapped. */
export const ownHandles = "/proc/self/fd";

export async function realPathOf({ root }: FileBounds, handle: FileHandle, path: string): Promise<string> {
  return hasOwnHandles ? readlink(`${ownHandles}/${handle.fd}`) : realpathSync(resolve(root, path));
}

export const hasOwnHandles: boolean = lstatIfThere(ownHandles) !== undefined;

function refuseByRules({ root, rules }: FileBounds, path: string, real: string): void {
  const sentence = rules?.(resolve(root, path), real, path);
  if (sentence !== undefined) throw new ToolAuthorizationError(sentence);
}

function lstatIfThere(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

function realIfThere(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
