import { statSync } from "node:fs";
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
    if (!/^(\.|\/)/.test(specifier) || !holds(findModule(specifier, folder))) continue;
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
      const candidates = [command.includes("/") ? path.resolve(home, command) : undefined, ...args.map((arg) => path.resolve(start, arg))];
      const found = candidates.find((file) => file !== undefined && isFile(file) && holds(file));
      if (found === undefined) return undefined;
      return `sources.${id} starts ${path.basename(found)}, which lies in the workspace, where agents may change it. Move it, or set workspace to a folder of its own, such as ./workspace.`;
    },
  };
}

function canChangeFiles(packs: PacksConfig = {}): boolean {
  return [packs.files, packs.code, packs.runtime].some((pack) => pack !== undefined && pack !== false);
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}
