import { ToolError, type ToolSource } from "@toolrack/core";
import { type LoadedModules, moduleSourceId } from "./loaded-modules.ts";
import { suppliesOf } from "./module.ts";
import { readModule } from "./read-module.ts";
import type { Reloads } from "./reload-modules.ts";

/**
 * Tools from a module of the configuration. A module that cannot be loaded is a source that failed, and affects no other; refreshing the
 * source loads it anew where its file changed. Wrappers take effect when the server starts, so tools whose module has a further one by now
 * are not served without it.
 */
export function moduleSource(specifier: string, folder: string, { supplies }: LoadedModules, reloads?: Reloads): ToolSource {
  return {
    id: moduleSourceId(specifier),
    list: async () => {
      const module = await readModule(specifier, folder, reloads?.count);
      const inForce = supplies.get(specifier)?.wrappers ?? [];
      const missing = suppliesOf(module).wrappers.filter((name) => !inForce.includes(name));
      if (missing.length === 0) return module.tools ?? [];
      const names = missing.map((name) => `"${name}"`).join(", ");
      throw new ToolError(
        "CONFIG_INVALID",
        `The module "${specifier}" has the new wrapper ${names}, which takes effect when the server starts. Restart the server to serve its tools.`,
      );
    },
  };
}
