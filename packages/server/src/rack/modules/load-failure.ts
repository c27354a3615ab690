import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { decodeUri } from "@toolrack/core/internal";

/**
 * Why a module could not be loaded: where in its file, if that can be found, and the message. `file` is the file of the module, `folder` the
 * folder of the configuration. "broken.mjs:3:7 ReferenceError: tool is not defined"
 */
export async function loadFailure(error: unknown, file: string, folder: string): Promise<string> {
  if (!(error instanceof Error)) return String(error).slice(0, longest);
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" && syscall === "stat") return `there is no file ${path.relative(folder, file)}.`;
  const text = (error.message.split("\n", 1)[0] ?? "").slice(0, longest);
  const fact = error.name === "Error" || code !== undefined ? text : `${error.name}: ${text}`;
  const place =
    placeIn(String(error.stack ?? ""), file, folder) ?? (error.name === "SyntaxError" ? await placeOfSyntax(file, folder) : undefined);
  return place === undefined ? fact : `${place} ${fact}`;
}

/** The first broken file of a module and of the files beside it that it imports: "a.mjs:2". */
async function placeOfSyntax(file: string, folder: string): Promise<string | undefined> {
  const files = new Set([file]);
  for (const next of files) {
    const printed = await checkSyntax(next);
    if (printed !== undefined) return placeIn(printed, next, folder);
    if (files.size < mostFiles) for (const imported of importsOf(next)) files.add(imported);
  }
  return "in a file that it imports:";
}

/** Node keeps the position of a syntax error to itself, and prints it when it checks the file: "/srv/a.mjs:2" is the first line. */
function checkSyntax(file: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(process.execPath, ["--check", file], { env: {}, timeout: 10_000 }, (error, _, printed) =>
      resolve(error === null ? undefined : (printed.split("\n", 1)[0] ?? "")),
    );
  });
}

/** The files that a file names by a relative path: of a file that cannot be run, an estimate is enough. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, "utf8");
  const paths = [...text.matchAll(/(?:from|import|require)\s*\(?\s*["'](\.{1,2}\/[^"'\n]+)["']/g)];
  return paths.map(([, relative]) => path.resolve(path.dirname(file), relative!)).filter((found) => statSync(found, quietly)?.isFile());
}

const quietly = { throwIfNoEntry: false } as const;
/** Each takes a program that starts and ends. */
const mostFiles = 50;
const longest = 1_000;

/** "file:///srv/tools/a.mjs?changed=1:3:7" or "/srv/tools/a.cjs:3", at the beginning of a line or within a line of a stack trace. */
const location = /(?:file:\/\/|(?<![\w:/]))((?:\/|[A-Za-z]:[\\/])[^\n()?]*?)(?:\?[^\s():]*)?:(\d+)(?::(\d+))?(?=[\s)]|$)/g;

/** The first position in the module's own file, else the first in any file: a file that the module imports may be the broken one. */
function placeIn(stack: string, file: string, folder: string): string | undefined {
  const own = [file, pathToFileURL(file).pathname];
  const places = [...stack.slice(0, 20_000).matchAll(location)];
  const found = places.find(([, at]) => own.includes(at!)) ?? places[0];
  if (found === undefined) return undefined;
  const [, at, line, column] = found;
  const relative = path.relative(folder, decodeUri(at!));
  return [relative.startsWith("..") ? decodeUri(at!) : relative, line, ...(column === undefined ? [] : [column])].join(":");
}
