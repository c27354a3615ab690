import { utf8Length } from "#bytes";
import type { ContentBlock, ToolFailure, ToolResult, ToolSuccess } from "../../tool/result.ts";
import { cutText, fitsBytes } from "../../util/cut-text.ts";
import { jsonSize } from "../../util/json-size.ts";
import type { ToolDefinition } from "../../tool/tool.ts";
import { type Call, shortText, type Wrapper } from "../wrapper.ts";
import { requireCount } from "./_shared.ts";

export interface ResultSizeOptions {
  /** The maximum size of the text, the data and the blocks of a result, each, unless the tool sets `limits.maxResultBytes`. @default 256 KiB */
  maxBytes?: number;
  /** The maximum total size of its images and audio, which do not count above. @default 20 MiB */
  maxMediaBytes?: number;
  /** The maximum size of the text of a failure. @default 16 KiB */
  maxErrorBytes?: number;
}

/** Cuts results that are too large. The cut is noted where a model reads it, and in the warnings. */
export function createResultSize(options: ResultSizeOptions = {}): Wrapper {
  const common = requireCount("maxBytes", options.maxBytes ?? 256 * 1024);
  const maxMediaBytes = requireCount("maxMediaBytes", options.maxMediaBytes ?? 20 * 1024 * 1024);
  const maxErrorBytes = requireCount("maxErrorBytes", options.maxErrorBytes ?? 16 * 1024);
  const limitOf = (tool: ToolDefinition): number => tool.metadata?.limits?.maxResultBytes ?? common;
  return {
    name: "result-size",
    skipsShortText: (tool) => Math.min(limitOf(tool), maxErrorBytes) >= shortText * 3, // no character has more bytes for each unit of its length
    finish(result, call) {
      if (!result.ok) return cutError(result, call, maxErrorBytes);
      const maxBytes = limitOf(call.tool);
      if (result === call.asJson && fitsBytes(result.content, maxBytes)) return result;
      return cutBlocks(cutContent(result, call, maxBytes), call, maxBytes, maxMediaBytes);
    },
  };
}

function cutError(result: ToolFailure, call: Call, maxBytes: number): ToolResult {
  const cut = cutText(result.error, maxBytes);
  if (cut === undefined) return result;
  call.warn(`The error text was cut by ${cut.leftOut} characters to ${maxBytes} bytes.`);
  return { ...result, error: cut.text };
}

function cutContent(result: ToolSuccess, call: Call, maxBytes: number): ToolSuccess {
  const dropsData = result.data !== undefined && sizeOf(result.data, maxBytes) === undefined;
  const note = dropsData ? `\n[The data was left out: it has more than ${maxBytes} bytes, or cannot be read.]` : "";
  const kept = cutText(result.content, Math.max(0, maxBytes - note.length));
  if (kept !== undefined) call.warn(`The text of the result was cut by ${kept.leftOut} characters to ${maxBytes} bytes.`);
  if (!dropsData) return kept === undefined ? result : { ...result, content: kept.text };
  call.warn(`The data of the result was left out: it has more than ${maxBytes} bytes, or cannot be read.`);
  const { data: _, ...rest } = result;
  return { ...rest, content: ((kept?.text ?? result.content) + note).slice(0, maxBytes) };
}

function cutBlocks(result: ToolSuccess, call: Call, maxBytes: number, maxMediaBytes: number): ToolSuccess {
  const { blocks } = result;
  if (blocks === undefined) return result;
  const left: Left = { bytes: maxBytes, mediaBytes: maxMediaBytes };
  const kept: ContentBlock[] = [];
  for (const block of blocks) {
    if (left.bytes <= 0) break;
    kept.push(cutBlock(block, left));
    left.bytes -= blockBytes;
  }
  if (kept.length === blocks.length && kept.every((block, index) => block === blocks[index])) return result;
  if (kept.length < blocks.length) kept.push(note(`further blocks left out: ${blocks.length - kept.length}`));
  call.warn(`The blocks of the result were cut to ${maxBytes} bytes, and its images and sounds to ${maxMediaBytes}.`);
  return { ...result, blocks: kept };
}

/** The space left for further blocks. */
interface Left {
  bytes: number;
  mediaBytes: number;
}

/** Added for each block, so that a million empty blocks do not fit. */
const blockBytes = 16;

function cutBlock(block: ContentBlock, left: Left): ContentBlock {
  if (block.type === "text") {
    const cut = cutText(block.text, left.bytes);
    left.bytes = cut === undefined ? left.bytes - utf8Length(block.text) : 0;
    return cut === undefined ? block : { type: "text", text: cut.text };
  }
  if (block.type === "image" || block.type === "audio") {
    const bytes = (block.data.length / 4) * 3;
    if (bytes > left.mediaBytes)
      return note(`${block.type === "image" ? "an image" : "a sound"} of ${Math.floor(bytes)} bytes was left out`);
    left.mediaBytes -= bytes;
    return block;
  }
  const bytes = sizeOf(block.type === "json" ? block.data : block, left.bytes);
  if (bytes === undefined)
    return note(block.type === "json" ? "data that is too large or cannot be read was left out" : "a link that is too long was left out");
  left.bytes -= bytes;
  return block;
}

/** Undefined if it is too large or cannot be read. */
function sizeOf(value: unknown, maxBytes: number): number | undefined {
  try {
    return jsonSize(value, maxBytes);
  } catch {
    return undefined;
  }
}

function note(fact: string): ContentBlock {
  return { type: "text", text: `[${fact[0]!.toUpperCase()}${fact.slice(1)}.]` };
}
