import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Programs } from "./postgres-programs.ts";

/** Made folders are kept here, by programs, user and form. */
const kept = join(workspaceOf(fileURLToPath(import.meta.url)), "node_modules/.cache/toolrack/postgres");

/** The folder of the lock file: benchmarks bundle this file to another place. */
function workspaceOf(file: string): string {
  const folder = dirname(file);
  return existsSync(join(folder, "package-lock.json")) || folder === file ? folder : workspaceOf(folder);
}

/**
 * Makes an empty data folder a database cluster. `initdb` takes longer than a copy of what it made, so it runs once for each version of the
 * programs. A second process that makes the same at the same time loses nothing: the first to be ready is kept.
 */
export function fillData(data: string, programs: Programs, isSmall: boolean): void {
  if (process.platform === "win32") return initialize(data, programs, isSmall);
  const version = execFileSync(join(programs.folder, "postgres"), ["--version"], { ...programs.user, cwd: tmpdir(), encoding: "utf8" });
  const key = createHash("sha256")
    .update(JSON.stringify([programs.folder, version, programs.user, isSmall]))
    .digest("hex")
    .slice(0, 16);
  const template = join(kept, key);
  if (!existsSync(template)) keepTemplate(template, programs, isSmall);
  execFileSync("cp", ["-a", `${template}/.`, data]);
}

function keepTemplate(template: string, programs: Programs, isSmall: boolean): void {
  const made = mkdtempSync(join(tmpdir(), "toolrack-postgres-template-"));
  try {
    if (programs.user !== undefined) chownSync(made, programs.user.uid, programs.user.gid);
    initialize(made, programs, isSmall);
    mkdirSync(kept, { recursive: true });
    const copy = mkdtempSync(join(kept, "new-"));
    execFileSync("cp", ["-a", `${made}/.`, copy]);
    try {
      renameSync(copy, template);
    } catch (error) {
      rmSync(copy, { recursive: true, force: true });
      if (!existsSync(template)) throw error;
    }
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

function initialize(data: string, { folder, user }: Programs, isSmall: boolean): void {
  const options = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"];
  execFileSync(join(folder, "initdb"), [...options, ...(isSmall ? ["--wal-segsize=1"] : [])], {
    ...user,
    stdio: ["ignore", "ignore", "pipe"],
    cwd: data,
  });
}
