import { statSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type AnyTool, ToolError } from "@toolrack/core";
import { isObject } from "@toolrack/core/internal";
import { allowTypeScript, isTypeScript, reloadParameter } from "../../javascript/allow-typescript.ts";
import { findModule } from "./find-module.ts";
import { importModule } from "./import-module.ts";
import { loadFailure } from "./load-failure.ts";
import { isServerModule, partNames, type ServerModule } from "./module.ts";

/**
 * What a module of the configuration exports: a value of `defineModule`, or a tool or list of tools, as default or as `tools`. A file that
 * changed is loaded anew. Rejects with PLUGIN_INVALID where it cannot be loaded.
 */
export async function readModule(specifier: string, folder: string, reloads?: number): Promise<ServerModule> {
  const exported = await loadModule(specifier, folder, reloads);
  const { default: main, tools = main } = exported;
  if (isServerModule(main)) return main;
  const unmarked = unmarkedParts(exported);
  if (unmarked.length > 0) {
    const parts = unmarked.join(", ");
    const next = `Write "export default defineModule({ ${parts} })", with defineModule from "@toolrack/server/module".`;
    throw new ToolError("PLUGIN_INVALID", `The module "${specifier}" exports ${parts} without defineModule. ${next}`);
  }
  if (typeof tools !== "object" || tools === null) {
    const names = Object.keys(exported).sort();
    const what = main !== undefined ? `a default of the type ${typeof main}` : names.length === 0 ? "nothing" : names.join(", ");
    const next = "Export as default a tool, a list of tools, or the value of defineModule.";
    throw new ToolError("PLUGIN_INVALID", `The module "${specifier}" exports no tools, but ${what}. ${next}`);
  }
  // The registry checks each tool, and leaves out alone what is none.
  return { tools: (Array.isArray(tools) ? tools : [tools]) as readonly AnyTool[] };
}

/**
 * What a module exports. A number of reloads above 0 loads the files that it imports anew, too. Rejects with PLUGIN_INVALID where it cannot
 * be loaded; the cause is what it threw.
 */
export async function loadModule(specifier: string, folder: string, reloads = 0): Promise<Readonly<Record<string, unknown>>> {
  const failed = (fact: string, cause: unknown): ToolError =>
    new ToolError("PLUGIN_INVALID", `The module "${specifier}" could not be loaded: ${fact}`, { cause });
  let file: string;
  try {
    file = findModule(specifier, folder);
  } catch (error) {
    throw failed(`no such package is installed in ${path.resolve(folder)}. Install it, or write "./" before the name of a file.`, error);
  }
  try {
    const url = pathToFileURL(file);
    url.searchParams.set("changed", String(statSync(file).mtimeMs));
    if (reloads > 0) url.searchParams.set(reloadParameter, String(reloads));
    if (isTypeScript(file)) allowTypeScript();
    return await importModule(url.href);
  } catch (error) {
    throw failed(await loadFailure(error, file, folder), error);
  }
}

/** The parts of a module in a default export, or in the exports of a file without one, that `defineModule` did not check. */
function unmarkedParts({ default: main, ...named }: Readonly<Record<string, unknown>>): readonly string[] {
  const value = main ?? named;
  // Tools have a name; modules have none.
  if (!isObject(value) || Object.hasOwn(value, "name")) return [];
  const found = partNames().filter((part) => Object.hasOwn(value, part) && Array.isArray(value[part]));
  // The export `tools` alone needs no defineModule.
  return main === undefined && found.length === 1 && found[0] === "tools" ? [] : found;
}
