import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { listFiles } from "../lib/files.mjs";

const textFile = /\.(tsx?|mjs|js|json|md|sh|yml|css|html)$|^\.ci\//;

/** Every text file of the repository: `{ path, text, imports }`, the imports only where the code is TypeScript. */
export function readHouse(root) {
  const paths = listFiles(root).filter((path) => textFile.test(path) && !path.endsWith("package-lock.json"));
  const files = paths.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
  const platforms = new Map(files.flatMap(platformsOf));
  return files.map(({ path, text }) => ({ path, text, imports: /\.tsx?$/.test(path) ? readImports(path, text, platforms) : [] }));
}

/** What differs between runtimes, as it is in Node: packages/core/package.json → [["packages/core #platform", "packages/core/src/…"], …]. */
function platformsOf({ path, text }) {
  if (!/^packages\/[^/]+\/package\.json$/.test(path)) return [];
  const folder = posix.dirname(path);
  return Object.entries(JSON.parse(text).imports ?? {}).map(([name, { "toolrack-source": source }]) => [
    `${folder} ${name}`,
    posix.join(folder, source.node),
  ]);
}

/** `import a from "x"`, `export * from "x"`, `import "x"`: statements, which begin a line. */
const statement = /^(?:import|export)\s+(type\s)?(?:[\w$*{][\w$\s,{}*]*?\s*from\s*)?["']([^"'\n]+)["']/gm;

/** `import("x")`: anywhere, as an expression or in a type. */
const expression = /\bimport\(\s*["']([^"'\n]+)["']/g;

/** Reads the imports as text: `{ specifier, target, line, typeOnly }`, where `target` is the path that a relative one, or "#platform", leads to. */
export function readImports(path, text, platforms = new Map()) {
  const found = [];
  const add = (specifier, index, typeOnly) => {
    // How something looks belongs to the file that shows it.
    if (specifier.endsWith(".css")) return;
    const named = platforms.get(`${path.split("/", 2).join("/")} ${specifier}`);
    const target = specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : named;
    found.push({ specifier, target, line: lineAt(text, index), typeOnly });
  };
  for (const match of text.matchAll(statement)) add(match[2], match.index, match[1] !== undefined);
  for (const match of text.matchAll(expression)) if (!isInComment(text, match.index)) add(match[1], match.index, false);
  return found.sort((a, b) => a.line - b.line);
}

/** The line that holds this position, counted from 1. */
export function lineAt(text, index) {
  return text.slice(0, index).split("\n").length;
}

function isInComment(text, index) {
  const line = text.slice(text.lastIndexOf("\n", index - 1) + 1, index).trimStart();
  return line.startsWith("*") || line.startsWith("/*") || line.includes("//");
}
