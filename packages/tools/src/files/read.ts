import { type ContentBlock, defineTool, type HandlerResult, type ToolDefinition, ToolInputError } from "@toolrack/core";
import { maxFileBytes } from "../workspace/changes.ts";
import { lineEndingOf, splitLines } from "../workspace/lines.ts";
import { decodeText, textEncodings } from "../workspace/text.ts";
import type { FilesPack } from "./options.ts";

const defaultLimit = 2_000;
const maxChars = 100_000;
const maxLineChars = 5_000;

export function createRead({ files }: FilesPack): ToolDefinition {
  return defineTool({
    name: "read",
    title: "Read",
    description:
      "Reads a file of the workspace: text, whole or by lines, or an image (PNG, JPEG, GIF, WebP). Long files are returned in pages, with the offset of the next page.",
    inputSchema: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, description: "The file, relative to the workspace." },
        offset: { type: "integer", minimum: 1, default: 1, description: "The first line to read, from 1." },
        limit: { type: "integer", minimum: 1, maximum: 10_000, default: defaultLimit, description: "How many lines to read." },
      },
      required: ["path"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        path: { type: "string" },
        kind: { type: "string", enum: ["text", "image"] },
        bytes: { type: "integer" },
        mimeType: { type: "string", description: "Of an image." },
        text: { type: "string", description: "The lines that were read." },
        encoding: { type: "string", enum: [...textEncodings] },
        lineEnding: { type: "string", enum: ["\n", "\r\n", "mixed"] },
        firstLine: { type: "integer" },
        lastLine: { type: "integer" },
        totalLines: { type: "integer" },
        nextOffset: { type: "integer", description: "Where to go on; absent at the end of the file." },
      },
      required: ["path", "kind", "bytes"],
    },
    metadata: {
      category: "code",
      optionality: "required",
      usageHint: "Read a file before changing it. For a long file, read the lines you need with offset and limit.",
      examples: [
        {
          description: "Read a file",
          input: { path: "README.md" },
          usage: "result.text",
        },
        { description: "Read ten lines", input: { path: "README.md", offset: 1, limit: 10 }, usage: "result.totalLines" },
      ],
      paths: ["path"],
      aliases: { file_path: "path" },
      annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      limits: { timeoutMs: 30_000, maxResultBytes: 512 * 1024 },
    },
    async handler({ path, offset, limit }, { signal }) {
      signal.throwIfAborted();
      const { bytes } = await files.read(path, maxFileBytes);
      const mimeType = imageTypeOf(bytes);
      if (mimeType !== undefined) return imageResult(path, bytes, mimeType);
      const decoded = decodeText(bytes);
      if (decoded === undefined)
        throw new ToolInputError(`${JSON.stringify(path)} is neither text nor an image: it holds ${bytes.length} bytes of other data.`);
      const lines = splitLines(decoded.text);
      if (offset > Math.max(1, lines.length)) {
        throw new ToolInputError(`${JSON.stringify(path)} has ${lines.length} lines; offset ${offset} is behind its end.`);
      }
      const part = takeLines(lines, offset - 1, limit);
      const lastLine = offset - 1 + part.count;
      const nextOffset = lastLine < lines.length ? lastLine + 1 : undefined;
      const note =
        nextOffset === undefined ? "" : `\n[Lines ${offset} to ${lastLine} of ${lines.length}. Go on with offset ${nextOffset}.]`;
      return {
        ok: true,
        content: part.text + note + (part.cuts > 0 ? `\n[${part.cuts} long lines were cut to ${maxLineChars} characters.]` : ""),
        data: {
          path,
          kind: "text",
          bytes: bytes.length,
          text: part.text,
          encoding: decoded.encoding,
          lineEnding: lineEndingOf(decoded.text),
          firstLine: offset,
          lastLine,
          totalLines: lines.length,
          ...(nextOffset !== undefined && { nextOffset }),
        },
      };
    },
  });
}

interface TakenLines {
  readonly text: string;
  readonly count: number;
  readonly cuts: number;
}

/** At least one line, and no more than fit. */
function takeLines(lines: readonly string[], from: number, limit: number): TakenLines {
  const taken: string[] = [];
  let [chars, cuts] = [0, 0];
  for (const line of lines.slice(from, from + limit)) {
    const isLong = line.length > maxLineChars;
    const shown = isLong ? `${line.slice(0, maxLineChars)}…` : line;
    if (taken.length > 0 && chars + shown.length > maxChars) break;
    taken.push(shown);
    chars += shown.length + 1;
    if (isLong) cuts++;
  }
  return { text: taken.join("\n"), count: taken.length, cuts };
}

const imageTypes: readonly (readonly [mimeType: string, start: string, at?: number])[] = [
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF8"],
  ["image/webp", "WEBP", 8],
];

function imageTypeOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(16, bytes.byteLength)).toString("latin1");
  return imageTypes.find(([, text, at = 0]) => start.startsWith(text, at))?.[0];
}

interface ImageRead {
  readonly path: string;
  readonly kind: "image";
  readonly bytes: number;
  readonly mimeType: string;
}

function imageResult(path: string, bytes: Uint8Array, mimeType: string): HandlerResult<ImageRead> {
  const content = `${path}: an image (${mimeType}, ${bytes.length} bytes)`;
  const blocks: ContentBlock[] = [
    { type: "text", text: content },
    { type: "image", data: Buffer.from(bytes).toString("base64"), mimeType },
  ];
  return { ok: true, content, blocks, data: { path, kind: "image", bytes: bytes.length, mimeType } };
}
