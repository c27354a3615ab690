import { posix } from "node:path";
import { defineTool, type Effect, type HandlerResult, type ToolDefinition, ToolInputError } from "@toolrack/core";
import { applyChanges, type FileChange, fileEffect, oneAtATime, readTextFile } from "../workspace/changes.ts";
import { applyHunks } from "./_hunks.ts";
import { parsePatch, type PatchSection } from "./_patch.ts";
import type { FilesPack } from "./options.ts";

const example = `*** Begin Patch
*** Add File: docs/hello.md
+# Hello
*** Update File: src/main.ts
@@
-const port = 80;
+const port = 8080;
*** End Patch`;

export function createApplyPatch({ files }: FilesPack): ToolDefinition {
  return defineTool({
    name: "apply_patch",
    title: "Apply patch",
    description:
      'Changes several files at once, all or none, by a patch between "*** Begin Patch" and "*** End Patch". Sections are "*** Add File: path" with lines that begin with "+", "*** Update File: path" (optionally followed by "*** Move to: path") with "@@ context" and lines that begin with " ", "-" or "+", and "*** Delete File: path".',
    inputSchema: {
      type: "object",
      properties: { patch: { type: "string", minLength: 1, maxLength: 2_000_000, description: "The whole patch." } },
      required: ["patch"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        added: { type: "array", items: { type: "string" } },
        updated: { type: "array", items: { type: "string" } },
        moved: {
          type: "array",
          items: { type: "object", properties: { from: { type: "string" }, to: { type: "string" } }, required: ["from", "to"] },
        },
        deleted: { type: "array", items: { type: "string" } },
      },
      required: ["added", "updated", "moved", "deleted"],
    },
    metadata: {
      category: "code",
      optionality: "optional",
      usageHint: "Use for changes across files. Include three lines of context around each change, or an @@ line.",
      examples: [{ description: "Add a file and change another", input: { patch: example }, usage: "result.updated[0]" }],
      paths: [], // they are inside the patch, and the file operations check them
      aliases: { input: "patch" },
      annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
      limits: { timeoutMs: 60_000 },
    },
    handler: ({ patch }, { signal }) =>
      oneAtATime(files, async () => {
        const sections = parsePatch(patch);
        assertOnce(sections);
        const changes: FileChange[] = [];
        for (const section of sections) {
          signal.throwIfAborted();
          changes.push(...(await toChanges(section)));
        }
        await applyChanges(files, changes, signal);
        return report(sections);
      }),
  });

  async function toChanges(section: PatchSection): Promise<FileChange[]> {
    const { path } = section;
    if (section.kind === "add") {
      await assertFree(path);
      const text = section.lines.map((line) => `${line}\n`).join("");
      return [{ kind: "write", path, content: { text, encoding: "utf-8" }, expect: "absent" }];
    }
    if (section.kind === "delete") {
      const found = await files.stat(path);
      return [{ kind: "remove", path, ...(found && { expect: found.version }) }];
    }
    const file = await readTextFile(files, path);
    const content = { text: applyHunks(file.text, section.hunks, path), encoding: file.encoding };
    if (section.moveTo === undefined) return [{ kind: "write", path, content, expect: file.version }];
    await assertFree(section.moveTo);
    return [
      { kind: "write", path: section.moveTo, content, expect: "absent" },
      { kind: "remove", path, expect: file.version },
    ];
  }

  async function assertFree(path: string): Promise<void> {
    if ((await files.stat(path)) !== undefined)
      throw new ToolInputError(`${JSON.stringify(path)} already exists. Use "*** Update File: " to change it, or another path.`);
  }
}

/** Two sections for one file would both start from the original file. */
function assertOnce(sections: readonly PatchSection[]): void {
  const seen = new Set<string>();
  for (const section of sections) {
    for (const path of section.kind === "update" && section.moveTo !== undefined ? [section.path, section.moveTo] : [section.path]) {
      const normal = posix.normalize(path);
      if (seen.has(normal))
        throw new ToolInputError(`${JSON.stringify(path)} is in the patch twice. Put all of its changes into one section.`);
      seen.add(normal);
    }
  }
}

interface Patched {
  readonly added: readonly string[];
  readonly updated: readonly string[];
  readonly moved: readonly { readonly from: string; readonly to: string }[];
  readonly deleted: readonly string[];
}

function report(sections: readonly PatchSection[]): HandlerResult<Patched> {
  const of = (kind: PatchSection["kind"]): PatchSection[] => sections.filter((section) => section.kind === kind);
  const updates = of("update") as Extract<PatchSection, { kind: "update" }>[];
  const moved = updates.flatMap(({ path, moveTo }) => (moveTo === undefined ? [] : [{ from: path, to: moveTo }]));
  const data = {
    added: of("add").map(({ path }) => path),
    updated: updates.filter(({ moveTo }) => moveTo === undefined).map(({ path }) => path),
    moved,
    deleted: of("delete").map(({ path }) => path),
  };
  const effects: Effect[] = [
    ...data.added.map((path) => fileEffect("create", path)),
    ...data.updated.map((path) => fileEffect("write", path)),
    ...moved.flatMap(({ from, to }) => [fileEffect("create", to), fileEffect("delete", from)]),
    ...data.deleted.map((path) => fileEffect("delete", path)),
  ];
  return { ok: true, content: effects.map(({ action, target }) => `${action} ${target}`).join("\n"), data, effects };
}
