import type { ToolDefinition } from "@toolrack/core";
import type { JsonObject } from "@toolrack/store";

/** What a tool of ours does and says for a source that is not ours, beside its definition. Pinned together with that. */
export interface NotedTool {
  /** What it sends, and where. */
  readonly request: JsonObject;
  /** What models can ask for, where the description of the tool is a part of it. */
  readonly wholeDescription?: string;
}

/** By handler, which is what sends the request. */
const noted = new WeakMap<object, NotedTool>();

export function noteTool({ handler }: Pick<ToolDefinition, "handler">, facts: NotedTool): void {
  noted.set(handler, facts);
}

/** Undefined for a tool that says all in its definition. */
export function notedOf({ handler }: Pick<ToolDefinition, "handler">): NotedTool | undefined {
  return noted.get(handler);
}
