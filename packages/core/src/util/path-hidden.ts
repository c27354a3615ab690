import type { BigIntStats } from "node:fs";
import { nodeFs, nodePath } from "#platform";
import { realPlace } from "./path-inside.ts";

/** Files and folders that no tool may find, whatever name leads to them. */
export interface HiddenPaths {
  /**
   * Whether a real path is one of them or is in one: by its name, and by device and inode, so that hard links and renamed folders
   * make no difference. `found` is the file that is there; without it only the path counts.
   */
  hides(realPath: string, found?: BigIntStats): boolean;
  /** The same for the entries of a folder that is not hidden itself. */
  hidesIn(folder: BigIntStats, realPath: string, found: BigIntStats | undefined): boolean;
}

/** Paths are absolute. A folder includes everything in it; what does not exist yet is hidden as soon as it does. */
export function createHiddenPaths(paths: readonly string[]): HiddenPaths {
  const given = [...new Set(paths.map((path) => nodePath.resolve(path)))];
  const texts = [...new Set(given.flatMap((path) => [path, realPlace(path)]))].map(fold);
  // What was hidden once stays hidden when it is moved, so these only grow; the birth time distinguishes a file from a later one with the same inode.
  const identities = new Set<string>();
  const places = new Set<string>();
  let lookedAt = Number.NEGATIVE_INFINITY;

  function lookAgain(): void {
    if (performance.now() - lookedAt < lookEveryMs) return;
    for (const path of given) {
      for (const found of [lookAt(path), lookAt(path, true)]) if (found !== undefined) remember(found);
      const folder = lookAt(nodePath.dirname(path), true);
      if (folder !== undefined) places.add(placeIn(folder, nodePath.basename(path)));
    }
    lookedAt = performance.now();
  }

  function hidesIn(folder: BigIntStats, realPath: string, found: BigIntStats | undefined): boolean {
    lookAgain();
    if (texts.some((text) => isAtOrBelow(text, fold(realPath))) || places.has(placeIn(folder, nodePath.basename(realPath)))) return true;
    if (found === undefined) return false;
    return identities.has(identityOf(found)) || (found.isFile() && found.nlink > 1n && isHardLink(found));
  }

  /** A file with several names: is one of them in a hidden folder? If that is unknown, it is hidden. */
  function isHardLink(found: BigIntStats): boolean {
    const sawAll = lookThrough(given, remember);
    return !sawAll || identities.has(identityOf(found));
  }

  function remember(found: BigIntStats): void {
    identities.add(identityOf(found));
  }

  lookThrough(given, remember);
  lookAgain();
  return {
    hidesIn,
    hides(realPath, found) {
      for (let at = realPath, there = found; ; at = nodePath.dirname(at)) {
        const folder = lookAt(nodePath.dirname(at));
        if (folder === undefined ? texts.some((text) => isAtOrBelow(text, fold(at))) : hidesIn(folder, at, there)) return true;
        if (nodePath.dirname(at) === at) return false;
        there = folder;
      }
    },
  };
}

/** Often enough for people who save files, and seldom enough for a search through thousands of them. */
const lookEveryMs = 50;

function lookAt(path: string, followsLink = false): BigIntStats | undefined {
  try {
    return (followsLink ? nodeFs.statSync : nodeFs.lstatSync)(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function identityOf({ dev, ino, birthtimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${birthtimeNs}`;
}

/** Names are compared as the most generous file systems do. */
function placeIn({ dev, ino }: BigIntStats, name: string): string {
  return `${dev}:${ino}/${name.normalize("NFC").toLowerCase()}`;
}

function fold(path: string): string {
  return process.platform === "linux" ? path : path.normalize("NFC").toLowerCase();
}

function isAtOrBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(nodePath.sep) ? folder : folder + nodePath.sep);
}

/**
 * Everything at and below the hidden paths, as far as it can be looked at in a short time. Answers whether that was all. A node_modules is
 * too large to look through, and package managers make hard links of its files; it is hidden by its place.
 */
function lookThrough(hidden: readonly string[], use: (found: BigIntStats) => void): boolean {
  const pending = hidden.map((path) => ({ path, isGiven: true }));
  for (let looked = 0; pending.length > 0; looked++) {
    if (looked === maxLooked) return false;
    const { path, isGiven } = pending.pop()!;
    const found = lookAt(path, isGiven);
    if (found !== undefined) use(found);
    if (found?.isDirectory() && !path.split(nodePath.sep).includes("node_modules"))
      pending.push(...namesIn(path).map((name) => ({ path: nodePath.join(path, name), isGiven: false })));
  }
  return true;
}

const maxLooked = 10_000;

function namesIn(folder: string): readonly string[] {
  try {
    return nodeFs.readdirSync(folder);
  } catch {
    return [];
  }
}
