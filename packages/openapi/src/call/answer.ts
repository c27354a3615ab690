import { type ContentBlock, type HandlerResult, ToolError } from "@toolrack/core";
import type { SafeResponse } from "@toolrack/fetch";
import { hasControl } from "../document/characters.ts";
import { isDeeper } from "../document/depth.ts";
import { essenceOf, isJson, kindOf } from "../read/media-types.ts";

/** What an API answered, read by its media type. */
export interface OpenApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** "" if the API does not say. */
  readonly contentType: string;
  /** The value of a JSON answer. */
  readonly data?: unknown;
  /** The text of an answer that is no bytes. */
  readonly text?: string;
  readonly bytes?: Uint8Array;
  /** How many pages were read. */
  readonly pages: number;
}

export function readAnswer(response: SafeResponse): OpenApiAnswer {
  const { status, headers, bytes } = response;
  const contentType = headers["content-type"] ?? "";
  const facts = { status, headers, contentType, pages: 1 };
  if (bytes.byteLength === 0) return { ...facts, text: "" };
  const essence = essenceOf(contentType);
  const kind = contentType === "" ? undefined : kindOf(contentType);
  if (kind === "bytes" || (kind === undefined && contentType !== "" && !isText(bytes))) return { ...facts, bytes };
  if (contentType === "" && !isText(bytes)) return { ...facts, bytes };
  const text = response.text();
  if (isJson(essence) || (contentType === "" && /^\s*[{[]/.test(text))) {
    refuseDeep(text);
    try {
      return { ...facts, data: JSON.parse(text) as unknown, text };
    } catch {
      if (contentType !== "") throw noJson(essence, text);
    }
  }
  return { ...facts, text };
}

/** An answer that was cut off, or the error page of something in between: it is no success. */
function noJson(essence: string, text: string): ToolError {
  const shown = JSON.stringify(text.length > shownLength ? `${text.slice(0, shownLength)}…` : text);
  return new ToolError("RESULT_INVALID", `The API declares its answer as ${essence}, but it is not JSON. It begins: ${shown}`);
}

const shownLength = 200;
const maxDepth = 1_000;

/** What is nested more deeply can be parsed, but neither checked nor written again. */
function refuseDeep(text: string): void {
  if (isDeeper(text, maxDepth))
    throw new ToolError(
      "TOOL_FAILED",
      `The API answered with JSON that is nested more than ${maxDepth.toLocaleString("en")} deep: it is not read.`,
    );
}

/** The result of a call. Whole numbers that JSON.parse would round are shown as the API wrote them. */
export function toResult(answer: OpenApiAnswer, hasOutputSchema: boolean): HandlerResult {
  const { data, text = "", bytes, contentType, status } = answer;
  if (bytes !== undefined) return toBlocks(bytes, essenceOf(contentType));
  if (data !== undefined && data !== null)
    return { ok: true, content: answer.pages === 1 && /\d{16}/.test(text) ? text : JSON.stringify(data), data };
  if (text !== "" && data === undefined) return { ok: true, content: text };
  return { ok: true, content: hasOutputSchema || data === null ? "" : `Done: the API answered ${status} without content.` };
}

/** What a media type looks like: nothing else that an API writes in its place gets into a result. */
const mediaType = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/;

function toBlocks(bytes: Uint8Array, mimeType: string): HandlerResult {
  const data = Buffer.from(bytes).toString("base64");
  const shown = mediaType.test(mimeType) ? mimeType : "application/octet-stream";
  const type = shown.startsWith("image/") ? "image" : shown.startsWith("audio/") ? "audio" : undefined;
  const block: ContentBlock =
    type === undefined
      ? { type: "json", data: { mimeType: shown, bytes: bytes.byteLength, base64: data } }
      : { type, data, mimeType: shown };
  return { ok: true, content: `[${shown}, ${bytes.byteLength} bytes]`, blocks: [block] };
}

/** Bytes of an unknown type: those that are UTF-8 without control characters are text. */
function isText(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, 4_096), { stream: true });
    return !hasControl(text, "\t\n\r\f\v\u001b");
  } catch {
    return false;
  }
}
