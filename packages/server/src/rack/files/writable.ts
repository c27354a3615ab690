import path from "node:path";
import { isInside, realPlace } from "@toolrack/core/internal";
import { isPackName, type PacksConfig } from "../../config/config.ts";
import { maxLinks, stepsTo } from "../../config/checks/path-steps.ts";

/** A folder that tools may write to: nothing in it can be trusted as code of the server. */
export interface WritableFolder {
  /** The key of the configuration that names it: "workspace", "tools.packs.files.root" */
  readonly key: string;
  /** Its real path. */
  readonly folder: string;
}

/**
 * The workspace, if any tool may change files there, and every folder that a pack has of its own. A pack that a module adds may write into
 * the workspace, as far as the server can tell.
 */
export function listWritable(packs: PacksConfig = {}, workspace: string): readonly WritableFolder[] {
  const writesFiles = Object.entries(packs).some(
    ([name, pack]) => pack !== undefined && pack !== false && (writingPacks.has(name) || !isPackName(name)),
  );
  const own = Object.entries(packs).flatMap(([name, pack]) =>
    typeof pack !== "object"
      ? []
      : ["root", "folder"].flatMap((key) => {
          const named = pack[key];
          return typeof named === "string" ? [{ key: `tools.packs.${name}.${key}`, folder: path.resolve(workspace, named) }] : [];
        }),
  );
  return [...(writesFiles ? [{ key: "workspace", folder: workspace }] : []), ...own].map(({ key, folder }) => ({
    key,
    folder: realPlace(folder),
  }));
}

/** Built-in packs with tools that change files of the workspace. */
const writingPacks: ReadonlySet<string> = new Set(["files", "code", "runtime"]);

/** The writable folder that contains a path, or a link on the way to it. */
export function findWritable(file: string, writable: readonly WritableFolder[]): WritableFolder | undefined {
  return writable.find(({ folder }) => leadsThrough(file, folder));
}

/** "the workspace"; "tools.packs.files.root (/srv/shared)" */
export function nameOfWritable({ key, folder }: WritableFolder): string {
  return key === "workspace" ? "the workspace" : `${key} (${folder})`;
}

/** Whether a path, or a link on the way to it, lies in a folder (given by its real path). True if there are too many links. */
function leadsThrough(file: string, folder: string): boolean {
  let links = 0;
  for (const { location, isLink } of stepsTo(file)) {
    links += Number(isLink);
    if (isInside(folder, location) || links > maxLinks) return true;
  }
  return false;
}
