import path from "node:path";
import { pathToFileURL } from "node:url";
import type { AnyTool, BeforeCallHook, Logger, ToolSource } from "@toolrack/core";
import { loadPlugins, type PluginModule, type PluginReference } from "@toolrack/core/node";
import { isObject } from "@toolrack/core/internal";
import type { PluginsConfig } from "../../config/config.ts";
import { leftOut } from "../trust/overlay-origins.ts";
import { findPlugins, type FoundPlugin, otherPlugins } from "./find-plugins.ts";
import { importModule } from "./import-module.ts";
import { loadFailure } from "./load-failure.ts";

/** The plugins of a server: a source for each, also for one that failed, and the hooks of all. */
export interface ServerPlugins {
  readonly sources: readonly ToolSource[];
  readonly hooks: readonly BeforeCallHook[];
}

/** Imports the plugins that the allow list names, and nothing else. One that fails is logged with its file, and is a source that failed. */
export async function openPlugins(config: PluginsConfig, base: string, log: Logger, existing: readonly AnyTool[]): Promise<ServerPlugins> {
  const references: PluginReference[] = [];
  const failed = new Map<string, string>();
  const fail = ({ name, file }: FoundPlugin, cause: string): void => {
    const message = `The plugin "${name}" (${path.relative(base, file)}) could not be loaded: ${cause}`;
    failed.set(name, message);
    log.error(message, { plugin: name });
  };
  const found = findPlugins(config, base);
  const nameOf = (from: string): string => found.find(({ file }) => file === from)?.name ?? path.parse(from).name;
  for (const plugin of found) {
    if (plugin.fault !== undefined) fail(plugin, plugin.fault);
    else
      await readPlugin(plugin).then(
        (reference) => references.push(reference),
        async (error) => fail(plugin, await loadFailure(error, plugin.file, base)),
      );
  }
  const others = otherPlugins(config, base);
  if (others.length > 0)
    log.info(`Plugins in ${config.folder} that tools.plugins.allow does not name are not loaded.`, { plugins: others.join(", ") });
  const loaded = await loadPlugins(references, { existing: existing as readonly { readonly name: string }[], directory: base });
  const refused = new Map<string, string[]>();
  for (const { from, pluginId, message } of loaded.diagnostics) {
    const text = `${path.relative(base, from)}: ${message}`;
    if (pluginId === undefined) failed.set(nameOf(from), text);
    else refused.set(`plugin:${pluginId}`, [...(refused.get(`plugin:${pluginId}`) ?? []), text]);
    log.error(text, { plugin: pluginId ?? nameOf(from) });
  }
  const ids = new Set(loaded.sources.map(({ id }) => id));
  const broken = [...failed].filter(([name]) => !ids.has(`plugin:${name}`));
  const working = loaded.sources.map((source) => withProblems(source, refused.get(source.id) ?? []));
  return { sources: [...working, ...broken.map(([name, message]) => failedSource(name, message))], hooks: loaded.hooks };
}

/** The plugin under the name of its file, unless it has an id of its own. */
async function readPlugin({ name, file }: FoundPlugin): Promise<PluginReference> {
  const exported = await importModule(pathToFileURL(file).href);
  const main = typeof exported["register"] === "function" ? exported : exported["default"];
  if (!isObject(main) || typeof main["register"] !== "function") throw new Error("it exports no function register(api).");
  // `from` names the file in diagnostics.
  const plugin = { id: (main["id"] as string | undefined) ?? name, register: main["register"] as PluginModule["register"], from: file };
  return plugin;
}

/** The same source; the registry reports these problems with it, and so do doctor and the console. */
function withProblems(source: ToolSource, problems: readonly string[]): ToolSource {
  if (problems.length === 0) return source;
  const left = problems.map(leftOut);
  return { ...source, list: async (options) => [...(await source.list(options)), ...left] };
}

function failedSource(name: string, message: string): ToolSource {
  return {
    id: `plugin:${name}`,
    list: () => {
      throw new Error(message);
    },
  };
}
