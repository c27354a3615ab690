import { isObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import type { Caller } from "../tool/context.ts";
import { normalizeToolName } from "../tool/name.ts";
import { describeThrown } from "../tool/result.ts";
import type { AnyTool } from "../tool/shapes.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import type { PluginDiagnostic, PluginHook, PluginReference } from "./plugin/api.ts";
import { importPlugin } from "./plugin/import.ts";
import { collectPlugin, type KnownNames, type PluginDraft, readPluginTools } from "./plugin/register.ts";
import type { ToolSource } from "./source.ts";

export interface LoadedPlugin {
  readonly id: string;
  /** The package or path it was found by; "code" for a module that was passed as a value. */
  readonly from: string;
  readonly tools: readonly ToolDefinition[];
}

export interface LoadedPlugins {
  readonly plugins: readonly LoadedPlugin[];
  /** The tools that are there for everybody. */
  readonly tools: readonly ToolDefinition[];
  /** The tools that factories make for a caller. A factory that fails is reported and harms no other. */
  toolsFor(caller: Caller): { readonly tools: readonly ToolDefinition[]; readonly diagnostics: readonly PluginDiagnostic[] };
  /** In the order in which they were registered. */
  readonly hooks: readonly PluginHook[];
  /** One source for each plugin, with the tools that its factories make: "plugin:voice". */
  readonly sources: readonly ToolSource[];
  /** What was refused, and why. */
  readonly diagnostics: readonly PluginDiagnostic[];
}

export interface LoadPluginsOptions {
  /** Tools that are there already; neither a plugin's id nor its tools may take their names. */
  readonly existing?: readonly { readonly name: string }[];
  /** What relative paths and packages are found from. @default the working directory */
  readonly directory?: string;
}

/** Loads plugins one after the other. What is wrong with one is a diagnostic, and harms neither the core nor the other plugins. */
export async function loadPlugins(references: readonly PluginReference[], options: LoadPluginsOptions = {}): Promise<LoadedPlugins> {
  const taken = new Set((options.existing ?? []).map(({ name }) => normalizeToolName(name)));
  const ids = new Set<string>();
  const diagnostics: PluginDiagnostic[] = [];
  const drafts: (PluginDraft & { readonly tools: readonly ToolDefinition[] })[] = [];
  for (const reference of references) {
    const from = describeReference(reference);
    try {
      const draft = await collectPlugin(await importPlugin(reference, options.directory ?? process.cwd()), from, { ids, taken });
      const { tools, problems } = readPluginTools(draft, draft.tools, { ids, taken });
      diagnostics.push(...problems);
      drafts.push({ ...draft, tools });
      ids.add(draft.id.toLowerCase());
    } catch (error) {
      const code = ToolError.is(error) && error.code === "NAME_TAKEN" ? "NAME_TAKEN" : "PLUGIN_INVALID";
      diagnostics.push({ code, from, message: describeThrown(error) });
    }
  }
  const plugins = drafts.map(({ id, from, tools }): LoadedPlugin => Object.freeze({ id, from, tools: Object.freeze(tools) }));
  return {
    plugins,
    tools: plugins.flatMap(({ tools }) => tools),
    toolsFor: (caller) => makeTools(drafts, caller, { ids, taken }),
    hooks: drafts.flatMap(({ hooks }) => hooks),
    sources: drafts.map((draft): ToolSource => ({
      id: `plugin:${draft.id}`,
      list: () => draft.tools,
      listFor: (caller) => makeTools([draft], caller, { ids, taken }).tools,
    })),
    diagnostics,
  };
}

function describeReference(reference: PluginReference): string {
  if (typeof reference === "string") return reference;
  return isObject(reference) && typeof reference["from"] === "string" ? reference["from"] : "code";
}

function makeTools(drafts: readonly PluginDraft[], caller: Caller, known: KnownNames): ReturnType<LoadedPlugins["toolsFor"]> {
  const names: KnownNames = { ...known, taken: new Set(known.taken) };
  const tools: ToolDefinition[] = [];
  const diagnostics: PluginDiagnostic[] = [];
  for (const draft of drafts) {
    for (const { factory, options } of draft.factories) {
      try {
        const made = factory(caller) ?? [];
        const read = readPluginTools(
          draft,
          (Array.isArray(made) ? made : [made]).map((tool: AnyTool) => ({ tool, options })),
          names,
        );
        tools.push(...read.tools);
        diagnostics.push(...read.problems);
      } catch (error) {
        const message = `A tool factory of plugin "${draft.id}" failed: ${describeThrown(error)}`;
        diagnostics.push({ code: "PLUGIN_INVALID", from: draft.from, pluginId: draft.id, message });
      }
    }
  }
  return { tools, diagnostics };
}
