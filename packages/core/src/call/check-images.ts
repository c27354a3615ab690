import { fromBase64, toBase64 } from "#bytes";
import { type ContentBlock, textOfBlocks, type ToolResult } from "../tool/result.ts";
import { type ImageHeader, readImageHeader } from "../util/image-header.ts";
import { untilAborted } from "../util/until-aborted.ts";
import type { Call } from "./wrapper.ts";

export interface ImageLimitOptions {
  /** The longest side of an image that is passed on. @default 1_200 */
  maxSidePx?: number;
  /** @default 5 MiB */
  maxBytes?: number;
  /** Makes large images smaller. Without one, they are replaced by a text. */
  resize?: ImageEngine;
}

/** Any image library, reduced to the one function that is needed. */
export interface ImageEngine {
  resize(bytes: Uint8Array, limits: ImageLimits): Promise<{ readonly bytes: Uint8Array; readonly mimeType: string }>;
}

export interface ImageLimits {
  readonly maxSidePx: number;
  readonly maxBytes: number;
}

/** The function under the wrapper. Gives the same result back if its images are fine, and waits only for resizing, until `call` is aborted. */
export function sanitizeToolResultImages(
  result: ToolResult,
  options: ImageLimitOptions = {},
  call?: Pick<Call, "signal">,
): ToolResult | Promise<ToolResult> {
  if (!result.ok || result.blocks === undefined || !result.blocks.some(isImage)) return result;
  const limits: Limits = {
    maxSidePx: options.maxSidePx ?? 1_200,
    maxBytes: options.maxBytes ?? 5 * 1024 * 1024,
    engine: options.resize,
    call,
  };
  const { blocks } = result;
  const checked = blocks.map((block) => (isImage(block) ? checkImage(block, limits) : block));
  const withBlocks = (now: readonly ContentBlock[]): ToolResult => {
    if (now.every((block, index) => block === blocks[index])) return result;
    return { ...result, blocks: now, content: result.content === textIfAny(blocks) ? textOfBlocks(now) : result.content };
  };
  return checked.every(isBlock) ? withBlocks(checked) : oneByOne(checked).then(withBlocks);
}

type ImageBlock = Extract<ContentBlock, { type: "image" }>;
type Checked = ContentBlock | (() => Promise<ContentBlock>);

interface Limits extends ImageLimits {
  readonly engine: ImageEngine | undefined;
  readonly call: Pick<Call, "signal"> | undefined;
}

/** No engine is given more than this: a small file can unfold into gigabytes. */
const maxEngineBytes = 64 * 1024 * 1024;
const maxEnginePixels = 100_000_000;

function checkImage(block: ImageBlock, limits: Limits): Checked {
  const { data } = block;
  if (data === "") return note("it is empty");
  const byteLength = (data.length / 4) * 3 - (data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0);
  if (byteLength > Math.max(limits.maxBytes, maxEngineBytes))
    return note(`it has ${byteLength} bytes, and at most ${limits.maxBytes} are passed on`);
  if (!isBase64(data)) return note("it is not base64");
  const header = headerOf(data);
  if (header === undefined) return note(`it is labelled ${shown(block.mimeType)}, but its bytes are no image of a known type`);
  if (header.size === undefined) return note(`its ${header.mimeType} header cannot be read`);
  if (fits(header.size, byteLength, limits)) return header.mimeType === block.mimeType ? block : { ...block, mimeType: header.mimeType };
  const { width, height } = header.size;
  const tooLarge = note(
    `it has ${width} × ${height} px and ${byteLength} bytes, and at most ${limits.maxSidePx} px per side and ${limits.maxBytes} bytes are passed on`,
  );
  const { engine } = limits;
  return engine === undefined || width * height > maxEnginePixels ? tooLarge : () => resized(block, engine, limits, tooLarge);
}

async function resized(block: ImageBlock, engine: ImageEngine, limits: Limits, otherwise: ContentBlock): Promise<ContentBlock> {
  try {
    const { maxSidePx, maxBytes } = limits;
    const made = await untilAborted(engine.resize(fromBase64(block.data), { maxSidePx, maxBytes }), limits.call?.signal);
    const header = made && readImageHeader(made.bytes);
    if (!made || !header?.size || !fits(header.size, made.bytes.byteLength, limits)) return otherwise;
    return { type: "image", data: toBase64(made.bytes), mimeType: header.mimeType };
  } catch {
    return otherwise;
  }
}

/** Blocks of data that is no JSON have no text. */
function textIfAny(blocks: readonly ContentBlock[]): string | undefined {
  try {
    return textOfBlocks(blocks);
  } catch {
    return undefined;
  }
}

/** One at a time: each image in work takes many times its own size. */
async function oneByOne(checked: readonly Checked[]): Promise<ContentBlock[]> {
  const blocks: ContentBlock[] = [];
  for (const block of checked) blocks.push(isBlock(block) ? block : await block());
  return blocks;
}

function isImage(block: ContentBlock): block is ImageBlock {
  return block.type === "image";
}

function isBlock(checked: Checked): checked is ContentBlock {
  return typeof checked !== "function";
}

function fits(size: NonNullable<ImageHeader["size"]>, byteLength: number, limits: ImageLimits): boolean {
  return Math.max(size.width, size.height) <= limits.maxSidePx && byteLength <= limits.maxBytes;
}

/** The size of a JPEG may stand behind a large preview, so the whole image is read where its beginning is not enough. */
function headerOf(data: string): ImageHeader | undefined {
  const enough = 64 * 1024;
  const header = readImageHeader(fromBase64(data.slice(0, enough)));
  return header !== undefined && header.size === undefined && data.length > enough ? readImageHeader(fromBase64(data)) : header;
}

function isBase64(data: string): boolean {
  if (data.length % 4 !== 0) return false;
  const end = data.search(/[^A-Za-z0-9+/]/);
  return end === -1 || (end >= data.length - 2 && /^={1,2}$/.test(data.slice(end)));
}

function note(reason: string): ContentBlock {
  return { type: "text", text: `[An image was left out: ${reason}.]` };
}

function shown(mimeType: string): string {
  return JSON.stringify(mimeType.slice(0, 60));
}
