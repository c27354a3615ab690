import { defineTool, type ToolDefinition } from "@toolrack/core";
import { findPaths } from "../workspace/find.ts";
import type { FilesPack } from "./options.ts";

export function createFind({ files }: FilesPack): ToolDefinition {
  return defineTool({
    name: "find",
    title: "Find",
    description:
      'Finds files and folders by name: "*.ts" anywhere, "src/**/*.test.ts" by path. Leaves out what .gitignore names, node_modules and .git.',
    inputSchema: {
      type: "object",
      properties: {
        pattern: {
          type: "string",
          minLength: 1,
          maxLength: 1_000,
          description: "With *, **, ?, [a-z] and {a,b}. Without a slash it is held against names alone.",
        },
        path: { type: "string", minLength: 1, default: ".", description: "The folder to look in, relative to the workspace." },
        kind: { type: "string", enum: ["file", "folder", "any"], default: "file", description: "What to find." },
        include_ignored: { type: "boolean", default: false, description: "Look also at what .gitignore names." },
        limit: { type: "integer", minimum: 1, maximum: 5_000, default: 500, description: "How many paths at most." },
      },
      required: ["pattern"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: { paths: { type: "array", items: { type: "string" } }, truncated: { type: "boolean" } },
      required: ["paths", "truncated"],
    },
    metadata: {
      category: "code",
      optionality: "optional",
      usageHint: "Use to find files by name. To find what is written in them, use grep.",
      examples: [{ description: "Find TypeScript files", input: { pattern: "*.ts" }, usage: "result.paths[0]" }],
      groups: ["fs"],
      profiles: ["coding"],
      paths: ["path"],
      annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      limits: { timeoutMs: 60_000 },
    },
    async handler({ pattern, path, kind, include_ignored: all, limit }, { signal }) {
      const found = await findPaths(files, pattern, { path, kind, obeysIgnore: !all, limit, signal });
      const { paths, truncated } = found;
      const note = truncated ? `\n[There are more than ${limit}.]` : "";
      return { ok: true as const, content: paths.length === 0 ? "Nothing was found." : paths.join("\n") + note, data: found };
    },
  });
}
