import path from "node:path";
import { fileURLToPath } from "node:url";
import type { SourceConfig } from "../../config/config.ts";
import { loadingVariable } from "../../config/checks/loading-variables.ts";

/** A part of a source that may name a file or a folder. */
export interface SourcePath {
  /** "command", "args.0", "env.PATH" */
  readonly key: string;
  readonly path: string;
}

/**
 * Every path that the command, the arguments and the variables of a source may name, whether it exists or not: also "--import=file:///a.mjs",
 * "-I/lib", "a:b" and the words of a shell line. Words that are not paths may be included; they do no harm.
 */
export function listSourcePaths({ command = "", args = [], env = {} }: SourceConfig, home: string, start: string): readonly SourcePath[] {
  const named = (key: string, words: readonly string[]): readonly SourcePath[] =>
    words.map((word) => ({ key, path: path.resolve(start, word) }));
  return [
    ...(/[\\/]/.test(command) ? [{ key: "command", path: path.resolve(home, command) }, ...named("command", [command])] : []),
    ...args.flatMap((arg, index) => named(`args.${index}`, wordsOf(arg))),
    ...Object.entries(env).flatMap(([name, value]) =>
      named(
        `env.${name}`,
        wordsOf(value).filter((word) => loadingVariable.test(name) || /[\\/]/.test(word)),
      ),
    ),
  ];
}

/** The folders that are searched for a program name without a folder. An empty entry is the working directory. */
export function listSearchPath({ command = "", env = {} }: SourceConfig, start: string): readonly SourcePath[] {
  const [key, value] = env["PATH"] === undefined ? ["PATH", process.env["PATH"] ?? ""] : ["env.PATH", env["PATH"]];
  const folders = value.split(path.delimiter).map((entry) => path.resolve(start, entry));
  // The program may be a link to another folder.
  const programs = command === "" || /[\\/]/.test(command) ? [] : folders.map((folder) => path.join(folder, command));
  return [...folders, ...programs].map((found) => ({ key, path: found }));
}

/** Whether a shell gets its commands as text, which cannot be analysed: it may change its folder and build paths. */
export function hasShellLine({ command = "", args = [] }: SourceConfig): boolean {
  // "env -S" takes its words as one text.
  const words = [command, ...args.flatMap((arg) => arg.split(/\s+/))];
  return words.some((word, index) => {
    const options = words.slice(index + 1);
    if (shells.test(path.basename(word))) return options.some((option) => /^-[a-z]*c[a-z]*$/i.test(option));
    return packageRunners.test(path.basename(word)) && options.some((option) => /^(?:-c|--call(?:=.*)?|--shell-mode)$/.test(option));
  });
}

const shells = /^(?:sh|bash|dash|ash|zsh|ksh|mksh|fish|csh|tcsh|busybox|cmd|powershell|pwsh)(?:\.exe)?$/i;
const packageRunners = /^(?:npx|npm|pnpm|pnpx|bunx)(?:\.cmd|\.exe)?$/i;
const separators = /[\s=,;'"`()|&<>]+/;

function wordsOf(text: string): readonly string[] {
  return [...wholesOf(text), ...text.split(separators)].flatMap((word) => {
    if (word === "") return [];
    const pieces = [word, decoded(word), ...word.split(":")];
    // An option with its value attached: -I/lib, -Ilib, -Wl,-rpath/lib
    if (word.startsWith("-")) pieces.push(word.slice(2), ...(word.includes("/") ? [word.slice(word.indexOf("/"))] : []));
    if (word.startsWith("@")) pieces.push(word.slice(1));
    // A module of Python: "folder.name"
    if (/^[\w.]+$/.test(word)) pieces.push(word.replaceAll(".", path.sep));
    return pieces.filter((piece) => piece !== "");
  });
}

/** File names may contain separators: the text itself, what follows its first "=", what is in quotes, "a\\ b". */
function wholesOf(text: string): readonly string[] {
  const quoted = [...text.matchAll(/"([^"]*)"|'([^']*)'|`([^`]*)`/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
  const wholes = [text, text.slice(text.indexOf("=") + 1), text.replaceAll("\\ ", " "), ...quoted];
  return wholes.flatMap((whole) => [whole, ...whole.split(path.delimiter)]);
}

/** "file:///a%20b.mjs" → "/a b.mjs" */
function decoded(word: string): string {
  try {
    return word.startsWith("file:") ? fileURLToPath(word) : decodeURIComponent(word);
  } catch {
    return word;
  }
}
