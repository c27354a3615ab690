import { fitsBytes } from "../../util/fits-bytes.ts";
import { sizeWithin } from "../../util/json-size.ts";
import type { ToolResult } from "../../tool/result.ts";
import type { ToolDefinition } from "../../tool/tool.ts";
import type { cutResult, ResultLimits } from "../cut-result.ts";
import { type Call, shortText, type Wrapper } from "../wrapper.ts";
import { requireCount } from "../require-number.ts";

export interface ResultSizeOptions {
  /** The maximum size of the text, the data and the blocks of a result, each, unless the tool sets `limits.maxResultBytes`. @default 256 KiB */
  maxBytes?: number;
  /** The maximum total size of its images and audio, which do not count above. @default 20 MiB */
  maxMediaBytes?: number;
  /** The maximum size of the text of a failure. @default 16 KiB */
  maxErrorBytes?: number;
}

export const defaultMaxResultBytes = 262_144;

/** Cuts results that are too large. The cut is noted where a model reads it, and in the warnings. */
export function createResultSize(options: ResultSizeOptions = {}): Wrapper {
  const common = requireCount("maxBytes", options.maxBytes ?? defaultMaxResultBytes);
  const maxMediaBytes = requireCount("maxMediaBytes", options.maxMediaBytes ?? 20 * 1024 * 1024);
  const maxErrorBytes = requireCount("maxErrorBytes", options.maxErrorBytes ?? 16 * 1024);
  const limitOf = (tool: ToolDefinition): number => tool.metadata?.limits?.maxResultBytes ?? common;
  return {
    name: "result-size",
    skipsShortText: (tool) => Math.min(limitOf(tool), maxErrorBytes) >= shortText * 3, // no character has more bytes for each unit of its length
    finish(result, call) {
      const limits = { maxBytes: limitOf(call.tool), maxMediaBytes, maxErrorBytes };
      if (fits(result, call, limits)) return result;
      if (cut !== undefined) return cut(result, call, limits);
      return import("../cut-result.ts").then((loaded) => (cut = loaded.cutResult)(result, call, limits));
    },
  };
}

/** Loaded with the first result that is large or has blocks. */
let cut: typeof cutResult | undefined;

function fits(result: ToolResult, call: Call, { maxBytes, maxErrorBytes }: ResultLimits): boolean {
  if (!result.ok) return fitsBytes(result.error, maxErrorBytes);
  if (!fitsBytes(result.content, maxBytes)) return false;
  if (result === call.asJson) return true;
  return result.blocks === undefined && (result.data === undefined || sizeWithin(result.data, maxBytes) !== undefined);
}
