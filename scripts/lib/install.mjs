import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { runNpm } from "./run.mjs";

/**
 * Whether `node_modules` of a folder is missing or differs from the folder's package-lock.json.
 * A stamp with the lock's hash answers at once; without it npm's own list of what it installed is compared, so that an
 * installation made by hand counts too.
 */
export function isInstallStale(folder) {
  const lock = readText(join(folder, "package-lock.json"));
  if (lock === undefined || !existsSync(join(folder, "node_modules"))) return true;
  if (readText(stampPath(folder)) === hash(lock)) return false;
  const installed = readText(join(folder, "node_modules", ".package-lock.json"));
  if (installed === undefined || !isInstalled(JSON.parse(lock).packages, JSON.parse(installed).packages)) return true;
  writeStamp(folder);
  return false;
}

/** Installs exactly what package-lock.json says; without a lock it lets npm choose, and write one. */
export async function install(folder, args = []) {
  const command = existsSync(join(folder, "package-lock.json")) ? "ci" : "install";
  const result = await runNpm([command, "--no-audit", "--no-fund", ...args], { cwd: folder });
  if (result.code === 0) writeStamp(folder);
  return result;
}

/** Optional packages may be absent: they are those of other platforms. */
function isInstalled(wanted, installed) {
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    const found = installed[path];
    // A package of the workspace is there; its commands are links that npm made.
    if (!path.includes("node_modules/")) return isDeepStrictEqual(found?.bin, entry.bin);
    if (found === undefined) return entry.optional === true;
    return found.version === entry.version && found.link === entry.link;
  });
}

function writeStamp(folder) {
  writeFileSync(stampPath(folder), hash(readFileSync(join(folder, "package-lock.json"), "utf8")));
}

const stampPath = (folder) => join(folder, "node_modules", ".toolrack-lock");

const hash = (text) => createHash("sha256").update(text).digest("hex");

function readText(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
