import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

/**
 * The packed files that this command and the packages beside it were installed from, by their names; none where they came from a registry or are in a
 * clone. npm writes them to its own list of what is installed.
 */
export function packedFiles(names: readonly string[]): ReadonlyMap<string, string> {
  const modules = path.resolve(path.dirname(createRequire(import.meta.url).resolve("toolrack/package.json")), "..");
  const installed = path.basename(modules) === "node_modules" ? readInstalled(path.join(modules, ".package-lock.json")) : {};
  const files = new Map<string, string>();
  for (const name of names) {
    const { resolved = "" } = installed[`node_modules/${name}`] ?? {};
    if (/^file:.*\.tgz$/.test(resolved)) files.set(name, path.resolve(modules, "..", resolved.slice("file:".length)));
  }
  return files.size === names.length ? files : new Map();
}

/** A file as a dependency of a project, as npm writes it: "file:../packed/toolrack-0.1.0.tgz". */
export function toFileDependency(file: string, project: string): string {
  return `file:${path.relative(project, file).replaceAll("\\", "/")}`;
}

function readInstalled(file: string): Readonly<Record<string, { readonly resolved?: string }>> {
  try {
    const { packages = {} } = JSON.parse(readFileSync(file, "utf8")) as {
      readonly packages?: Readonly<Record<string, { readonly resolved?: string }>>;
    };
    return packages;
  } catch {
    return {};
  }
}
