import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isInside, realPlace } from "@toolrack/core/internal";
import type { WritableFolder } from "./writable.ts";

/**
 * The code of this server that lies in or around folders that tools write to: its packages, the command that started it, and every
 * node_modules that it loads from. Absolute paths, none inside another.
 */
export function listRunningCode(folder: string, writable: readonly WritableFolder[]): readonly string[] {
  const own = fileURLToPath(import.meta.url);
  // The started program may belong to the project; npm's link to the command lies in node_modules.
  const started = process.argv[1] === undefined ? [] : [process.argv[1], realPlace(process.argv[1])];
  const loaded = [own, ...started].flatMap(modulesAround);
  // The command that the next start in this folder would use, even if it is installed elsewhere now.
  const next = [".bin/toolrack", ".bin/toolrack.cmd", "toolrack", "@toolrack"].map((name) => path.join(folder, "node_modules", name));
  const packages = [...packageAround(own), ...loaded.flatMap(packagesIn)];
  const reachable = [...new Set([...loaded, ...packages, ...started, ...next])].filter((code) => {
    const real = realPlace(code);
    return writable.some((location) => [code, real].some((at) => isInside(location.folder, at) || isInside(at, location.folder)));
  });
  return reachable.filter((code) => !reachable.some((other) => other !== code && isInside(other, code)));
}

/** Every node_modules that Node searches for a file, also missing ones: a new one would be searched first. */
function modulesAround(file: string): readonly string[] {
  const found: string[] = [];
  for (let at = path.dirname(file); ; at = path.dirname(at)) {
    found.push(path.basename(at) === "node_modules" ? at : path.join(at, "node_modules"));
    if (path.dirname(at) === at) return [...new Set(found)];
  }
}

/** The package that a file belongs to. */
function packageAround(file: string): readonly string[] {
  for (let at = path.dirname(file); path.dirname(at) !== at; at = path.dirname(at))
    if (existsSync(path.join(at, "package.json"))) return [at];
  return [];
}

/** The real paths of the Toolrack packages in a node_modules, which may be links. */
function packagesIn(modules: string): readonly string[] {
  const scoped = namesIn(path.join(modules, "@toolrack")).map((name) => path.join("@toolrack", name));
  return ["toolrack", ...scoped]
    .map((name) => path.join(modules, name))
    .flatMap((location) => (existsSync(location) ? [realPlace(location)] : []));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The warning for an operator whose tools can write around the code of the server. */
export function warningOfRunningCode(code: readonly string[]): string | undefined {
  const there = code.filter((location) => existsSync(location));
  if (there.length === 0) return undefined;
  const more = there.length > 3 ? ` and ${there.length - 3} more` : "";
  return `The workspace, or the folder of a pack, contains the code of this server: ${there.slice(0, 3).join(", ")}${more}. Tools neither see nor change it, and programs are not run there. Set workspace to a folder of its own, such as ./workspace.`;
}
