import { createRequire, register } from "node:module";

let isAllowed = false;

/** Lets this process import TypeScript, whatever its version of Node: types are removed when a file is loaded, and nothing checks them. */
export function allowTypeScript(): void {
  if (isAllowed) return;
  isAllowed = true;
  const compiler = createRequire(import.meta.url).resolve("@swc/wasm-typescript");
  register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: { compiler } });
}

/** Runs in a thread of Node's own. "./a.js" and "./a" of a TypeScript file may mean "./a.ts", as for its compiler. */
const hooks = `
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const isTypeScript = (url = "") => /^file:.*[.]m?ts([?#]|$)/.test(url);
let transform;

export function initialize({ compiler }) {
  transform = createRequire(compiler)(compiler).transformSync;
}

export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context);
  } catch (error) {
    if (!isTypeScript(context.parentURL) || !/^[.][.]?[/]/.test(specifier)) throw error;
    const other = /[.]m?js$/.test(specifier) ? specifier.replace(/js$/, "ts") : specifier + ".ts";
    return next(other, context).catch(() => {
      throw error;
    });
  }
}

export async function load(url, context, next) {
  if (!isTypeScript(url)) return next(url, context);
  try {
    const { code } = transform(readFileSync(fileURLToPath(url), "utf8"), { mode: "transform", module: true });
    return { format: "module", source: code, shortCircuit: true };
  } catch (fault) {
    if (fault instanceof Error) throw fault;
    const error = new SyntaxError(fault.message);
    error.stack = "SyntaxError: " + fault.message + "\\n    at " + url + ":" + fault.startLine + ":" + (fault.startColumn + 1);
    throw error;
  }
}
`;
