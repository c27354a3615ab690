import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the repository. */
export const root = resolve(fileURLToPath(new URL("../..", import.meta.url)));

/** Folders that hold nothing written by hand. */
const madeFolders = new Set(["node_modules", "dist", ".build", ".git", "coverage"]);

/** Every file below `folder`, as paths with forward slashes relative to it, in a stable order; empty when there is no such folder. */
export function listFiles(folder, prefix = "") {
  const found = [];
  for (const entry of readFolder(join(folder, prefix))) {
    const path = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
    if (entry.isFile()) found.push(path);
    else if (entry.isDirectory() && !madeFolders.has(entry.name)) found.push(...listFiles(folder, path));
  }
  return found;
}

/** The names of the folders directly inside `folder`. */
export function listFolders(folder) {
  return readFolder(folder)
    .filter((entry) => entry.isDirectory() && !madeFolders.has(entry.name))
    .map((entry) => entry.name);
}

function readFolder(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
}
