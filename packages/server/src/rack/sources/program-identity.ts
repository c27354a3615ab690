import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { canonicalJson } from "@toolrack/core/internal";
import type { SourceConfig } from "../../config/config.ts";
import { loadingVariable } from "../../config/checks/loading-variables.ts";
import { findPackages } from "../../config/checks/unpinned-package.ts";
import { digestProgramFiles } from "./program-files.ts";

/** What a person agrees to when a program is to be started. */
export interface ProgramIdentity {
  readonly identity: string;
  /** The hash of each part that it is made of: "command", "arguments", "variables", "folder", "file ./server.mjs", "package some-server". */
  readonly parts: ProgramParts;
}

export type ProgramParts = Readonly<Record<string, string>>;

/** Two servers whose projects are in different folders, with the same files, have the same program. */
export function programIdentity(config: SourceConfig, folder: string): ProgramIdentity {
  const home = path.resolve(folder);
  const { command = "", args = [], env = {}, cwd } = config;
  const start = path.resolve(home, cwd ?? ".");
  const within = withinProject(home);
  const files = digestProgramFiles(config, { home, start });
  const parts = {
    command: hashOf(command.startsWith(".") ? ["", path.relative(home, path.resolve(home, command))] : within(command)),
    arguments: hashOf(args.map(within)),
    variables: hashOf(
      Object.keys(env)
        .sort()
        .map((name) => (loadingVariable.test(name) ? [name, within(env[name]!)] : [name])),
    ),
    folder: hashOf(cwd !== undefined && path.isAbsolute(cwd) ? within(start) : ["", path.relative(home, start)]),
    ...Object.fromEntries([...files].map(([file, digest]) => [`file ${file}`, digest])),
    ...Object.fromEntries(findPackages(config).map((spec) => [`package ${spec}`, hashOf(integrityOf(spec, [start, home]) ?? "")])),
  };
  return { identity: hashOf(parts), parts };
}

/** Whether two approvals are about one program, whatever its files contain. */
export function isSameProgram(one: ProgramParts, other: ProgramParts): boolean {
  return ["command", "arguments", "variables", "folder"].every((part) => one[part] === other[part]);
}

/** "arguments, file ./server.mjs" */
export function changedParts(before: ProgramParts, now: ProgramParts): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names.filter((name) => before[name] !== now[name]);
}

/** A text, cut where it names the project: "--import=/srv/a/x.mjs" → ["--import=", "x.mjs"]. */
function withinProject(home: string): (text: string) => readonly string[] {
  if (path.parse(home).root === home) return (text) => [text];
  const escaped = `${home}${path.sep}`.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const place = new RegExp(`(?<=^|[=:;,"'\\s]|file://)${escaped}`);
  return (text) => (text === home ? ["", ""] : text.split(place));
}

/** What the lock file of the project says of an npm package. */
function integrityOf(spec: string, folders: readonly string[]): string | undefined {
  const [, name, version] = /^(@?[^@]+)@v?(.+)$/.exec(spec) ?? [];
  if (name === undefined) return undefined;
  for (const folder of new Set(folders)) {
    const entry = readLock(path.join(folder, "package-lock.json"))?.[`node_modules/${name}`];
    if (entry?.version === version && typeof entry?.integrity === "string") return entry.integrity;
  }
  return undefined;
}

/** Larger lock files are not read. */
const maxLockBytes = 33_554_432;

type LockedPackages = Readonly<Record<string, { readonly version?: unknown; readonly integrity?: unknown } | undefined>>;

function readLock(file: string): LockedPackages | undefined {
  try {
    if (statSync(file).size > maxLockBytes) return undefined;
    return (JSON.parse(readFileSync(file, "utf8")) as { packages?: LockedPackages }).packages;
  } catch {
    return undefined;
  }
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}
