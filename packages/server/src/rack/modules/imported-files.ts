import { readFileSync, statSync } from "node:fs";
import path from "node:path";

/**
 * A file, and the files that it and they import by a relative path, at most `mostFiles`. They are read as text, since a file that cannot be run
 * has to be followed, too: a path in a comment counts.
 */
export function withImports(file: string): ReadonlySet<string> {
  const files = new Set([file]);
  for (const next of files) for (const imported of importsOf(next)) if (files.size < mostFiles) files.add(imported);
  return files;
}

const mostFiles = 100;
const isSource = /\.[cm]?[jt]s$/;

function importsOf(file: string): readonly string[] {
  if (!isSource.test(file) || !isFile(file)) return [];
  const text = readFileSync(file, "utf8");
  const paths = [...text.matchAll(/(?:from|import|require)\s*\(?\s*["'](\.{1,2}\/[^"'\n]+)["']/g)];
  return paths.flatMap(([, relative]) => {
    const named = path.resolve(path.dirname(file), relative!);
    // "./a.js" and "./a" of a TypeScript file may mean "./a.ts".
    const found = [named, named.replace(/js$/, "ts"), `${named}.ts`].find(isFile);
    return found === undefined ? [] : [found];
  });
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
