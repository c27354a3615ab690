import { ToolError } from "../../errors.ts";
import { normalizeToolName } from "../../tool/name.ts";
import { describeThrown } from "../../tool/result.ts";
import { type AnyTool, readTool } from "../../tool/shapes.ts";
import { changeTool, type ToolDefinition } from "../../tool/tool.ts";
import type { FoundPlugin } from "./import.ts";
import type { PluginApi, PluginDiagnostic, PluginHook, PluginToolFactory, PluginToolOptions } from "./api.ts";

/** What a plugin registered, before it is held against the names that are taken. */
export interface PluginDraft {
  readonly id: string;
  readonly from: string;
  readonly factories: readonly { readonly factory: PluginToolFactory; readonly options: PluginToolOptions | undefined }[];
  readonly hooks: readonly PluginHook[];
}

export interface RegisteredTool {
  readonly tool: AnyTool;
  readonly options: PluginToolOptions | undefined;
}

/** Names that a policy must be able to distinguish. */
export interface KnownNames {
  /** Ids of plugins, lower-cased. */
  readonly ids: ReadonlySet<string>;
  /** Names of tools, normalised. */
  readonly taken: Set<string>;
}

/** Lets a plugin register. Throws where its id is taken, or where it throws itself. */
export async function collectPlugin(
  { id, register }: FoundPlugin,
  from: string,
  known: KnownNames,
): Promise<PluginDraft & { readonly tools: readonly RegisteredTool[] }> {
  if (known.ids.has(id.toLowerCase())) throw new ToolError("NAME_TAKEN", `Plugin "${from}" is refused: another plugin has the id "${id}".`);
  if (known.taken.has(normalizeToolName(id))) {
    throw new ToolError(
      "NAME_TAKEN",
      `Plugin "${from}" is refused: a tool has the name of its id "${id}", and a policy could not distinguish them.`,
    );
  }
  const tools: RegisteredTool[] = [];
  const factories: { factory: PluginToolFactory; options: PluginToolOptions | undefined }[] = [];
  const hooks: PluginHook[] = [];
  let isOpen = true;
  const assertOpen = (): void => {
    if (!isOpen) throw new ToolError("PLUGIN_INVALID", `Plugin "${id}" registers something after register() was over. Register it there.`);
  };
  const api: PluginApi = Object.freeze({
    pluginId: id,
    registerTool(tool: AnyTool | PluginToolFactory, options?: PluginToolOptions) {
      assertOpen();
      if (typeof tool === "function") factories.push({ factory: tool, options });
      else tools.push({ tool, options });
    },
    beforeToolCall(hook: PluginHook) {
      assertOpen();
      if (typeof hook !== "function") throw new ToolError("PLUGIN_INVALID", `Plugin "${id}" registers a hook that is no function.`);
      hooks.push(hook);
    },
  });
  try {
    await register(api);
  } catch (error) {
    throw new ToolError("PLUGIN_INVALID", `Plugin "${id}" failed to register: ${describeThrown(error)}`, { cause: error });
  } finally {
    isOpen = false;
  }
  return { id, from, tools, factories, hooks };
}

/** Reads tools as the plugin's. One that is wrong, or whose name is taken, is left out alone. Names that are used are added to `taken`. */
export function readPluginTools(
  { id, from }: Pick<PluginDraft, "id" | "from">,
  registered: readonly RegisteredTool[],
  { ids, taken }: KnownNames,
): { readonly tools: readonly ToolDefinition[]; readonly problems: readonly PluginDiagnostic[] } {
  const tools: ToolDefinition[] = [];
  const problems: PluginDiagnostic[] = [];
  for (const { tool: shape, options } of registered) {
    try {
      const tool = readTool(shape);
      const name = normalizeToolName(tool.name);
      if (taken.has(name) || (ids.has(name) && name !== id.toLowerCase())) {
        const owner = taken.has(name) ? "tool" : "plugin";
        const message = `Tool "${tool.name}" of plugin "${id}" is left out: another ${owner} has this name.`;
        problems.push({ code: "NAME_TAKEN", from, pluginId: id, tool: tool.name, message });
        continue;
      }
      taken.add(name);
      const optionality = options?.optional === true ? ({ optionality: "optional" } as const) : {};
      tools.push(changeTool(tool, { metadata: Object.freeze({ ...tool.metadata, pluginId: id, ...optionality }) }));
    } catch (error) {
      problems.push({
        code: "PLUGIN_INVALID",
        from,
        pluginId: id,
        message: `A tool of plugin "${id}" is left out: ${describeThrown(error)}`,
      });
    }
  }
  return { tools, problems };
}
