import { createRequire } from "node:module";
import path from "node:path";

/** The file behind a module that a configuration names: "./my-tools.js", or a package. Throws for a package that is not installed. */
export function findModule(specifier: string, folder: string): string {
  const isFile = specifier.startsWith(".") || path.isAbsolute(specifier);
  return isFile ? path.resolve(folder, specifier) : createRequire(path.join(folder, "_")).resolve(specifier);
}
