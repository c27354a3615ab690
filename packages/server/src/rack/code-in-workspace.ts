import { readlinkSync } from "node:fs";
import path from "node:path";
import { ToolError } from "@toolrack/core";
import { isInside, realPlace } from "@toolrack/core/internal";
import type { PacksConfig, RackConfig, SourceConfig } from "../config/config.ts";
import { findModule } from "./find-module.ts";
import { innerFolder } from "./packs/_inner-folder.ts";

/** What code of the server must not lie in: where agents change files. */
export interface Workspace {
  /** The real path of the workspace; undefined where no tool changes files. */
  readonly writable: string | undefined;
  /** Why a source's program is not started: it, its arguments or its folder lie in the workspace. */
  sourceFault(id: string, source: SourceConfig, folder: string): string | undefined;
}

/** Throws CONFIG_INVALID where a module lies in the workspace: an agent could change what it imports, and so run code in the server. */
export function guardWorkspace(config: RackConfig, root: string, folder: string): Workspace {
  const writable = canChangeFiles(config.tools?.packs) ? realPlace(root) : undefined;
  const holds = (file: string): boolean => writable !== undefined && leadsThrough(file, writable);
  for (const specifier of config.tools?.modules ?? []) {
    if (!holds(placeOf(specifier, folder))) continue;
    throw new ToolError(
      "CONFIG_INVALID",
      `tools.modules: ${specifier} lies in the workspace ${root}, where agents may change it and what it imports. Move it, or set workspace to a folder of its own, such as ./workspace.`,
    );
  }
  refuseReadable(config.tools?.packs, root);
  return {
    writable,
    sourceFault(id, { command, args = [], cwd = "." }, home) {
      if (command === undefined || writable === undefined) return undefined;
      const start = path.resolve(home, cwd);
      if (holds(start))
        return `sources.${id} works in ${cwd}, which lies in the workspace: agents may change what the program loads there. Set cwd to another folder.`;
      // Also what is not there yet, and paths within an argument: agents may make the file later. The workspace itself is only data.
      const words = [...(command.includes("/") ? [path.resolve(home, command)] : []), ...args.flatMap((arg) => arg.split(separators))];
      const found = words
        .filter((word) => word !== "")
        .map((word) => path.resolve(start, word))
        .find((file) => holds(file) && realPlace(file) !== writable);
      if (found === undefined) return undefined;
      return `sources.${id} starts ${path.basename(found)}, which lies in the workspace, where agents may change it. Move it, or set workspace to a folder of its own, such as ./workspace.`;
    },
  };
}

/** Throws where a folder that programs may read lies where programs write: one of them could replace it by a link to anywhere. */
function refuseReadable(packs: PacksConfig = {}, root: string): void {
  for (const name of ["runtime", "code"] as const) {
    const pack = packs[name];
    if (typeof pack !== "object" || !Array.isArray(pack["readable"])) continue;
    const writable = [root, innerFolder(root, pack["root"]).folder].map(realPlace);
    for (const folder of pack["readable"].map(String)) {
      if (!writable.some((place) => leadsThrough(path.resolve(root, folder), place))) continue;
      throw new ToolError(
        "CONFIG_INVALID",
        `tools.packs.${name}.readable: ${folder} lies in the workspace, or a link there leads to it, so programs could replace it. Leave it out, since programs see the workspace anyway, or name a folder outside of it.`,
      );
    }
  }
}

/** Whether a path, or a link on the way to what it names, lies in a folder, of which the real path is given. */
function leadsThrough(file: string, folder: string): boolean {
  const { root } = path.parse(file);
  let at = root;
  let rest = path.relative(root, file).split(path.sep);
  for (let links = 0; rest.length > 0;) {
    const [name = "", ...further] = rest;
    const place = path.join(at, name);
    if (isInside(folder, place)) return true;
    const target = linkAt(place);
    if (target !== undefined && (links += 1) > maxLinks) return true;
    at = target === undefined ? place : root;
    rest = target === undefined ? further : [...path.relative(root, path.resolve(path.dirname(place), target)).split(path.sep), ...further];
  }
  return false;
}

const maxLinks = 40;

function linkAt(place: string): string | undefined {
  try {
    return readlinkSync(place);
  } catch {
    return undefined;
  }
}

function canChangeFiles(packs: PacksConfig = {}): boolean {
  return [packs.files, packs.code, packs.runtime].some((pack) => pack !== undefined && pack !== false);
}

/** Where a module lies; a package that is not installed lies nowhere. */
function placeOf(specifier: string, folder: string): string {
  try {
    return findModule(specifier, folder);
  } catch {
    return path.parse(folder).root;
  }
}

const separators = /[\s=,;'"()|&<>]+/;
