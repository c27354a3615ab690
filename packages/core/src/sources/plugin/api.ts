import type { JsonObject } from "@toolrack/json-schema/internal";
import type { Caller } from "../../tool/context.ts";
import type { AnyTool } from "../../tool/shapes.ts";

/** What a plugin's module exports, by name or as its default. */
export interface PluginModule {
  /** @default the package's name, or the file's name without its ending */
  readonly id?: string;
  /** Called once. What it registers counts only if it returns; a plugin that throws brings nothing. */
  readonly register: (api: PluginApi) => void | Promise<void>;
}

export interface PluginApi {
  readonly pluginId: string;
  registerTool(tool: AnyTool | PluginToolFactory, options?: PluginToolOptions): void;
  beforeToolCall(hook: PluginHook): void;
}

export interface PluginToolOptions {
  /** Offered only where an allow list names the tool, the plugin, or `group:plugins`. @default false */
  readonly optional?: boolean;
}

/** Makes tools for one caller: those of a channel, for instance. Answers at once. */
export type PluginToolFactory = (caller: Caller) => AnyTool | readonly AnyTool[] | undefined;

/** Looks at a call before it runs; may block it, or go on with another input. */
export type PluginHook = (call: {
  readonly tool: string;
  readonly input: JsonObject;
  readonly caller: Caller;
  readonly callId: string;
}) => PluginHookAnswer | Promise<PluginHookAnswer>;

export type PluginHookAnswer = { readonly block: string } | { readonly input: JsonObject } | undefined | void;

/** Where a plugin is found: a package's name, a path, a path with an id, or the module itself. */
export type PluginReference = string | { readonly from: string; readonly id?: string } | PluginModule;

/** Something that was refused, and why. */
export interface PluginDiagnostic {
  readonly code: "PLUGIN_INVALID" | "NAME_TAKEN";
  readonly from: string;
  readonly pluginId?: string;
  readonly tool?: string;
  readonly message: string;
}
