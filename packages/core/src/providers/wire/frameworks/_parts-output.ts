import { isObject } from "@toolrack/json-schema/internal";
import type { ToolSuccess } from "../../../tool/result.ts";
import { partsOf, type ResultPart } from "./framework.ts";

/**
 * What `execute` answers in frameworks that keep the output of a tool apart from what the model is shown of it: data, text, or
 * { content: parts, details? } for a result with images. It is plain JSON, because such outputs are stored with a conversation and shown
 * to a model again in another process.
 */
export function toOutput(result: ToolSuccess): unknown {
  const content = partsOf(result);
  if (content === undefined) return result.data ?? result.content;
  return { content, ...(result.data !== undefined && { details: result.data }) };
}

/** The parts of such an output; undefined if it has no images. */
export function partsOfOutput(output: unknown): readonly ResultPart[] | undefined {
  if (!isObject(output) || !Array.isArray(output["content"])) return undefined;
  const { content } = output;
  return content.every(isPart) && content.some(({ type }) => type === "image") ? content : undefined;
}

function isPart(part: unknown): part is ResultPart {
  if (!isObject(part)) return false;
  if (part["type"] === "text") return typeof part["text"] === "string";
  return part["type"] === "image" && typeof part["data"] === "string" && typeof part["mimeType"] === "string";
}
