import type { ContentBlock, ToolDefinition, ToolFailure, ToolResult, ToolSuccess } from "@toolrack/core";
import { validateValue } from "@toolrack/json-schema";
import { isObject, unshownData } from "@toolrack/core/internal";
import { isEmbedded } from "./embedded-resource.ts";
import { detailsKey, type Era, type JsonObject } from "./protocol.ts";
import { outputSchemaFor } from "./tool.ts";

/** What `tools/call` answers, without the fields that every result of an era has. */
export interface CallToolResult {
  readonly content: readonly JsonObject[];
  readonly structuredContent?: unknown;
  readonly isError?: true;
  readonly _meta?: JsonObject;
}

/** A tool's result on the wire. What a tool with an output schema sends agrees with it, or is an error. */
export function toCallResult(result: ToolResult, tool: ToolDefinition | undefined, era: Era): CallToolResult {
  if (!result.ok) return toError(result);
  const schema = tool && outputSchemaFor(tool, era);
  if (schema === undefined) return { content: toContent(result), ...detailsMeta(result) };
  const output = result.data === undefined ? result.content : result.data;
  const checked = validateValue(schema, output);
  if (checked.ok && (era === "modern" || isObject(output)))
    return { content: toContent(result), structuredContent: output, ...warningsMeta(result) };
  const faults = checked.ok
    ? "it must be an object"
    : checked.issues.map(({ path, expected }) => `${path || "it"} must be ${expected}`).join("; ");
  return errorResult(`The output of tool "${tool!.name}" does not match its output schema: ${faults}.`, {
    "toolrack/code": "OUTPUT_INVALID",
  });
}

/** True for a result whose content is nothing but text: the most frequent kind, for which a shorter way exists. */
export function isPlainText(result: ToolResult, tool: ToolDefinition | undefined): result is ToolSuccess {
  return result.ok && result.blocks === undefined && tool?.outputSchema === undefined;
}

/** Details beside the content, as `_meta`: clients show structured content instead of the content, so that an image would be lost. */
export function detailsMeta(result: ToolSuccess): Pick<CallToolResult, "_meta"> {
  const details = unshownData(result);
  const more = warningsMeta(result);
  return details === undefined ? more : { _meta: { ...more._meta, [detailsKey]: details } };
}

/** What the client should tell its user about the call. */
function warningsMeta({ meta }: ToolResult): Pick<CallToolResult, "_meta"> {
  return meta?.warnings === undefined ? {} : { _meta: { "toolrack/warnings": meta.warnings } };
}

export function errorResult(text: string, meta?: JsonObject): CallToolResult {
  return { content: [{ type: "text", text }], isError: true, ...(meta && { _meta: meta }) };
}

function toError(failure: ToolFailure): CallToolResult {
  const { error, code, status, retryable, retryAfterMs, approval } = failure;
  return errorResult(error, {
    ...warningsMeta(failure)._meta,
    "toolrack/code": code,
    "toolrack/status": status,
    ...(retryable && { "toolrack/retryable": true }),
    ...(retryAfterMs !== undefined && { "toolrack/retryAfterMs": retryAfterMs }),
    ...(approval && { "toolrack/approval": approval }),
  });
}

function toContent({ blocks, content }: ToolSuccess): JsonObject[] {
  return blocks === undefined ? [{ type: "text", text: content }] : blocks.map(toBlock);
}

/** A block in the form of the protocol. */
export function toBlock(block: ContentBlock): JsonObject {
  const { resource, annotations, _meta } = block;
  if (resource !== undefined && block.type !== "resource_link") {
    const content = block.type === "text" ? { text: block.text } : { blob: block.type === "json" ? blobIn(block.data) : block.data };
    return { type: "resource", resource: { ...resource, ...content }, ...(annotations && { annotations }), ...(_meta && { _meta }) };
  }
  if (block.type === "json") return { type: "text", text: JSON.stringify(block.data) ?? "" };
  if (isEmbedded(block)) {
    const { uri, mimeType, text, blob } = block;
    return {
      type: "resource",
      resource: { uri, ...(mimeType && { mimeType }), ...(blob === undefined ? { text: text ?? "" } : { blob }) },
    };
  }
  return { ...block };
}

function blobIn(data: unknown): unknown {
  return isObject(data) ? data["blob"] : undefined;
}
