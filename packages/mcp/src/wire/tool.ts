import type { ToolDefinition } from "@toolrack/core";
import { isObject } from "@toolrack/core/internal";
import { listedFieldsOf } from "./listed-fields.ts";
import type { Era, JsonObject } from "./protocol.ts";

/** What a tool in a list may have at its top, although the protocol has no such fields. */
export const toolFields = ["category", "optionality"] as const;
export type ToolField = (typeof toolFields)[number];

/** A tool as `tools/list` shows it. Fields that say nothing are left out. */
export function toMcpTool(tool: ToolDefinition, state: string, era: Era, top: readonly ToolField[] = []): JsonObject {
  const { name, title, description, inputSchema, metadata } = tool;
  const outputSchema = outputSchemaFor(tool, era);
  const { annotationsTitle, meta } = listedFieldsOf(tool);
  const annotations = toAnnotations(tool, annotationsTitle === title ? undefined : annotationsTitle);
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    // The protocol wants the type spelled out where the definition leaves it to the reader.
    inputSchema: inputSchema["type"] === "object" ? inputSchema : { ...inputSchema, type: "object" },
    ...(outputSchema !== undefined && { outputSchema }),
    ...(annotations !== undefined && { annotations }),
    ...Object.fromEntries(top.flatMap((field) => (metadata?.[field] === undefined ? [] : [[field, metadata[field]]]))),
    _meta: {
      ...meta,
      ...(metadata?.category !== undefined && { "toolrack/category": metadata.category }),
      ...(metadata?.optionality !== undefined && { "toolrack/optionality": metadata.optionality }),
      "toolrack/state": state,
      ...(tool.version !== undefined && { "toolrack/version": tool.version }),
    },
  };
}

/**
 * In the legacy era structured results are objects; another output schema cannot be shown there, and is not promised. Neither is one of results that
 * are not for the model.
 */
export function outputSchemaFor(tool: ToolDefinition, era: Era): JsonObject | undefined {
  const { outputSchema, metadata } = tool;
  if (!isObject(outputSchema)) return undefined;
  if (metadata?.deliver === "user" || metadata?.deliver === "none") return undefined;
  return era === "modern" || outputSchema["type"] === "object" ? outputSchema : undefined;
}

function toAnnotations({ metadata }: ToolDefinition, title: string | undefined): JsonObject | undefined {
  const hints = metadata?.annotations ?? {};
  const annotations = {
    ...(title !== undefined && { title }),
    ...(hints.readOnly !== undefined && { readOnlyHint: hints.readOnly }),
    ...(hints.destructive !== undefined && { destructiveHint: hints.destructive }),
    ...(hints.idempotent !== undefined && { idempotentHint: hints.idempotent }),
    ...(hints.openWorld !== undefined && { openWorldHint: hints.openWorld }),
  };
  return metadata?.annotations === undefined && title === undefined ? undefined : annotations;
}
