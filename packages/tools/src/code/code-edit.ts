import { defineTool, type HandlerResult, type ToolDefinition, ToolInputError } from "@toolrack/core";
import { actionSchema } from "../workspace/actions.ts";
import { applyChanges, fileEffect, oneAtATime, readTextFile, type TextFile } from "../workspace/changes.ts";
import { type EndedLine, fromEndedLines, newLineEnding, splitLines, toEndedLines } from "../workspace/lines.ts";
import type { CodePack } from "./options.ts";

interface CodeEditInput {
  readonly action: "get_lines" | "edit_lines" | "insert_at_line" | "delete_lines";
  readonly path: string;
  readonly start_line?: number;
  readonly end_line?: number;
  readonly line_number?: number;
  readonly new_content?: string;
  readonly content?: string;
}

export function createCodeEdit({ files }: CodePack): ToolDefinition {
  const line = { type: "integer", minimum: 1 } as const;
  return defineTool({
    name: "code_edit",
    title: "Edit by lines",
    description: "Reads, replaces, inserts and deletes lines of a file by their numbers. Every other line stays as it is.",
    inputSchema: actionSchema({
      description: "What to do with the lines.",
      required: ["path"],
      actions: {
        get_lines: { needs: ["start_line"], takes: ["end_line"] },
        edit_lines: { needs: ["start_line", "new_content"], takes: ["end_line"] },
        insert_at_line: { needs: ["line_number", "content"] },
        delete_lines: { needs: ["start_line"], takes: ["end_line"] },
      },
      properties: {
        path: { type: "string", minLength: 1, description: "The file, relative to the workspace." },
        start_line: { ...line, description: "The first line, from 1." },
        end_line: { ...line, description: "The last line, itself included. By default the first line." },
        line_number: { ...line, description: "The number that the first inserted line will have." },
        new_content: { type: "string", description: "The replacement lines." },
        content: { type: "string", description: "The lines to insert." },
      },
    }),
    outputSchema: {
      type: "object",
      properties: {
        path: { type: "string" },
        lines: { type: "array", items: { type: "string" }, description: "get_lines: the lines." },
        start_line: { type: "integer" },
        total_lines: { type: "integer", description: "How many lines the file has now." },
      },
      required: ["path", "start_line", "total_lines"],
    },
    metadata: {
      category: "code",
      optionality: "required",
      usageHint: "Get the lines first: numbers move when lines are inserted or deleted.",
      examples: [
        {
          description: "Look at two lines",
          input: { action: "get_lines", path: "main.go", start_line: 1, end_line: 2 },
          usage: "result.lines[0]",
        },
        {
          description: "Replace a line",
          input: { action: "edit_lines", path: "main.go", start_line: 1, end_line: 1, new_content: "package main" },
        },
      ],
      groups: ["fs"],
      profiles: ["coding"],
      paths: ["path"],
      aliases: { type: "action", file_path: "path" },
      annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
      limits: { timeoutMs: 30_000, maxResultBytes: 1024 * 1024 },
    },
    async handler(input: CodeEditInput, { signal }): Promise<HandlerResult<Edited>> {
      signal.throwIfAborted();
      if (input.action === "get_lines") return getLines(await readTextFile(files, input.path), input);
      return oneAtATime(files, async () => {
        const { path } = input;
        const file = await readTextFile(files, path);
        const lines = changeLines(file, input);
        const content = { text: fromEndedLines(lines, newLineEnding(file.text)), encoding: file.encoding };
        await applyChanges(files, [{ kind: "write", path, content, expect: file.version }], signal);
        return {
          ok: true,
          content: `Changed ${path}, which has ${lines.length} lines now.`,
          data: { path, start_line: input.line_number ?? input.start_line ?? 1, total_lines: lines.length },
          effects: [fileEffect("write", path)],
        };
      });
    },
  });
}

interface Edited {
  readonly path: string;
  readonly lines?: readonly string[];
  readonly start_line: number;
  readonly total_lines: number;
}

function getLines(file: TextFile, { path, start_line: start = 1, end_line: end = start }: CodeEditInput): HandlerResult<Edited> {
  const all = splitLines(file.text);
  assertRange(path, start, end, all.length);
  const lines = all.slice(start - 1, end);
  const content = lines.map((text, index) => `${start + index}: ${text}`).join("\n");
  return { ok: true, content, data: { path, lines, start_line: start, total_lines: all.length } };
}

function changeLines(file: TextFile, input: CodeEditInput): EndedLine[] {
  const { path, action } = input;
  const lines = toEndedLines(file.text);
  const ending = newLineEnding(file.text);
  const added = splitLines(input.new_content ?? input.content ?? "").map((text): EndedLine => ({ text, ending }));
  if (action === "insert_at_line") {
    const at = input.line_number!;
    if (at > lines.length + 1) throw behindEnd(path, "line_number", at, lines.length);
    return [...lines.slice(0, at - 1), ...added, ...lines.slice(at - 1)];
  }
  const { start_line: start = 1, end_line: end = start } = input;
  assertRange(path, start, end, lines.length);
  return [...lines.slice(0, start - 1), ...(action === "edit_lines" ? added : []), ...lines.slice(end)];
}

function assertRange(path: string, start: number, end: number, total: number): void {
  if (end < start) throw new ToolInputError(`end_line ${end} is before start_line ${start}.`);
  if (start > total) throw behindEnd(path, "start_line", start, total);
  if (end > total) throw behindEnd(path, "end_line", end, total);
}

function behindEnd(path: string, parameter: string, line: number, total: number): ToolInputError {
  return new ToolInputError(`${JSON.stringify(path)} has ${total} lines; ${parameter} ${line} is behind its end.`);
}
