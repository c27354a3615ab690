import { lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { ToolError } from "@toolrack/core";
import { isInside, realPlace } from "@toolrack/core/internal";

/**
 * Why programs that may write to a folder could reach files that must stay out of their reach; undefined where they could not.
 * Hiding such files from programs is not enough: one that does not exist yet could be made, one that is saved by renaming gets
 * uncovered, and a link to one could be replaced. So none may lie in the folder, and none may have a second name that could.
 */
export function findReserved(root: string, reserved: readonly string[]): string | undefined {
  const folder = realPlace(resolve(root));
  for (const path of reserved) {
    for (const place of placesOf(resolve(path))) {
      if (isInside(folder, place)) return `${JSON.stringify(place)} lies in ${JSON.stringify(folder)}`;
    }
    const linked = findHardLink(path);
    if (linked !== undefined) return `${JSON.stringify(linked)} has another name (a hard link), which may lie in the workspace`;
  }
  return undefined;
}

export const reservedRemedy: string =
  "Set workspace to a folder of its own, without the server's files and hard links to them, and give packs that run programs no root inside of it.";

/** The refusal of programs in such a folder. */
export function reservedInside(why: string): ToolError {
  return new ToolError("TOOL_UNAVAILABLE", `Programs are not run here, because ${why}. ${reservedRemedy}`);
}

/** The place of a name, the place that a link there leads to, and so on. */
function placesOf(path: string): readonly string[] {
  const places: string[] = [];
  for (let at = path; places.length < maxLinks;) {
    const place = join(realPlace(dirname(at)), basename(at));
    places.push(place);
    if (statIfThere(place)?.isSymbolicLink() !== true) break;
    at = resolve(dirname(place), readlinkSync(place));
  }
  return places;
}

const maxLinks = 40;

/** Package managers make hard links to modules in a store of theirs, so those are left out. */
function findHardLink(path: string): string | undefined {
  const pending = [realPlace(resolve(path))];
  for (let looked = 0; looked < maxLooked; looked++) {
    const at = pending.pop();
    if (at === undefined) return undefined;
    if (at.split(sep).includes("node_modules")) continue;
    const found = statIfThere(at);
    if (found?.isFile() && found.nlink > 1) return at;
    if (found?.isDirectory()) pending.push(...namesIn(at).map((name) => join(at, name)));
  }
  return undefined;
}

const maxLooked = 1_000;

function statIfThere(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
