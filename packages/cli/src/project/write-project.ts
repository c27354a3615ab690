import { lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { CommandError, fileFault } from "../errors.ts";
import { type ProjectFile, projectFiles, projectScripts, projectStarter } from "./project.ts";

export interface WrittenProject {
  /** Names of files, in the order in which they were written. */
  readonly written: readonly string[];
  /** Files that were there, with what to do about them. */
  readonly kept: readonly { readonly name: string; readonly note: string }[];
}

/** Writes a project into a folder. Files that are there are kept, unless `overwrites`; links always are. */
export async function writeProject(folder: string, { overwrites }: { readonly overwrites: boolean }): Promise<WrittenProject> {
  const { starterConfig } = await import("@toolrack/server");
  makeFolder(folder);
  const written: string[] = [];
  const kept: { name: string; note: string }[] = [];
  for (const file of projectFiles(path.basename(folder), starterConfig(projectStarter))) {
    const place = path.join(folder, file.name);
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (found === undefined) writeFileSync(place, file.text, { flag: "wx" });
    else if (!overwrites || !found.isFile()) {
      kept.push({ name: file.name, note: noteOf(file, place) });
      continue;
    } else if (file.name === "package.json") writeFileSync(place, withScripts(place));
    else writeFileSync(place, file.text);
    written.push(file.name);
  }
  return { written, kept };
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

/** What else is needed where a file is kept. */
function noteOf({ name, whenKept = "" }: ProjectFile, place: string): string {
  if (name !== "package.json") return whenKept;
  const scripts = readScripts(place);
  const missing = Object.entries(projectScripts).filter(([script]) => scripts[script] === undefined);
  if (missing.length === 0) return whenKept;
  const words = missing.map(([script, line]) => `scripts.${script}="${line}"`).join(" ");
  return `${whenKept}\n    and the scripts: npm pkg set ${words}`;
}

/** None where the file cannot be read: it is kept, whatever it holds. */
function readScripts(place: string): Readonly<Record<string, string>> {
  try {
    return readManifest(place).scripts ?? {};
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
}

function readManifest(place: string): Manifest {
  try {
    return JSON.parse(readFileSync(place, "utf8")) as Manifest;
  } catch (error) {
    throw new CommandError("failed", `${place} cannot be read: ${fileFault(error)}. Correct it, then run the command again.`);
  }
}
