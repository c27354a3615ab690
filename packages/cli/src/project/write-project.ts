import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { shellWord } from "@toolrack/core/internal/shell-word";
import { CommandError, fileFault } from "../errors.ts";
import { packedFiles } from "./packed.ts";
import { projectFiles, projectPackages, projectScripts, projectStarter } from "./project.ts";

export interface WrittenProject {
  /** Names of files, in the order in which they were written. */
  readonly written: readonly string[];
  /** Files that were there, with what to do about them. */
  readonly kept: readonly { readonly name: string; readonly note: string }[];
  /** Commands for what a package.json that was kept lacks. */
  readonly commands: readonly string[];
  /** Whether its packages have to be installed first. */
  readonly mustInstall: boolean;
}

/** Writes a project into a folder. Files that are there are kept, unless `overwrites`; links always are. */
export async function writeProject(folder: string, { overwrites }: { readonly overwrites: boolean }): Promise<WrittenProject> {
  const { starterConfig } = await import("@toolrack/server");
  makeFolder(folder);
  const written: string[] = [];
  const kept: { name: string; note: string }[] = [];
  const commands: string[] = [];
  for (const file of projectFiles(folder, starterConfig(projectStarter))) {
    const place = path.join(folder, file.name);
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (found === undefined) writeFileSync(place, file.text, { flag: "wx" });
    else if (!overwrites || !found.isFile()) {
      if (file.name === "package.json") commands.push(...missingIn(place));
      kept.push({
        name: file.name,
        note: file.name === "package.json" && commands.length > 0 ? "It lacks what the commands below add." : (file.whenKept ?? ""),
      });
      continue;
    } else if (file.name === "package.json") writeFileSync(place, withScripts(place));
    else writeFileSync(place, file.text);
    written.push(file.name);
  }
  return { written, kept, commands, mustInstall: mustInstall(folder, written) };
}

/** A project whose packages are in a folder above it needs none of its own, unless its package.json names packed files: then it is complete with them. */
function mustInstall(place: string, written: readonly string[]): boolean {
  const has = (folders: readonly string[]): boolean =>
    projectPackages.every((name) => folders.some((folder) => existsSync(path.join(folder, name))));
  if (written.includes("package.json") && packedFiles(projectPackages).size > 0) return !has([path.join(place, "node_modules")]);
  return !has(createRequire(path.join(place, "package.json")).resolve.paths("toolrack") ?? []);
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const fact = code === "EEXIST" || code === "ENOTDIR" ? "it is not a folder. Choose another name" : message;
    throw new CommandError("failed", `${folder} cannot be made a project: ${fact}.`);
  }
}

/** Commands that add what a project needs and its package.json does not have. All where it cannot be read: it is kept, whatever it holds. */
function missingIn(place: string): readonly string[] {
  const { scripts = {}, dependencies = {}, devDependencies = {} } = readable(place);
  const packages = projectPackages.filter((name) => !Object.hasOwn({ ...devDependencies, ...dependencies }, name));
  const packed = packedFiles(projectPackages);
  const words = Object.entries(projectScripts)
    .filter(([script]) => !Object.hasOwn(scripts, script))
    .map(([script, line]) => `scripts.${script}="${line}"`);
  return [
    ...(packages.length === 0 ? [] : [`npm install ${packages.map((name) => shellWord(packed.get(name) ?? name)).join(" ")}`]),
    ...(words.length === 0 ? [] : [`npm pkg set ${words.join(" ")}`]),
  ];
}

function readable(place: string): Manifest {
  try {
    return readManifest(place);
  } catch {
    return {};
  }
}

/** The same package.json with our scripts: what else it has, such as dependencies, is never replaced. */
function withScripts(place: string): string {
  const manifest = readManifest(place);
  return `${JSON.stringify({ ...manifest, scripts: { ...manifest.scripts, ...projectScripts } }, null, 2)}\n`;
}

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function readManifest(place: string): Manifest {
  try {
    return JSON.parse(readFileSync(place, "utf8")) as Manifest;
  } catch (error) {
    throw new CommandError("failed", `${place} cannot be read: ${fileFault(error)}. Correct it, then run the command again.`);
  }
}
