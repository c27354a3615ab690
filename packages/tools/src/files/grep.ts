import { defineTool, type ToolDefinition } from "@toolrack/core";
import { compileLineTest } from "../workspace/pattern.ts";
import { createRipgrep } from "../workspace/ripgrep.ts";
import { type LineMatch, searchLines } from "../workspace/search.ts";
import type { FilesPack } from "./options.ts";

export function createGrep({ files, processes }: FilesPack): ToolDefinition {
  const ripgrep = processes && createRipgrep(processes);
  return defineTool({
    name: "grep",
    title: "Grep",
    description:
      "Finds lines of text files that match a regular expression. Leaves out what .gitignore names, node_modules, .git and binary files.",
    inputSchema: {
      type: "object",
      properties: {
        pattern: { type: "string", minLength: 1, maxLength: 1_000, description: "A regular expression, held against each line." },
        path: { type: "string", minLength: 1, default: ".", description: "The file or folder to look in, relative to the workspace." },
        glob: { type: "string", minLength: 1, maxLength: 1_000, description: 'Only files of this name or path: "*.ts", "src/**".' },
        ignore_case: { type: "boolean", default: false, description: "Take small and capital letters for the same." },
        literal: { type: "boolean", default: false, description: "Take the pattern for plain text." },
        context: { type: "integer", minimum: 0, maximum: 20, default: 0, description: "Lines to show before and after each match." },
        include_ignored: { type: "boolean", default: false, description: "Look also at what .gitignore names." },
        limit: { type: "integer", minimum: 1, maximum: 2_000, default: 100, description: "How many matching lines at most." },
      },
      required: ["pattern"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        matches: {
          type: "array",
          items: {
            type: "object",
            properties: {
              path: { type: "string" },
              line: { type: "integer", description: "From 1." },
              text: { type: "string" },
              before: { type: "array", items: { type: "string" } },
              after: { type: "array", items: { type: "string" } },
            },
            required: ["path", "line", "text"],
          },
        },
        truncated: { type: "boolean", description: "Whether there are more." },
        files: { type: "integer", description: "How many files were looked at." },
      },
      required: ["matches", "truncated", "files"],
    },
    metadata: {
      category: "code",
      optionality: "optional",
      usageHint: "Use to search the contents of files. Restrict the search with path and glob before increasing limit.",
      examples: [
        { description: "Find a function", input: { pattern: "function \\w+", glob: "*.ts" }, usage: "result.matches[0].line" },
        { description: "Case-insensitive search for plain text", input: { pattern: "hello", literal: true, ignore_case: true } },
      ],
      groups: ["fs"],
      profiles: ["coding"],
      paths: ["path"],
      annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      limits: { timeoutMs: 60_000, maxResultBytes: 512 * 1024 },
    },
    async handler({ pattern, path, glob, ignore_case: ignoresCase, literal: isLiteral, context, include_ignored: all, limit }, { signal }) {
      const wanted = { isLiteral, ignoresCase };
      const test = compileLineTest(pattern, wanted);
      const narrow = ripgrep?.(pattern, wanted);
      const found = await searchLines(files, test, { path, glob, obeysIgnore: !all, context, limit, signal, narrow });
      const note = found.truncated ? `\n[There are more than ${found.matches.length} matches. Narrow the search, or raise limit.]` : "";
      const content = found.matches.length === 0 ? `Nothing was found in ${found.files} files.` : found.matches.map(show).join("\n") + note;
      return { ok: true as const, content, data: found };
    },
  });
}

/** "src/a.ts:12: text", and lines around it with "-" in the place of ":". */
function show({ path, line, text, before = [], after = [] }: LineMatch): string {
  return [
    ...before.map((near, index) => `${path}-${line - before.length + index}- ${near}`),
    `${path}:${line}: ${text}`,
    ...after.map((near, index) => `${path}-${line + 1 + index}- ${near}`),
  ].join("\n");
}
