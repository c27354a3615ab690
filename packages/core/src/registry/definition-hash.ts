import type { ToolDefinition } from "../tool/tool.ts";
import { contentHash } from "../util/hash.ts";

/** Of everything that a definition says, in canonical JSON; functions say nothing. */
export function definitionHash(tool: ToolDefinition): string {
  const { handler: _, ...definition } = tool;
  return contentHash(definition);
}
