import { type BigIntStats, statSync } from "node:fs";
import { resolve } from "node:path";
import { isInside, realPlace, type RootCheck } from "./path-inside.ts";

/** A folder that is known by what it was at the beginning, and not by what its name leads to later. */
export interface Boundary extends RootCheck {
  /** Whether a real path is in the folder, and the folder was not replaced. */
  holds(realPath: string): boolean;
}

/** Looks at the folder now, or as soon as it exists: from then on its real path, device and inode stay the same. */
export function createBoundary(folder: string): Boundary {
  const given = resolve(folder);
  let known = look(given);
  return {
    holds(realPath) {
      known ??= look(given);
      if (known === undefined) return isInside(realPlace(given), realPath);
      const now = statIfThere(known.real);
      return now !== undefined && now.dev === known.dev && now.ino === known.ino && isInside(known.real, realPath);
    },
  };
}

interface KnownFolder {
  readonly real: string;
  readonly dev: bigint;
  readonly ino: bigint;
}

function look(folder: string): KnownFolder | undefined {
  const real = realPlace(folder);
  const found = statIfThere(real);
  return found && { real, dev: found.dev, ino: found.ino };
}

function statIfThere(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
