import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { CommandError } from "../errors.ts";
import { templateFolder } from "./project.ts";

/** What files to deploy a server exist for. */
export const deployTargets: readonly string[] = ["systemd", "container", "kubernetes", "nginx", "caddy", "grafana", "prometheus"];

export interface WrittenFiles {
  /** Paths from the folder. */
  readonly written: readonly string[];
  /** Files that were there. */
  readonly kept: readonly string[];
}

/** Writes the files for one of `deployTargets` into `deploy/<target>` of the folder. Files that are there are kept, unless `overwrites`. */
export function writeDeployFiles(folder: string, target: string, { overwrites }: { readonly overwrites: boolean }): WrittenFiles {
  if (!deployTargets.includes(target))
    throw new CommandError("usage", `There are no files for "${target}". --deploy takes ${deployTargets.join(", ")}.`);
  const from = path.join(templateFolder(), "deploy", target);
  const written: string[] = [];
  const kept: string[] = [];
  mkdirSync(path.join(folder, "deploy", target), { recursive: true });
  for (const name of readdirSync(from).sort()) {
    const file = path.join("deploy", target, name);
    const found = lstatSync(path.join(folder, file), { throwIfNoEntry: false });
    if (found !== undefined && !(overwrites && found.isFile())) {
      kept.push(file);
      continue;
    }
    writeFileSync(path.join(folder, file), readFileSync(path.join(from, name)), { flag: found === undefined ? "wx" : "w" });
    written.push(file);
  }
  return { written, kept };
}
