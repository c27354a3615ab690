import { defineTool, type ToolDefinition } from "@toolrack/core";
import { toShownPath } from "../workspace/walk.ts";
import type { FilesPack } from "./options.ts";

export function createLs({ files }: FilesPack): ToolDefinition {
  return defineTool({
    name: "ls",
    title: "List",
    description: "Lists what a folder of the workspace holds, by name. Folders end in /, links in @.",
    inputSchema: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, default: ".", description: "The folder, relative to the workspace." },
        limit: { type: "integer", minimum: 1, maximum: 5_000, default: 500, description: "How many entries at most." },
      },
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        path: { type: "string" },
        entries: {
          type: "array",
          items: {
            type: "object",
            properties: { name: { type: "string" }, kind: { type: "string", enum: ["file", "folder", "link", "other"] } },
            required: ["name", "kind"],
          },
        },
        truncated: { type: "boolean" },
      },
      required: ["path", "entries", "truncated"],
    },
    metadata: {
      category: "code",
      optionality: "optional",
      usageHint: "Use to look around. To find files by name anywhere below, use find.",
      examples: [{ description: "List the workspace", input: {}, usage: "result.entries[0].name" }],
      groups: ["fs"],
      profiles: ["coding"],
      paths: ["path"],
      aliases: { dir: "path", directory: "path" },
      annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      limits: { timeoutMs: 30_000 },
    },
    async handler({ path, limit }, { signal }) {
      signal.throwIfAborted();
      const all = await files.list(path);
      const entries = all.slice(0, limit);
      const left = all.length - entries.length;
      const lines = entries.map(({ name, kind }) => name + (marks[kind] ?? ""));
      return {
        ok: true as const,
        content: entries.length === 0 ? "The folder is empty." : lines.join("\n") + (left > 0 ? `\n[${left} more were left out.]` : ""),
        data: { path: toShownPath(files.root, path), entries, truncated: left > 0 },
      };
    },
  });
}

const marks: Readonly<Partial<Record<string, string>>> = { folder: "/", link: "@" };
