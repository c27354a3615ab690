import type { ToolDefinition } from "@toolrack/core";
import type { JsonObject } from "@toolrack/store";

/** By handler, which is what sends the request. */
const requests = new WeakMap<object, JsonObject>();

/** Notes what a tool of ours sends for a source that is not ours: it is pinned together with what the tool says. */
export function noteRequest({ handler }: Pick<ToolDefinition, "handler">, request: JsonObject): void {
  requests.set(handler, request);
}

/** Undefined for a tool whose requests say nothing about it. */
export function requestOf({ handler }: Pick<ToolDefinition, "handler">): JsonObject | undefined {
  return requests.get(handler);
}
