import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Loads a package at the moment it is first needed, so that importing the library stays cheap. */
export function loadPackage<Module>(name: string): Module {
  return require(name) as Module;
}
