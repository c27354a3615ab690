import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { type AnyTool, ToolError, type ToolSource } from "@toolrack/core";
import { findModule } from "./find-module.ts";
import { importModule } from "./import-module.ts";

/**
 * Tools from a module of the configuration: its default export, or what it exports as `tools`. A module that cannot be loaded is a source
 * that failed, and harms no other; refreshing the source loads it anew where its file changed.
 */
export function moduleSource(specifier: string, folder: string): ToolSource {
  return {
    id: `module:${specifier}`,
    async list() {
      const file = findModule(specifier, folder);
      const url = pathToFileURL(file);
      url.searchParams.set("changed", String(statSync(file).mtimeMs));
      const { default: main, tools = main } = await importModule(url.href);
      const list: unknown = Array.isArray(tools) ? tools : [tools];
      if (tools === undefined || tools === null)
        throw new ToolError("PLUGIN_INVALID", `The module "${specifier}" exports no tools. Export a tool, or a list of tools, as default.`);
      return list as readonly AnyTool[];
    },
  };
}
