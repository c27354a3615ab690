import { statSync } from "node:fs";
import path from "node:path";
import { type AnyTool, type ToolDefinition, ToolError } from "@toolrack/core";
import { isObject, readTool } from "@toolrack/core/internal";
import type { LintRule } from "@toolrack/core/lint";
import { isServerModule } from "./module.ts";
import { loadModule } from "./read-module.ts";

/** What a file of tools exports. */
export interface ToolFile {
  /** Each as it was written, and as a definition, which is absent where it is refused. */
  readonly tools: readonly { readonly shape: unknown; readonly tool?: ToolDefinition }[];
  /** Rules of a module, for its own tools. */
  readonly lintRules: readonly LintRule[];
  /** Why a definition was refused while the file was loaded; then its other tools are not known. */
  readonly refusal?: string;
}

/** The endings of the files that can be read. */
export const toolFileEndings: readonly string[] = [".js", ".mjs", ".cjs", ".ts", ".mts"];

/**
 * Loads a file of JavaScript or TypeScript, which runs its code, and finds the tools that it exports: as default, as `tools`, as a value of
 * `defineModule`, or under any other name. Rejects with NOT_FOUND, CONFIG_INVALID or PLUGIN_INVALID where there are none.
 */
export async function readToolFile(file: string, folder: string): Promise<ToolFile> {
  const place = path.resolve(folder, file);
  if (!toolFileEndings.includes(path.extname(place)))
    throw new ToolError("CONFIG_INVALID", `${file} is no file of tools. Such files end with ${toolFileEndings.join(", ")}.`);
  if (!statSync(place, { throwIfNoEntry: false })?.isFile()) throw new ToolError("TOOL_NOT_FOUND", `There is no file ${file}.`);
  let exported: Readonly<Record<string, unknown>>;
  try {
    exported = await loadModule(place, folder);
  } catch (error) {
    const { cause } = error as Error;
    if (ToolError.is(cause)) return { tools: [], lintRules: [], refusal: cause.message };
    throw error;
  }
  const { default: main, tools: named, ...others } = exported;
  if (isServerModule(main)) return { tools: (main.tools ?? []).map(read), lintRules: main.lintRules ?? [] };
  // What stands where tools belong is checked as one, whatever it is.
  const meant = [main, named].filter((value) => value !== undefined && (isObject(value) || Array.isArray(value)));
  const tools = new Set([...meant.flat(), ...Object.values(others).flat().filter(looksLikeTool)]);
  if (tools.size > 0) return { tools: [...tools].map(read), lintRules: [] };
  const names = Object.keys(exported).sort().join(", ");
  throw new ToolError(
    "CONFIG_INVALID",
    `${file} exports no tools, but ${names === "" ? "nothing" : names}. Export a tool or a list of tools.`,
  );
}

function read(shape: unknown): ToolFile["tools"][number] {
  try {
    return { shape, tool: readTool(shape as AnyTool) };
  } catch {
    // Lint tells why.
    return { shape };
  }
}

function looksLikeTool(value: unknown): boolean {
  return isObject(value) && (typeof value["handler"] === "function" || typeof value["execute"] === "function");
}
