import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { ToolInputError } from "@toolrack/core";
import { isProgram } from "@toolrack/core/internal";
import type { Mount } from "./mount.ts";
import { ProcessFault } from "./processes.ts";
import { isShown } from "./sandbox.ts";

/** Checks before a sandbox is created whether the program can start in it: it exists, is executable, and is visible. */
export function requireProgram(program: string, cwd: string, path: string | undefined, mounts: readonly Mount[]): void {
  if (/\0/.test(program)) throw new ProcessFault("EINVAL", program);
  const candidates = program.includes("/")
    ? [resolve(cwd, program)]
    : (path ?? usualPath).split(":").map((folder) => resolve(cwd, folder, program));
  const found = candidates.flatMap((candidate) => {
    const real = realFile(candidate);
    return real === undefined ? [] : [real];
  });
  const shown = found.filter((file) => isShown(file, mounts));
  if (shown.some(isProgram)) return;
  if (shown.length > 0) throw new ProcessFault("EACCES", program);
  if (!found.some(isProgram)) throw new ProcessFault("ENOENT", program);
  throw new ToolInputError(
    `The program ${JSON.stringify(program.slice(0, 200))} is installed in a folder that isolated programs do not see. The operator can add that folder to "readable" of the pack.`,
  );
}

/** Where a program is looked for while no PATH is set. */
const usualPath = "/usr/local/bin:/usr/bin:/bin";

function realFile(file: string): string | undefined {
  try {
    const real = realpathSync(file);
    return statSync(real).isFile() ? real : undefined;
  } catch {
    return undefined;
  }
}
