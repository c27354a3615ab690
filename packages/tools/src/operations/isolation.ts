import { spawnSync } from "node:child_process";
import { accessSync, closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ToolError } from "@toolrack/core";
import { bubblewrap } from "./bubblewrap.ts";
import type { Isolation } from "./isolated.ts";
import { systemMounts } from "./sandbox.ts";
import { unshare } from "./unshare.ts";

/** How programs of this machine are isolated, or why they cannot be. */
export type IsolationState =
  | { readonly kind: "bubblewrap" | "unshare"; readonly isolation: Isolation }
  | { readonly kind: "none"; readonly problem: string };

/** Looks once for something that isolates programs and works here: bubblewrap, else unshare; or only for the one that is named. */
export function findIsolation(wanted?: Isolation["kind"]): IsolationState {
  const known = found.get(wanted) ?? tryAll([bubblewrap, unshare].filter(({ kind }) => wanted === undefined || kind === wanted));
  found.set(wanted, known);
  return known;
}

const found = new Map<Isolation["kind"] | undefined, IsolationState>();

/** The refusal of a program that nothing isolates. */
export function notIsolated(problem: string): ToolError {
  return new ToolError("TOOL_UNAVAILABLE", `Programs are not run here, because nothing isolates them: ${problem} ${isolationRemedy}`);
}

export const isolationRemedy: string =
  "Install bubblewrap (the package bubblewrap of most Linux distributions), or set unconfined: true for this pack to let programs do whatever the server's user may do.";

function tryAll(isolations: readonly Isolation[]): IsolationState {
  if (process.platform !== "linux") return { kind: "none", problem: `isolation needs Linux, and this is ${process.platform}.` };
  const problems: string[] = [];
  for (const isolation of isolations) {
    const problem = tryOne(isolation);
    if (problem === undefined) return { kind: isolation.kind, isolation };
    problems.push(problem);
  }
  return { kind: "none", problem: `${problems.join("; ")}.` };
}

function tryOne({ kind, program, wrap }: Isolation): string | undefined {
  try {
    accessSync(program, constants.X_OK);
  } catch {
    return `${kind} is not installed`;
  }
  const shell = { program: "/bin/sh", args: ["-c", ":"], cwd: "/", env: {}, network: false };
  const { args, setup, filter } = wrap({ ...shell, mounts: systemMounts(), setupFd: 0 });
  const filterFd = filter && holdBytes(filter);
  const { status, stderr, error } = spawnSync(program, args, {
    env: {},
    input: setup,
    stdio: ["pipe", "ignore", "pipe", "ignore", "pipe", filterFd ?? "ignore"],
    encoding: "utf8",
    timeout: 10_000,
  });
  if (filterFd !== undefined) closeSync(filterFd);
  if (status === 0) return undefined;
  const words = (error?.message ?? stderr).trim().split("\n")[0] ?? "";
  return `${kind} does not work here (${words.slice(0, 200) || `exit code ${status}`})`;
}

/** A descriptor from which a program reads these bytes: that of a file without a name. */
function holdBytes(bytes: Uint8Array): number {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-"));
  try {
    const path = join(folder, "bytes");
    writeFileSync(path, bytes);
    return openSync(path, "r");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
