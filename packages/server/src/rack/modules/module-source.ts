import type { ToolSource } from "@toolrack/core";
import { moduleSourceId } from "./loaded-modules.ts";
import { readModule } from "./read-module.ts";

/**
 * Tools from a module of the configuration. A module that cannot be loaded is a source that failed, and affects no other; refreshing the
 * source loads it anew where its file changed.
 */
export function moduleSource(specifier: string, folder: string): ToolSource {
  return {
    id: moduleSourceId(specifier),
    list: async () => (await readModule(specifier, folder)).tools ?? [],
  };
}
