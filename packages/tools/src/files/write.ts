import { defineTool, type ToolDefinition, ToolInputError } from "@toolrack/core";
import { applyChanges, fileEffect, maxFileBytes, oneAtATime } from "../workspace/changes.ts";
import { lineEndingOf, withLineEnding } from "../workspace/lines.ts";
import { decodeText, type TextEncoding, textEncodings } from "../workspace/text.ts";
import type { FilesPack } from "./options.ts";

export function createWrite({ files }: FilesPack): ToolDefinition {
  return defineTool({
    name: "write",
    title: "Write",
    description:
      "Writes a text file of the workspace, new or in the place of an old one, and makes the folders it needs. An old file keeps its encoding, line endings and permissions.",
    inputSchema: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, description: "The file, relative to the workspace." },
        content: { type: "string", description: "The whole new text." },
        encoding: {
          type: "string",
          enum: [...textEncodings],
          description: "The text encoding. Default: that of the existing file, or utf-8.",
        },
        line_endings: {
          type: "string",
          enum: ["lf", "crlf"],
          description: "How lines end. By default as in the old file, or as they are in content.",
        },
      },
      required: ["path", "content"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        path: { type: "string" },
        created: { type: "boolean" },
        bytes: { type: "integer" },
        encoding: { type: "string", enum: [...textEncodings] },
      },
      required: ["path", "created", "bytes", "encoding"],
    },
    metadata: {
      category: "code",
      optionality: "required",
      usageHint: "Use for new files and complete rewrites. For changes in an existing file use edit.",
      examples: [
        {
          description: "Write a file",
          input: { path: "notes/todo.md", content: "- water the plants\n" },
          usage: "result.bytes",
        },
      ],
      paths: ["path"],
      aliases: { file_path: "path" },
      annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
      limits: { timeoutMs: 30_000 },
    },
    handler: ({ path, content, encoding, line_endings: ending }, { signal }) =>
      oneAtATime(files, async () => {
        signal.throwIfAborted();
        const old = await readOld(path);
        const text = withWantedEnding(content, ending, old?.text);
        const used: TextEncoding = encoding ?? old?.encoding ?? "utf-8";
        await applyChanges(files, [{ kind: "write", path, content: { text, encoding: used } }], signal);
        const created = old === undefined;
        const bytes = (await files.stat(path))?.bytes ?? 0;
        return {
          ok: true as const,
          content: `${created ? "Created" : "Wrote"} ${path}: ${bytes} bytes, ${used}.`,
          data: { path, created, bytes, encoding: used },
          effects: [fileEffect(created ? "create" : "write", path)],
        };
      }),
  });

  /** Undefined where there is no file. What is no text is replaced as if it were an empty one. */
  async function readOld(path: string): Promise<{ readonly text: string; readonly encoding?: TextEncoding } | undefined> {
    const found = await files.stat(path);
    if (found === undefined) return undefined;
    if (found.kind !== "file")
      throw new ToolInputError(`${JSON.stringify(path)} is a ${found.kind === "folder" ? "folder" : "special file"}. Name a file.`);
    if (found.bytes > maxFileBytes) return { text: "" };
    return decodeText((await files.read(path, maxFileBytes)).bytes) ?? { text: "" };
  }
}

function withWantedEnding(content: string, wanted: "lf" | "crlf" | undefined, old: string | undefined): string {
  if (wanted !== undefined) return withLineEnding(content, wanted === "crlf" ? "\r\n" : "\n");
  const isWide = old !== undefined && lineEndingOf(old) === "\r\n" && !content.includes("\r\n");
  return isWide ? withLineEnding(content, "\r\n") : content;
}
