import { lstatSync, readdirSync, realpathSync } from "node:fs";
import path from "node:path";
import { isInside } from "@toolrack/core/internal";
import type { PluginsConfig } from "../../config/config.ts";

/** A plugin that the allow list names: its file, or why it is not loaded. */
export interface FoundPlugin {
  readonly name: string;
  /** Absolute; where the plugin is, or would be. */
  readonly file: string;
  readonly fault?: string;
}

/**
 * The plugins of a folder, in the order of the allow list. A plugin is a file, "voice.mjs", or a folder with an index file, "voice/index.mjs". What the
 * list does not name is not looked at. A link is refused, since what it leads to may be changed by others.
 */
export function findPlugins({ folder: given, allow = [] }: PluginsConfig, base: string): readonly FoundPlugin[] {
  const folder = path.resolve(base, given);
  return [...new Set(allow)].map((name): FoundPlugin => {
    const wanted = path.join(folder, name);
    if (!isPluginName(name))
      return { name, file: folder, fault: `"${name}" is not the name of a file or folder. Write its name, without a path.` };
    try {
      const file = fileOf(wanted);
      if (file === undefined)
        return { name, file: wanted, fault: `There is no ${name}.mjs, ${name}.js, ${name}.cjs or ${name}/index.mjs in ${given}.` };
      const link = [wanted, file].find((one) => lstatSync(one, { throwIfNoEntry: false })?.isSymbolicLink() === true);
      if (link !== undefined)
        return { name, file, fault: `${path.relative(base, link)} is a link. Put the plugin itself into the folder.` };
      if (!isInside(realpathSync(folder), realpathSync(file)))
        return { name, file, fault: `${path.relative(base, file)} leads out of the folder.` };
      return { name, file };
    } catch (error) {
      return { name, file: wanted, fault: `It cannot be read: ${(error as Error).message}.` };
    }
  });
}

/** A single name: no path, and nothing hidden. */
export function isPluginName(name: string): boolean {
  return /^[A-Za-z0-9_][\w.-]{0,99}$/.test(name) && !name.endsWith(".");
}

const endings = [".mjs", ".js", ".cjs"] as const;

function fileOf(wanted: string): string | undefined {
  const candidates = [...endings.map((ending) => `${wanted}${ending}`), ...endings.map((ending) => path.join(wanted, `index${ending}`))];
  return candidates.find((file) => {
    const found = lstatSync(file, { throwIfNoEntry: false });
    return found?.isFile() === true || found?.isSymbolicLink() === true;
  });
}

/** Names of plugins in the folder that the allow list does not have. */
export function otherPlugins({ folder, allow = [] }: PluginsConfig, base: string): readonly string[] {
  try {
    const names = readdirSync(path.resolve(base, folder), { withFileTypes: true }).flatMap((entry) => {
      const { name, ext } = path.parse(entry.name);
      if (entry.isDirectory()) return entry.name.startsWith(".") || entry.name === "node_modules" ? [] : [entry.name];
      return (endings as readonly string[]).includes(ext) ? [name] : [];
    });
    return [...new Set(names)].filter((name) => !allow.includes(name)).sort();
  } catch {
    return [];
  }
}
