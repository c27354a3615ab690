import { ToolError, ToolInputError } from "@toolrack/core";
import { toToolError } from "../operations/http.ts";
import { runInThread } from "../operations/in-thread.ts";
import type { MediaOperations } from "./operations.ts";
import { type ImageSize, readSizeProgram } from "./size-program.ts";

export interface OpenedImage extends ImageSize {
  /** As the call named it. */
  readonly source: string;
  readonly bytes: Uint8Array;
}

/** Reads an image of the workspace, or one at an address, and looks at its header. Throws for what is none, or is too large to open. */
export async function openImage(
  operations: MediaOperations,
  source: string,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<OpenedImage> {
  const shown = JSON.stringify(source.slice(0, 200));
  const bytes = isAddress.test(source)
    ? await download(operations, source, maxBytes, signal)
    : await readFile(operations, source, maxBytes, shown);
  const end = await runInThread(readSizeProgram, bytes, { signal, maxRunMs: 5_000 });
  if ("failed" in end && end.failed === "not-installed")
    throw new ToolError("TOOL_UNAVAILABLE", 'Images cannot be read: the package "image-size" is not installed. Install it.');
  if ("failed" in end || end.answer === undefined)
    throw new ToolInputError(`${shown} is not an image of a known format: PNG, JPEG, GIF, WebP, TIFF, BMP, SVG and some more.`);
  const { width, height } = end.answer;
  if (width * height > maxPixels)
    throw new ToolInputError(`${shown} has ${width} × ${height} pixels, and at most ${maxPixels} are opened. Make it smaller.`);
  return { source, bytes, ...end.answer };
}

/** A small file can unfold into gigabytes. */
const maxPixels = 100_000_000;

const isAddress = /^[A-Za-z][A-Za-z0-9+.-]*:/;

async function download({ http }: MediaOperations, url: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  const headers = { "user-agent": "Mozilla/5.0 (compatible; Toolrack)", accept: "image/*" };
  const response = await http.request(url, { headers, signal, maxBytes }).catch((error: unknown) => {
    throw toToolError(error);
  });
  if (response.ok) return response.bytes;
  throw new ToolError("TOOL_FAILED", `${new URL(url).host} answered ${response.status} instead of the image. Check the address.`, {
    retryable: response.status === 429 || response.status >= 500,
  });
}

async function readFile({ files }: MediaOperations, path: string, maxBytes: number, shown: string): Promise<Uint8Array> {
  if (files === undefined) throw new ToolInputError(`${shown} is no address, and there is no workspace to read files from.`);
  return (await files.read(path, maxBytes)).bytes;
}
