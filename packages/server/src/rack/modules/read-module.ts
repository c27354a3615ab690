import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { type AnyTool, ToolError } from "@toolrack/core";
import { findModule } from "./find-module.ts";
import { importModule } from "./import-module.ts";
import { isServerModule, type ServerModule } from "./module.ts";

/**
 * What a module of the configuration exports: a value of `defineModule`, or a tool or list of tools, as default or as `tools`. A file that
 * changed is loaded anew. Rejects where it cannot be loaded.
 */
export async function readModule(specifier: string, folder: string): Promise<ServerModule> {
  const file = findModule(specifier, folder);
  const url = pathToFileURL(file);
  url.searchParams.set("changed", String(statSync(file).mtimeMs));
  const { default: main, tools = main } = await importModule(url.href);
  if (isServerModule(main)) return main;
  if (tools === undefined || tools === null)
    throw new ToolError(
      "PLUGIN_INVALID",
      `The module "${specifier}" exports no tools. Export as default a tool, a list of tools, or the value of defineModule.`,
    );
  // The registry checks each tool, and leaves out alone what is none.
  return { tools: (Array.isArray(tools) ? tools : [tools]) as readonly AnyTool[] };
}
