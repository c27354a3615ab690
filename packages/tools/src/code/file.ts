import { defineTool, type HandlerResult, type ToolDefinition } from "@toolrack/core";
import { actionSchema } from "../workspace/actions.ts";
import { applyChanges, fileEffect, oneAtATime, readTextFile } from "../workspace/changes.ts";
import { newLineEnding, withLineEnding } from "../workspace/lines.ts";
import { applyEdits } from "../workspace/replace.ts";
import type { TextEncoding } from "../workspace/text.ts";
import type { CodePack } from "./options.ts";

interface FileOutput {
  readonly path: string;
  readonly content?: string;
  readonly entries?: readonly { readonly name: string; readonly kind: string }[];
  readonly created?: boolean;
}

interface FileInput {
  readonly action: "read" | "write" | "list" | "replace" | "append" | "delete";
  readonly path: string;
  readonly content?: string;
  readonly old?: string;
  readonly new?: string;
}

export function createFile({ files }: CodePack): ToolDefinition {
  return defineTool({
    name: "file",
    title: "Files",
    description: "Reads, writes, lists, changes and deletes files of the workspace.",
    inputSchema: actionSchema({
      description: "The file operation to perform",
      required: ["path"],
      actions: {
        read: {},
        write: { needs: ["content"] },
        list: {},
        replace: { needs: ["old", "new"] },
        append: { needs: ["content"] },
        delete: {},
      },
      properties: {
        path: { type: "string", minLength: 1, description: "Absolute or relative file path" },
        content: { type: "string", description: "Content to write (for write action), or to add at the end (append)" },
        old: { type: "string", minLength: 1, description: "The text to replace, which must be in the file exactly once (replace)" },
        new: { type: "string", description: "What to put in its place (replace)" },
      },
    }),
    outputSchema: {
      type: "object",
      properties: {
        path: { type: "string" },
        content: { type: "string", description: "read: the text of the file." },
        entries: {
          type: "array",
          description: "list: the entries of the folder.",
          items: { type: "object", properties: { name: { type: "string" }, kind: { type: "string" } }, required: ["name", "kind"] },
        },
        created: { type: "boolean", description: "write, append: whether the file is new." },
      },
      required: ["path"],
    },
    metadata: {
      category: "code",
      optionality: "required",
      usageHint: "Use for reading, writing, and listing files. Always read before modifying.",
      examples: [
        { description: "Read a Go source file", input: { action: "read", path: "main.go" }, usage: "result.content" },
        { description: "Write a file", input: { action: "write", path: "notes.md", content: "# Notes\n" }, usage: "result.created" },
        { description: "List a folder", input: { action: "list", path: "." }, usage: "result.entries[0].name" },
      ],
      groups: ["fs"],
      profiles: ["coding"],
      paths: ["path"],
      aliases: { type: "action", file_path: "path", old_string: "old", new_string: "new" },
      annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
      limits: { timeoutMs: 30_000, maxResultBytes: 1024 * 1024 },
    },
    handler(input: FileInput, { signal }): Promise<HandlerResult<FileOutput>> {
      signal.throwIfAborted();
      switch (input.action) {
        case "read":
          return read(input.path);
        case "list":
          return list(input.path);
        case "delete":
          return oneAtATime(files, () => remove(input.path, signal));
        default:
          return oneAtATime(files, () => change(input, signal));
      }
    },
  });

  async function read(path: string): Promise<HandlerResult<FileOutput>> {
    const { text } = await readTextFile(files, path);
    return { ok: true, content: text, data: { path, content: text } };
  }

  async function list(path: string): Promise<HandlerResult<FileOutput>> {
    const entries = await files.list(path);
    const lines = entries.map(({ name, kind }) => (kind === "folder" ? `${name}/` : name));
    return { ok: true, content: lines.join("\n") || "The folder is empty.", data: { path, entries } };
  }

  async function remove(path: string, signal: AbortSignal): Promise<HandlerResult<FileOutput>> {
    await applyChanges(files, [{ kind: "remove", path }], signal);
    return { ok: true, content: `Deleted ${path}.`, data: { path }, effects: [fileEffect("delete", path)] };
  }

  async function change(input: FileInput, signal: AbortSignal): Promise<HandlerResult<FileOutput>> {
    const { action, path } = input;
    const found = action === "replace" ? { kind: "file" } : await files.stat(path);
    const old = found === undefined ? undefined : await oldText(path, action);
    const content = { text: changed(input, old?.text), encoding: old?.encoding ?? ("utf-8" as const) };
    await applyChanges(files, [{ kind: "write", path, content, expect: old?.version ?? "absent" }], signal);
    const created = old === undefined;
    return {
      ok: true,
      content: `${created ? "Created" : "Changed"} ${path}.`,
      data: { path, created },
      effects: [fileEffect(created ? "create" : "write", path)],
    };
  }

  /** A binary file can only be replaced completely. */
  async function oldText(
    path: string,
    action: FileInput["action"],
  ): Promise<{ readonly text: string; readonly encoding?: TextEncoding; readonly version: string }> {
    try {
      return await readTextFile(files, path);
    } catch (error) {
      const found = action === "write" ? await files.stat(path) : undefined;
      if (found?.kind !== "file") throw error;
      return { text: "", version: found.version };
    }
  }
}

function changed({ action, path, content = "", old = "", new: replacement = "" }: FileInput, before = ""): string {
  if (action === "replace") return applyEdits(before, [{ oldText: old, newText: replacement }], path).text;
  const ended = content.includes("\r\n") ? content : withLineEnding(content, newLineEnding(before));
  return action === "append" ? before + ended : ended;
}
