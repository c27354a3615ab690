import { defineTool, type ToolDefinition } from "@toolrack/core";
import { applyChanges, fileEffect, oneAtATime, readTextFile } from "../workspace/changes.ts";
import { applyEdits, type TextEdit } from "../workspace/replace.ts";
import type { FilesPack } from "./options.ts";

export function createEdit({ files }: FilesPack): ToolDefinition {
  const oldText = { type: "string", minLength: 1, description: "The text to replace, exactly as it is in the file." } as const;
  const newText = { type: "string", description: "What to put in its place." } as const;
  const replaceAll = {
    type: "boolean",
    default: false,
    description: "Replace every occurrence. Otherwise there must be exactly one.",
  } as const;
  return defineTool({
    name: "edit",
    title: "Edit",
    description:
      "Replaces text in a file, exactly: either one text (old_text, new_text) or several at once (edits), all or none. Each text must be in the file exactly once.",
    inputSchema: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, description: "The file, relative to the workspace." },
        old_text: oldText,
        new_text: newText,
        replace_all: replaceAll,
        edits: {
          type: "array",
          minItems: 1,
          maxItems: 100,
          description: "Several replacements, each found in the file as it was before.",
          items: {
            type: "object",
            properties: { old_text: oldText, new_text: newText, replace_all: replaceAll },
            required: ["old_text", "new_text"],
            additionalProperties: false,
          },
        },
      },
      required: ["path"],
      if: { required: ["edits"] },
      else: { required: ["old_text", "new_text"] },
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        path: { type: "string" },
        replacements: { type: "integer" },
        firstLine: { type: "integer", description: "The line of the first change." },
      },
      required: ["path", "replacements", "firstLine"],
    },
    metadata: {
      category: "code",
      optionality: "required",
      usageHint: "Read the file first, and give enough of the lines around a change to make it unique.",
      examples: [
        {
          description: "Replace one text",
          input: { path: "README.md", old_text: "Hello", new_text: "Welcome", replace_all: true },
          usage: "result.replacements",
        },
        {
          description: "Make two changes at once",
          input: {
            path: "src/main.ts",
            edits: [
              { old_text: "const port = 80;", new_text: "const port = 8080;" },
              { old_text: 'host = "localhost"', new_text: 'host = "127.0.0.1"' },
            ],
          },
        },
      ],
      paths: ["path"],
      aliases: { file_path: "path", old_string: "old_text", new_string: "new_text" },
      annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
      limits: { timeoutMs: 30_000 },
    },
    handler: (input, { signal }) =>
      oneAtATime(files, async () => {
        const { path } = input;
        const file = await readTextFile(files, path);
        const { text, replacements, firstLine } = applyEdits(file.text, toEdits(input), path);
        const content = { text, encoding: file.encoding };
        await applyChanges(files, [{ kind: "write", path, content, expect: file.version }], signal);
        return {
          ok: true as const,
          content: `Edited ${path}: ${replacements} ${replacements === 1 ? "replacement" : "replacements"}, the first in line ${firstLine}.`,
          data: { path, replacements, firstLine },
          effects: [fileEffect("write", path)],
        };
      }),
  });
}

interface EditInput {
  readonly old_text?: string | undefined;
  readonly new_text?: string | undefined;
  readonly replace_all?: boolean | undefined;
  readonly edits?: readonly EditInput[] | undefined;
}

function toEdits({ edits = [], ...single }: EditInput): TextEdit[] {
  return [single, ...edits].flatMap(({ old_text: oldText, new_text: newText, replace_all: replaceAll }) =>
    oldText === undefined || newText === undefined ? [] : { oldText, newText, replaceAll },
  );
}
