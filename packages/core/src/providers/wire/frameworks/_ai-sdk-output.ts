import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../../../errors.ts";
import { type ContentBlock, type HandlerResult, textOfBlocks } from "../../../tool/result.ts";
import { fileBlock, urlBlock } from "./_foreign-blocks.ts";

/** What `toModelOutput` of a tool of the AI SDK answered, as a result. `data` is what the tool itself answered, if its outputSchema describes it. */
export function fromAiSdkOutput(shown: unknown, tool: string, data: unknown): HandlerResult {
  const { type, value, reason } = isObject(shown) ? shown : ({} as JsonObject);
  const more = data === undefined ? {} : { data };
  switch (type) {
    case "text":
      return { ok: true, content: String(value), ...more };
    case "json":
      return { ok: true, content: JSON.stringify(value ?? null), data: data ?? value };
    case "content": {
      const blocks = (Array.isArray(value) ? value : []).map(toBlock);
      return { ok: true, content: textOfBlocks(blocks), blocks, ...more };
    }
    case "error-text":
    case "error-json":
      return { ok: false, error: typeof value === "string" ? value : (JSON.stringify(value) ?? "") };
    case "execution-denied":
      return { ok: false, error: typeof reason === "string" ? reason : `Tool "${tool}" was not allowed to run.`, code: "APPROVAL_DENIED" };
    default:
      throw new ToolError(
        "RESULT_INVALID",
        `toModelOutput of tool "${tool}" answered ${type === undefined ? "no output" : `an output of type ${JSON.stringify(type)}`}. ` +
          "Answer { type, value } of type text, json, content, error-text or error-json.",
      );
  }
}

/** Every spelling of a part that a version of the AI SDK had. */
function toBlock(part: unknown): ContentBlock {
  const { type, text, data, url, mediaType } = isObject(part) ? part : ({} as JsonObject);
  const mimeType = typeof mediaType === "string" ? mediaType : undefined;
  if (type === "text" && typeof text === "string") return { type: "text", text };
  if (typeof data === "string") return fileBlock(data, mimeType ?? "application/octet-stream");
  if (typeof url === "string") return urlBlock(url, mimeType);
  if (type === "file" && isObject(data)) {
    if (data["type"] === "text" && typeof data["text"] === "string") return { type: "text", text: data["text"] };
    if (data["type"] === "url") return urlBlock(String(data["url"]), mimeType);
    if (isBytes(data["data"])) return fileBlock(data["data"], mimeType ?? "application/octet-stream");
  }
  return { type: "json", data: part };
}

function isBytes(data: unknown): data is string | Uint8Array | ArrayBuffer {
  return typeof data === "string" || data instanceof Uint8Array || data instanceof ArrayBuffer;
}
