import { defineTool, type ToolDefinition, ToolError, ToolInputError } from "@toolrack/core";
import { withRecords } from "../operations/breadcrumbs.ts";
import { recordText } from "./documents.ts";
import { notesUnder } from "../operations/notes.ts";
import type { MemoryOperations } from "./operations.ts";

export function createMemoryGet(operations: MemoryOperations): ToolDefinition {
  return defineTool({
    name: "memory_get",
    title: "Read from memory",
    description: "Reads lines of a note or of a record that memory_search found.",
    inputSchema: {
      type: "object",
      properties: {
        note: {
          type: "string",
          minLength: 1,
          maxLength: 1_000,
          description: "What to read, as memory_search names it: tea.md, record:abc.",
        },
        from: { type: "integer", minimum: 1, maximum: 10_000_000, default: 1, description: "The first line, counted from 1." },
        lines: { type: "integer", minimum: 1, maximum: 2_000, default: 100, description: "At most this many lines." },
      },
      required: ["note"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        note: { type: "string" },
        text: { type: "string" },
        from: { type: "integer" },
        to: { type: "integer", description: "The last returned line; less than from if there are no lines." },
        total_lines: { type: "integer" },
      },
      required: ["note", "text", "from", "to", "total_lines"],
    },
    metadata: {
      category: "research",
      optionality: "optional",
      usageHint: "To read around a place that memory_search found.",
      examples: [{ description: "The beginning of a note", input: { note: "tea.md", lines: 3 }, usage: "result.text" }],
      annotations: { readOnly: true, idempotent: true, openWorld: false },
      limits: { timeoutMs: 15_000, maxResultBytes: 524_288 },
      groups: ["memory"],
      profiles: ["coding"],
      aliases: { path: "note" },
    },
    async handler({ note, from, lines }, context) {
      const isRecord = note.startsWith("record:");
      const client = isRecord ? await operations.breadcrumbs(context) : undefined;
      if (isRecord ? client === undefined : operations.notes === undefined)
        throw new ToolError(
          "NEEDS_CONFIGURATION",
          `There are no ${isRecord ? "records" : "notes"} here. Hand them in where the tools are made.`,
        );
      const id = note.slice("record:".length);
      const record = client === undefined ? undefined : await withRecords(() => client.get(id));
      const text = isRecord ? record && recordText(record) : await notesUnder(operations.notes!, context.pathRules).read(note);
      if (text === undefined) throw new ToolInputError(`There is no "${note}" in memory. Find it with memory_search.`);
      const all = text.split(/\r\n|\r|\n/);
      const given = all.slice(from - 1, from - 1 + lines);
      return { note, text: given.join("\n"), from, to: from + given.length - 1, total_lines: all.length };
    },
  });
}
