import { toBase64 } from "#bytes";
import type { ContentBlock } from "../../../tool/result.ts";

/** Base64 data of another framework as a block. What is neither an image nor a sound is only named: models are sent no other files. */
export function fileBlock(data: string | Uint8Array | ArrayBuffer, mimeType: string): ContentBlock {
  const type = mimeType.startsWith("image/") ? "image" : mimeType.startsWith("audio/") ? "audio" : undefined;
  if (type === undefined) return { type: "text", text: `[file ${mimeType}]` };
  return { type, mimeType, data: typeof data === "string" ? data.replace(/^data:[^,]*,/, "") : toBase64(new Uint8Array(data)) };
}

/** A file at an address; a data URL is the file itself. */
export function urlBlock(url: string, mimeType?: string): ContentBlock {
  const inline = /^data:([^;,]+);base64,/.exec(url);
  if (inline !== null) return fileBlock(url.slice(inline[0].length), inline[1]!);
  return { type: "resource_link", uri: url, name: url, ...(mimeType !== undefined && { mimeType }) };
}
