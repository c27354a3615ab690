import { utf8Length } from "#bytes";
import type { ContentBlock, ToolFailure, ToolResult, ToolSuccess } from "../tool/result.ts";
import { cutText } from "../util/cut-text.ts";
import { sizeWithin } from "../util/json-size.ts";
import type { Call } from "./wrapper.ts";

export interface ResultLimits {
  /** For the text, the data and the blocks, each. */
  readonly maxBytes: number;
  readonly maxMediaBytes: number;
  readonly maxErrorBytes: number;
}

/** Cuts what is too large. The cut is noted where a model reads it, and in the warnings. */
export function cutResult(result: ToolResult, call: Call, { maxBytes, maxMediaBytes, maxErrorBytes }: ResultLimits): ToolResult {
  if (!result.ok) return cutError(result, call, maxErrorBytes);
  return cutBlocks(cutContent(result, call, maxBytes), call, maxBytes, maxMediaBytes);
}

function cutError(result: ToolFailure, call: Call, maxBytes: number): ToolResult {
  const cut = cutText(result.error, maxBytes);
  if (cut === undefined) return result;
  call.warn(`The error text was cut by ${cut.leftOut} characters to ${maxBytes} bytes.`);
  return { ...result, error: cut.text };
}

function cutContent(result: ToolSuccess, call: Call, maxBytes: number): ToolSuccess {
  const dropsData = result.data !== undefined && sizeWithin(result.data, maxBytes) === undefined;
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
  const bytes = sizeWithin(block.type === "json" ? block.data : block, left.bytes);
  if (bytes === undefined)
    return note(block.type === "json" ? "data that is too large or cannot be read was left out" : "a link that is too long was left out");
  left.bytes -= bytes;
  return block;
}

function note(fact: string): ContentBlock {
  return { type: "text", text: `[${fact[0]!.toUpperCase()}${fact.slice(1)}.]` };
}
