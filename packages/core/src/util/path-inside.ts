import { nodeFs, nodePath } from "#platform";
import { pathFault, pathReadings } from "./path-readings.ts";

/** The real path, every link followed, or why it is refused. */
export type InsideResult = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly reason: string };

/**
 * Finds where a path leads, name by name from the real root, and refuses one that leads out at any step, however it is read.
 * What does not exist yet is fine. What holds now may not hold when the file is opened: `openInside` is for that.
 */
export function resolveInside(root: string, path: string, within?: RootCheck): InsideResult {
  const roots = rootsOf(root);
  if (roots === undefined) return refuse("the workspace cannot be looked at");
  if (within?.holds(roots.real) === false) return refuse(rootReplaced);
  const readings = pathReadings(path);
  if (readings === undefined) return refuse("it can be read in too many ways");
  let first: InsideResult | undefined;
  for (const reading of readings) {
    const fault = pathFault(reading, process.platform);
    const found = fault === undefined ? follow(roots, reading) : refuse(fault);
    if (!found.ok) return found;
    first ??= found;
  }
  return first!;
}

/** Says whether the real path of a root is one that may be used. */
export interface RootCheck {
  holds(realPath: string): boolean;
}

export const rootReplaced = "the folder that it starts from was replaced, or a link in its place leads out of the workspace";

/** Compares by whole names: "/root-evil" is not inside "/root". */
export function isInside(realRoot: string, realPath: string): boolean {
  return namesBelow(realRoot, realPath) !== undefined;
}

/** Where a path leads, as far as it exists. */
export function realPlace(path: string): string {
  try {
    return nodeFs.realpathSync.native(path);
  } catch {
    return nodePath.dirname(path) === path ? path : nodePath.join(realPlace(nodePath.dirname(path)), nodePath.basename(path));
  }
}

/** The root as it was given and as it really is; absolute paths and links may use either. */
interface Roots {
  readonly given: string;
  readonly real: string;
}

function rootsOf(root: string): Roots | undefined {
  try {
    return { given: nodePath.resolve(root), real: nodeFs.realpathSync.native(root) };
  } catch (error) {
    // A folder that is still to be made holds nothing, and no link.
    return (error as NodeJS.ErrnoException).code === "ENOENT"
      ? { given: nodePath.resolve(root), real: realPlace(nodePath.resolve(root)) }
      : undefined;
  }
}

const maxLinks = 40;

function follow(roots: Roots, path: string): InsideResult {
  const pending = toNames(roots, path)?.reverse();
  if (pending === undefined) return refuse("it is an absolute path outside of the workspace");
  const at: string[] = [];
  let links = 0;
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      if (at.pop() === undefined) return refuse("it leads out of the workspace");
      continue;
    }
    const target = linkTarget(nodePath.join(roots.real, ...at, name));
    if (target === undefined) {
      at.push(name);
      continue;
    }
    if (target instanceof Error) return refuse("a part of it cannot be looked at");
    const below = toNames(roots, target);
    if (below === undefined) return refuse("a link in it leads out of the workspace");
    if (++links > maxLinks) return refuse("it has too many links");
    if (nodePath.isAbsolute(target)) at.length = 0;
    pending.push(...below.reverse());
  }
  return { ok: true, path: nodePath.join(roots.real, ...at) };
}

/** The names to walk from the real root, or from the place of a link; undefined for an absolute path outside of the root. */
function toNames(roots: Roots, path: string): string[] | undefined {
  if (nodePath.isAbsolute(path)) return namesBelow(roots.real, path) ?? namesBelow(roots.given, path);
  return toParts(path);
}

function namesBelow(root: string, path: string): string[] | undefined {
  const start = root.endsWith(nodePath.sep) ? root : root + nodePath.sep;
  const [from, wanted] =
    process.platform === "win32" ? [path.replaceAll("/", nodePath.sep).toLowerCase(), start.toLowerCase()] : [path, start];
  return `${from}${nodePath.sep}`.startsWith(wanted) ? toParts(path.slice(start.length)) : undefined;
}

function toParts(path: string): string[] {
  return process.platform === "win32" ? path.split(/[\\/]/) : path.split("/");
}

/** Undefined for what is no link, or is not there. */
function linkTarget(path: string): string | undefined | Error {
  try {
    return nodeFs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? nodeFs.readlinkSync(path) : undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOTDIR" ? undefined : (error as Error);
  }
}

function refuse(reason: string): InsideResult {
  return { ok: false, reason };
}
