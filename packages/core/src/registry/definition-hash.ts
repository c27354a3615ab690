import { pinsOf, type ToolDefinition } from "../tool/tool.ts";
import { contentHash } from "../util/hash.ts";

/** Of everything that a definition says, in canonical JSON, with what is pinned and with the tool underneath; functions say nothing. */
export function definitionHash(tool: ToolDefinition): string {
  const { handler: _, ...definition } = tool;
  const pins = pinsOf(tool);
  return contentHash(pins === undefined ? definition : { definition, pinned: pins.values, own: definitionHash(pins.own) });
}
