import path from "node:path";
import { ToolError } from "@toolrack/core";
import { isInside, realPlace } from "@toolrack/core/internal";
import type { PacksConfig, RackConfig, SourceConfig } from "../config/config.ts";
import { findModule } from "./find-module.ts";

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
  const holds = (file: string): boolean => writable !== undefined && isInside(writable, realPlace(file));
  for (const specifier of config.tools?.modules ?? []) {
    if (!holds(placeOf(specifier, folder))) continue;
    throw new ToolError(
      "CONFIG_INVALID",
      `tools.modules: ${specifier} lies in the workspace ${root}, where agents may change it and what it imports. Move it, or set workspace to a folder of its own, such as ./workspace.`,
    );
  }
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
