import type { ContentBlock, HandlerReturn } from "@toolrack/core";
import { isObject } from "@toolrack/core/internal";
import { cleanResultText, cleanText } from "@toolrack/core/scan";
import { detailsKey } from "../../wire/protocol.ts";

/**
 * What a server answered, as a handler's result. Blocks of a kind that we do not know are shown as data. Text for a model comes without
 * characters that only hide something; data is left as it is.
 */
export function toHandlerReturn(result: Readonly<Record<string, unknown>>): HandlerReturn {
  const { content, structuredContent, isError, _meta: meta } = unwrapped(result);
  const data = structuredContent ?? (isObject(meta) ? meta[detailsKey] : undefined);
  const blocks = toBlocks(Array.isArray(content) ? content : []);
  if (isError === true) return { ok: false, error: failureText(blocks, data), code: "TOOL_FAILED" };
  const fault = faultOf(content, structuredContent, isError);
  if (fault !== undefined) return { ok: false, error: `The server answered ${fault}.`, code: "RESULT_INVALID" };
  if (data === undefined) return blocks.length === 0 ? "" : blocks;
  const texts = blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const isOnlyText = blocks.every((block) => block.type === "text" && Object.keys(block).length === 2);
  return { ok: true, content: texts.join("\n") || JSON.stringify(data), ...(!isOnlyText && { blocks }), data };
}

/** The form of 2024-10-07: { toolResult: { content, isError } }, or any value. An error on either level is one. */
function unwrapped(result: Fields): Fields {
  const { toolResult, content, structuredContent, ...rest } = result;
  if (toolResult === undefined || content !== undefined || structuredContent !== undefined) return result;
  if (typeof toolResult === "string") return { ...rest, content: [{ type: "text", text: toolResult }] };
  const isResult = isObject(toolResult) && ["content", "structuredContent", "isError"].some((field) => Object.hasOwn(toolResult, field));
  if (!isResult) return { ...rest, structuredContent: toolResult };
  return rest["isError"] === undefined || rest["isError"] === false ? { ...rest, ...toolResult } : { ...toolResult, ...rest };
}

/** Why an answer without an error is no result: what cannot be read is not taken for a success. */
function faultOf(content: unknown, structuredContent: unknown, isError: unknown): string | undefined {
  if (typeof isError !== "boolean" && isError !== undefined && isError !== null) return "with isError that is neither true nor false";
  if (content === undefined || content === null)
    return structuredContent === undefined ? "without content or structuredContent" : undefined;
  return Array.isArray(content) ? undefined : "with content that is no list of blocks";
}

/** Content of the protocol as blocks of a result. */
export function toBlocks(content: readonly unknown[]): readonly ContentBlock[] {
  return content.map((block) => toBlock(block));
}

function failureText(blocks: readonly ContentBlock[], data: unknown): string {
  const text = blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  return text || (data === undefined ? "The tool failed and did not say why." : JSON.stringify(data));
}

type Fields = Readonly<Record<string, unknown>>;

function toBlock(raw: unknown): ContentBlock {
  if (typeof raw !== "object" || raw === null) return { type: "json", data: raw };
  const block = raw as Fields;
  const { type, text, data, mimeType, uri, name, description, title, size } = block;
  const facts = factsOf(block);
  if (type === "text" && typeof text === "string") return { type, text: cleanResultText(text), ...facts };
  if ((type === "image" || type === "audio") && typeof data === "string" && typeof mimeType === "string")
    return { type, data, mimeType, ...facts };
  if (type === "resource_link" && typeof uri === "string") {
    return {
      type,
      uri,
      name: typeof name === "string" ? cleanText(name) : uri,
      ...(typeof mimeType === "string" && { mimeType }),
      ...(typeof description === "string" && { description: cleanText(description) }),
      ...(typeof title === "string" && { title: cleanText(title) }),
      ...(typeof size === "number" && { size }),
      ...facts,
    };
  }
  if (type === "resource" && typeof block["resource"] === "object" && block["resource"] !== null)
    return { ...fromResource(block["resource"] as Fields), ...facts };
  return { type: "json", data: block };
}

/** A document that came along: its text, its picture, its sound, or the whole of it as data. */
function fromResource(resource: Fields): ContentBlock {
  const { text, blob, mimeType, uri, _meta } = resource;
  const said = {
    uri,
    ...(typeof mimeType === "string" && { mimeType }),
    ...(isObject(_meta) && isShort(_meta) && { _meta }),
  };
  const from = typeof uri === "string" && isShort(said) ? { resource: { ...said, uri } } : {};
  if (typeof text === "string") return { type: "text", text: cleanResultText(text), ...from };
  const kind = typeof mimeType === "string" ? /^(image|audio)\//.exec(mimeType)?.[1] : undefined;
  if (kind !== undefined && typeof blob === "string")
    return { type: kind as "image" | "audio", data: blob, mimeType: mimeType as string, ...from };
  return { type: "json", data: resource, ...(typeof blob === "string" && from) };
}

/** What is said of a block besides its content; what is longer than any honest hint is left out. */
function factsOf({ annotations, _meta }: Fields): Pick<ContentBlock, "annotations" | "_meta"> {
  return {
    ...(isObject(annotations) && isShort(annotations) && { annotations }),
    ...(isObject(_meta) && isShort(_meta) && { _meta }),
  };
}

function isShort(value: object): boolean {
  return JSON.stringify(value).length <= 4_096;
}
