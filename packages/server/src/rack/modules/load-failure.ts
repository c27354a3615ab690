import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { decodeUri } from "@toolrack/core/internal";
import { isTypeScript } from "../../javascript/allow-typescript.ts";
import { withImports } from "./imported-files.ts";

/**
 * Why a module could not be loaded: where in its file, if that can be found, and the message. `file` is the file of the module, `folder` the
 * folder of the configuration. "broken.mjs:3:7 ReferenceError: tool is not defined"
 */
export async function loadFailure(error: unknown, file: string, folder: string): Promise<string> {
  if (!(error instanceof Error)) return String(error).slice(0, longest);
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" && syscall === "stat") return `there is no file ${path.relative(folder, file)}.`;
  const text = (error.message.split("\n", 1)[0] ?? "").slice(0, longest);
  const fact = (error.name === "Error" || code !== undefined ? text : `${error.name}: ${text}`) + hintOf(text, code);
  const place = placeOfImport(text, file, folder) ?? placeIn(String(error.stack ?? ""), file, folder);
  if (place !== undefined) return `${place} ${fact}`;
  return error.name === "SyntaxError" ? await findSyntaxFault(file, folder, fact) : fact;
}

/** What to do about it. */
function hintOf(text: string, code: string | undefined): string {
  if (code === "ERR_UNKNOWN_FILE_EXTENSION")
    return ". A JavaScript module cannot import TypeScript here: name a .ts file in tools.modules, or compile this one.";
  return code === "ERR_MODULE_NOT_FOUND" && text.startsWith("Cannot find package") ? ". Install it: npm install" : "";
}

/** The first broken file of a module and of the files beside it that it imports: "a.mjs:2 SyntaxError: …". */
async function findSyntaxFault(file: string, folder: string, fact: string): Promise<string> {
  for (const next of withImports(file)) {
    if (isTypeScript(next)) {
      const { findTypeScriptFault } = await import("../../javascript/typescript-fault.ts");
      const fault = await findTypeScriptFault(next);
      if (fault !== undefined) return `${toPlace(next, folder, fault.line, fault.column)} ${fault.message}`;
    } else {
      const printed = await checkSyntax(next);
      if (printed !== undefined) return `${placeIn(printed, next, folder) ?? path.relative(folder, next)} ${fact}`;
    }
  }
  return `in a file that it imports: ${fact}`;
}

/**
 * Where a file imports what is not there: Node names no line, or that of the JavaScript which a TypeScript file became.
 * "Cannot find package 'zod' imported from /srv/a.mjs", "The requested module './b.ts' does not provide an export named 'c'"
 */
function placeOfImport(text: string, file: string, folder: string): string | undefined {
  const [, missing, by] = /^Cannot find (?:module|package) '(.+?)' imported from (.+?)$/.exec(text) ?? [];
  const [, other] = isTypeScript(file) ? (/^The requested module '(.+?)' does not provide an export/.exec(text) ?? []) : [];
  const importer = by === undefined ? file : by.replace(/^file:\/\//, "").replace(/\?.*$/, "");
  const name = other ?? (missing === undefined ? undefined : path.isAbsolute(missing) ? path.parse(missing).name : missing);
  if (name === undefined || !statSync(importer, quietly)?.isFile()) return undefined;
  const line = readFileSync(importer, "utf8")
    .split("\n")
    .findIndex((one) => /["']/.test(one) && /\b(from|import|require)\b/.test(one) && one.includes(name));
  return line < 0 ? undefined : toPlace(importer, folder, line + 1);
}

/** Node keeps the position of a syntax error to itself, and prints it when it checks the file: "/srv/a.mjs:2" is the first line. */
function checkSyntax(file: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(process.execPath, ["--check", file], { env: {}, timeout: 10_000 }, (error, _, printed) =>
      resolve(error === null ? undefined : (printed.split("\n", 1)[0] ?? "")),
    );
  });
}

const quietly = { throwIfNoEntry: false } as const;
const longest = 1_000;

/** "file:///srv/tools/a.mjs?changed=1:3:7" or "/srv/tools/a.cjs:3", at the beginning of a line or within a line of a stack trace. */
const location = /(?:file:\/\/|(?<![\w:/]))((?:\/|[A-Za-z]:[\\/])[^\n()?]*?)(?:\?[^\s():]*)?:(\d+)(?::(\d+))?(?=[\s)]|$)/g;

/** The first position in the module's own file, else in one that is not installed: a file that the module imports may be the broken one. */
function placeIn(stack: string, file: string, folder: string): string | undefined {
  const own = [file, pathToFileURL(file).pathname];
  const places = [...stack.slice(0, 20_000).matchAll(location)];
  const found = places.find(([, at]) => own.includes(at!)) ?? places.find(([, at]) => !at!.includes("/node_modules/")) ?? places[0];
  if (found === undefined) return undefined;
  const [, at, line, column] = found;
  return toPlace(decodeUri(at!), folder, line!, column);
}

function toPlace(file: string, folder: string, line: number | string, column?: number | string): string {
  const relative = path.relative(folder, file);
  return [relative.startsWith("..") ? file : relative, line, ...(column === undefined ? [] : [column])].join(":");
}
