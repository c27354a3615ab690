import type { ModelName } from "./models.ts";
import type { ToolDefinition } from "./tool.ts";

/** A collection of tools that changes, and of which each caller sees a part: a registry. */
export interface ToolCollection {
  /** The tools that all callers share; the same frozen array until something changes. */
  tools(): readonly ToolDefinition[];
  /** Where a tool comes from, if that is informative: the name of a server or plugin. */
  sourceOf(tool: ToolDefinition): string | undefined;
}

/** Where a list of tools comes from. */
export interface ListOrigin {
  /** The model that the list was made for. Callers to whom the same applies share a list, so it tells nothing else of them. */
  readonly model: ModelName;
  readonly collection: ToolCollection;
}

const origins = new WeakMap<readonly unknown[], ListOrigin>();

/**
 * Notes where a list comes from. Functions over lists then follow what the registry decided: an export asks for the model that the list
 * was made for, and one search index serves all lists of a collection.
 */
export function setOrigin<List extends readonly unknown[]>(list: List, origin: ListOrigin | undefined): List {
  if (origin !== undefined) origins.set(list, origin);
  return list;
}

export function originOf(list: readonly unknown[]): ListOrigin | undefined {
  return origins.get(list);
}
