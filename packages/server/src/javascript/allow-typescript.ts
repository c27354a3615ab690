import { realpathSync } from "node:fs";
import { createRequire, register } from "node:module";
import { ToolError } from "@toolrack/core";

let isAllowed = false;

/**
 * Lets this process import TypeScript, whatever its version of Node: types are removed when a file is loaded, and nothing checks them. Stack
 * traces show the lines of the files as they were written.
 */
export function allowTypeScript(): void {
  if (isAllowed) return;
  // The thread of the hooks ends without a word in such a folder, and Node waits for it for ever, deaf to signals.
  if (!isInFolder())
    throw new ToolError("SOURCE_FAILED", `The working folder ${process.cwd()} was removed. Start this from a folder that exists.`);
  isAllowed = true;
  process.setSourceMapsEnabled(true);
  register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: { compiler: findCompiler() } });
}

/** Asks the system: Node remembers the path, at which another folder may have been made since. */
function isInFolder(): boolean {
  try {
    realpathSync.native(".");
    return true;
  } catch (error) {
    // Whoever may not look at the folders above is still in one.
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}

/** The file of the compiler. */
export function findCompiler(): string {
  return createRequire(import.meta.url).resolve("@swc/wasm-typescript");
}

export function isTypeScript(file: string): boolean {
  return /\.m?ts$/.test(file);
}

/** The parameter of a module's URL by which it is loaded anew together with the files that it imports by a relative path. */
export const reloadParameter = "reload";

/** Enums and parameter properties become JavaScript; imports of types alone are left out. */
export const transformOptions = { mode: "transform", module: true, sourceMap: true } as const;

/** Runs in a thread of Node's own. "./a.js" and "./a" of a TypeScript file may mean "./a.ts", as for its compiler. */
const hooks = `
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const isTypeScript = (url = "") => /^file:.*[.]m?ts([?#]|$)/.test(url);
const isRelative = (specifier) => /^[.][.]?[/]/.test(specifier);
let compiler, transform;

export function initialize(data) {
  compiler = data.compiler;
}

export async function resolve(specifier, context, next) {
  const found = await find(specifier, context, next);
  const reload = isRelative(specifier) ? /[?&](${reloadParameter}=[0-9]+)/.exec(context.parentURL) : null;
  return reload !== null && /^file:[^?#]*$/.test(found.url) ? { ...found, url: found.url + "?" + reload[1] } : found;
}

async function find(specifier, context, next) {
  try {
    return await next(specifier, context);
  } catch (error) {
    if (!isTypeScript(context.parentURL) || !isRelative(specifier)) throw error;
    const other = /[.]m?js$/.test(specifier) ? specifier.replace(/js$/, "ts") : specifier + ".ts";
    return next(other, context).catch(() => {
      throw error;
    });
  }
}

export async function load(url, context, next) {
  if (!isTypeScript(url)) return next(url, context);
  transform ??= createRequire(compiler)(compiler).transformSync;
  const text = readFileSync(fileURLToPath(url), "utf8");
  try {
    const { code, map } = transform(text, { ...${JSON.stringify(transformOptions)}, filename: url.replace(/[?#].*/, "") });
    const source = code + "\\n//# sourceMappingURL=data:application/json;base64," + Buffer.from(map).toString("base64");
    return { format: "module", source, shortCircuit: true };
  } catch (fault) {
    if (fault instanceof Error) throw fault;
    const error = new SyntaxError(fault.message);
    error.stack = "SyntaxError: " + fault.message + "\\n    at " + url + ":" + fault.startLine + ":" + (fault.startColumn + 1);
    throw error;
  }
}
`;
