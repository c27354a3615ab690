import path from "node:path";
import { ToolError } from "@toolrack/core";
import { isInside, realPlace } from "@toolrack/core/internal";
import type { PacksConfig, RackConfig, SourceConfig } from "../../config/config.ts";
import { projectFilesOf } from "../../config/openapi-source.ts";
import { findModule } from "../modules/find-module.ts";
import { findDocumentFault } from "./document-fault.ts";
import { hasShellLine, listSearchPath, listSourcePaths } from "./source-paths.ts";
import { findWritable, nameOfWritable, type WritableFolder } from "./writable.ts";

/** Makes sure that no code of the server lies in a folder in which agents can change files. */
export interface CodeGuard {
  /**
   * Why a source is not started: its program, arguments, variables or working directory lead into such a folder, or its document may not be
   * read.
   */
  sourceFault(id: string, source: SourceConfig): string | undefined;
}

export interface CodeGuardOptions {
  readonly config: RackConfig;
  /** The workspace. */
  readonly root: string;
  readonly writable: readonly WritableFolder[];
  /** Relative paths start here. */
  readonly folder: string;
  /** Files that no tool can reach. */
  readonly ownFiles: readonly string[];
}

/** Throws CONFIG_INVALID if a module lies in a folder that tools write to: an agent could change it, and so run code in the server. */
export function guardCode({ config, root, writable, folder, ownFiles }: CodeGuardOptions): CodeGuard {
  for (const specifier of config.tools?.modules ?? []) {
    const found = findWritable(placeOf(specifier, folder), writable);
    if (found === undefined) continue;
    throw new ToolError(
      "CONFIG_INVALID",
      `tools.modules: ${specifier} lies in ${nameOfWritable(found)}, where agents may change it and what it imports. ${remedyFor(found)}`,
    );
  }
  const { plugins } = config.tools ?? {};
  const pluginsIn = plugins && findWritable(path.resolve(folder, plugins.folder), writable);
  if (plugins !== undefined && pluginsIn !== undefined)
    throw new ToolError(
      "CONFIG_INVALID",
      `tools.plugins.folder: ${plugins.folder} lies in ${nameOfWritable(pluginsIn)}, where agents may change plugins. ${remedyFor(pluginsIn)}`,
    );
  const place = plugins === undefined ? undefined : realPlace(path.resolve(folder, plugins.folder));
  const within = place === undefined ? undefined : writable.find((one) => isInside(place, one.folder));
  if (plugins !== undefined && within !== undefined)
    throw new ToolError(
      "CONFIG_INVALID",
      `tools.plugins.folder: ${nameOfWritable(within)} lies in ${plugins.folder}, where agents could write a plugin, or what one imports. Give plugins a folder of their own, such as ./plugins.`,
    );
  refuseReadable(config.tools?.packs, root, writable);
  const isOwn = (file: string): boolean => ownFiles.some((own) => isInside(realPlace(own), realPlace(file)));
  return {
    sourceFault(id, source) {
      for (const { at, name } of projectFilesOf(source.openapi ?? {})) {
        const fault = findDocumentFault(["sources", id, "openapi", ...at].join("."), name, { folder, ownFiles, writable });
        if (fault !== undefined) return fault;
      }
      if (source.command === undefined || writable.length === 0) return undefined;
      const start = path.resolve(folder, source.cwd ?? ".");
      const startsIn = findWritable(start, writable);
      if (startsIn !== undefined)
        return `sources.${id}.cwd: ${source.cwd ?? "."} lies in ${nameOfWritable(startsIn)}, where agents may change what the program loads. Set cwd to another folder.`;
      const searched = listSearchPath(source, start).filter(({ path: entry }) => !isOwn(entry));
      for (const { key, path: file } of [...listSourcePaths(source, folder, start), ...searched]) {
        const found = findWritable(file, writable);
        if (found === undefined) continue;
        const where = key === "PATH" ? `the server's PATH, in which sources.${id} looks for programs` : `sources.${id}.${key}`;
        if (realPlace(file) === found.folder)
          return `${where}: names the folder of ${nameOfWritable(found)}, from which the program may load what agents wrote. Give it another folder.`;
        return `${where}: ${path.basename(file)} lies in ${nameOfWritable(found)}, where agents may change it. ${remedyFor(found)}`;
      }
      if (hasShellLine(source))
        return `sources.${id}.args: a shell line (-c) may run files that agents wrote, and nobody can tell from its text. Write the line into a script outside of the workspace, and set command to that script.`;
      return undefined;
    },
  };
}

function remedyFor({ key }: WritableFolder): string {
  return `Move it, or set ${key} to a folder that holds no code of the server.`;
}

/** Throws if a readable folder of programs lies in a folder that they write to: a program could replace it by a link to anywhere. */
function refuseReadable(packs: PacksConfig = {}, root: string, writable: readonly WritableFolder[]): void {
  for (const name of ["runtime", "code"] as const) {
    const pack = packs[name];
    if (typeof pack !== "object" || !Array.isArray(pack["readable"])) continue;
    for (const folder of pack["readable"].map(String)) {
      const found = findWritable(path.resolve(root, folder), writable);
      if (found === undefined) continue;
      throw new ToolError(
        "CONFIG_INVALID",
        `tools.packs.${name}.readable: ${folder} lies in ${nameOfWritable(found)}, or a link there leads to it, so programs could replace it. Leave it out, or name a folder in which no tool writes.`,
      );
    }
  }
}

/** The path of a module; for a package that is not installed, the path where it would be installed. */
function placeOf(specifier: string, folder: string): string {
  try {
    return findModule(specifier, folder);
  } catch {
    return path.join(folder, "node_modules", specifier);
  }
}
