import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { isObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../../errors.ts";
import { describeThrown } from "../../tool/result.ts";
import type { PluginModule, PluginReference } from "./api.ts";

/** A plugin's module and the id it goes by. */
export interface FoundPlugin {
  readonly id: string;
  readonly register: PluginModule["register"];
}

/** Throws PLUGIN_INVALID for what cannot be found, is no plugin, or has no usable id. */
export async function importPlugin(reference: PluginReference, directory: string): Promise<FoundPlugin> {
  if (typeof reference === "object" && reference !== null && "register" in reference) return toPlugin(reference, reference.id, "A plugin");
  const { from, id } = typeof reference === "string" ? { from: reference, id: undefined } : reference;
  if (typeof from !== "string" || from.trim() === "") throw new ToolError("PLUGIN_INVALID", "A plugin is named by a package or a path.");
  let module: unknown;
  try {
    module = await import(resolveModule(from, directory));
  } catch (error) {
    throw new ToolError("PLUGIN_INVALID", `Plugin "${from}" cannot be loaded: ${describeThrown(error)}`, { cause: error });
  }
  return toPlugin(module, id ?? ownId(module) ?? nameOf(from), `Plugin "${from}"`);
}

function toPlugin(module: unknown, id: unknown, shown: string): FoundPlugin {
  const register = pluginOf(module)?.register;
  if (typeof register !== "function") throw new ToolError("PLUGIN_INVALID", `${shown} exports no function register(api).`);
  if (typeof id !== "string" || !legalId.test(id)) {
    throw new ToolError("PLUGIN_INVALID", `${shown} has the id ${JSON.stringify(id)}. Give it one of the characters A-Z a-z 0-9 @ / . _ -`);
  }
  return { id, register };
}

/** No star and no colon: an id must not read as a pattern or a group in a policy. */
const legalId = /^[\w@/.-]{1,128}$/;

/** The module itself, or what it exports as its default. */
function pluginOf(module: unknown): Partial<PluginModule> | undefined {
  if (!isObject(module)) return undefined;
  return typeof module["register"] === "function" ? module : (module["default"] as Partial<PluginModule> | undefined);
}

function ownId(module: unknown): unknown {
  return pluginOf(module)?.id;
}

/** A path counts from the directory; a package is looked for there first, then where the library itself finds packages. */
function resolveModule(from: string, directory: string): string {
  if (from.startsWith("file:")) return from;
  if (/^\.{0,2}[/\\]|^[A-Za-z]:[/\\]/.test(from)) return pathToFileURL(path.resolve(directory, from)).href;
  try {
    return pathToFileURL(createRequire(path.join(path.resolve(directory), "index.js")).resolve(from)).href;
  } catch {
    return from;
  }
}

/** "@acme/voice" → "@acme/voice", "./plugins/linear.mjs" → "linear" */
function nameOf(from: string): string {
  return /^(\.|\/|\\|file:|[A-Za-z]:)/.test(from) ? path.parse(from).name : from;
}
