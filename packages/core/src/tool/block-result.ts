import { jsonEquals } from "@toolrack/json-schema";
import type { JsonObject } from "@toolrack/json-schema/internal";
import { type CallMeta, type ContentBlock, failure, noReason, textOfBlocks, type ToolResult } from "./result.ts";

/** The result of a value that holds content blocks: a list of them, a full result with `blocks`, or a result in the shape of MCP. Undefined for others. */
export function toBlockResult(returned: unknown, meta: CallMeta): ToolResult | undefined {
  if (typeof returned !== "object" || returned === null) return undefined;
  if (isBlocks(returned)) return { ok: true, content: textOfBlocks(returned), blocks: returned, meta };
  const { ok, content, blocks } = returned as { ok?: unknown; content?: unknown; blocks?: unknown };
  const flagged = ok === false ? undefined : readErrorFlag(returned as JsonObject, meta);
  if (flagged !== undefined) return flagged;
  if (Array.isArray(content)) return readBlockResult(returned as BlockResult, meta);
  if (ok !== true || typeof content !== "string" || blocks === undefined || (Array.isArray(blocks) && blocks.every(isBlock)))
    return undefined;
  return failure("RESULT_INVALID", `Tool "${meta.tool}" returned blocks that are no list of content blocks. ${returnable}`, meta);
}

/**
 * The failure of a value with MCP's `isError`, or Anthropic's `is_error`, whatever else it holds. A flag that is set to something else than true
 * is refused, and so is any that is not true or false beside content blocks, which would lose it.
 */
function readErrorFlag(returned: JsonObject, meta: CallMeta): ToolResult | undefined {
  const name = ["isError", "is_error"].find((key) => Object.hasOwn(returned, key));
  const flag = name === undefined ? undefined : (returned[name] ?? false);
  if (flag === undefined || flag === false || (!flag && !Array.isArray(returned["content"]))) return undefined;
  if (flag !== true)
    return failure("RESULT_INVALID", `Tool "${meta.tool}": result.${name} must be true or false, not ${JSON.stringify(flag)}.`, meta);
  const { [name!]: _, content, ...rest } = returned;
  if (Array.isArray(content)) return readBlockResult({ ...rest, content, isError: true }, meta);
  const facts = content === undefined ? rest : { ...rest, content };
  const reason = typeof content === "string" ? content : Object.keys(facts).length === 0 ? "" : JSON.stringify(facts);
  return failure("TOOL_FAILED", reason === "" ? noReason(meta, "TOOL_FAILED") : reason, meta);
}

const returnable = "Return a string, plain data, content blocks or a result.";

/** The shapes of MCP, { content: blocks, structuredContent, isError }, and of other agent libraries, { content: blocks, details }. */
interface BlockResult {
  readonly content: readonly unknown[];
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
  readonly details?: unknown;
}

/** Undefined for data that only has a list under the same name. */
function readBlockResult(returned: BlockResult, meta: CallMeta): ToolResult | undefined {
  const { content: given, structuredContent, isError, details } = returned;
  const isMcp = typeof isError === "boolean" || structuredContent !== undefined;
  const blocks = given.map(readBlock);
  if (!isMcp && (blocks.length === 0 || blocks.includes(undefined))) return undefined;
  if (!blocks.every((block) => block !== undefined)) {
    const fact = `result.content[${blocks.indexOf(undefined)}] is no content block`;
    return failure("RESULT_INVALID", `Tool "${meta.tool}": ${fact}. ${returnable}`, meta);
  }
  const data = structuredContent ?? details;
  const content = blocks.length === 0 && data !== undefined ? JSON.stringify(data) : textOfBlocks(blocks);
  if (isError === true) return failure("TOOL_FAILED", content === "" ? noReason(meta, "TOOL_FAILED") : content, meta);
  const isLost = details !== undefined && data !== details && !jsonEquals(data, details);
  return {
    ok: true,
    content,
    ...(blocks.length > 0 && { blocks }),
    ...(data !== undefined && { data }),
    meta: isLost ? { ...meta, warnings: [...(meta.warnings ?? []), lostDetails] } : meta,
  };
}

const lostDetails = "Its details are left out, because it has structuredContent.";

/** A document inside of an MCP result is its text, its image or sound, or else data. */
function readBlock(value: unknown): ContentBlock | undefined {
  if (isBlock(value)) return value;
  const { type, resource } = (value ?? {}) as { type?: unknown; resource?: Readonly<Record<string, unknown>> };
  if (type !== "resource" || typeof resource?.["uri"] !== "string") return undefined;
  const { text, blob: data, mimeType } = resource;
  if (typeof text === "string") return { type: "text", text };
  const media = { type: String(mimeType).split("/")[0], data, mimeType };
  return isBlock(media) ? media : { type: "json", data: resource };
}

function isBlocks(value: unknown): value is readonly ContentBlock[] {
  return Array.isArray(value) && value.length > 0 && value.every(isBlock);
}

function isBlock(value: unknown): value is ContentBlock {
  if (typeof value !== "object" || value === null) return false;
  const block = value as Record<string, unknown>;
  switch (block["type"]) {
    case "text":
      return typeof block["text"] === "string";
    case "json":
      return "data" in block;
    case "image":
    case "audio":
      return typeof block["data"] === "string" && typeof block["mimeType"] === "string";
    case "resource_link":
      return typeof block["uri"] === "string" && typeof block["name"] === "string";
    default:
      return false;
  }
}
