import { defineTool, type HandlerResult, type ToolDefinition, ToolInputError } from "@toolrack/core";
import { actionSchema } from "../workspace/actions.ts";
import { readTextFile } from "../workspace/changes.ts";
import { splitLines } from "../workspace/lines.ts";
import { walk, type WalkedEntry } from "../workspace/walk.ts";
import { definitionsIn, importsIn, type Language, languageOf, languages } from "./_languages.ts";
import type { CodePack } from "./options.ts";

interface NavigateOutput {
  readonly entries?: readonly WalkedEntry[];
  readonly truncated?: boolean;
  readonly outline?: ReturnType<typeof definitionsIn>;
  readonly imports?: ReturnType<typeof importsIn>;
}

interface NavigateInput {
  readonly action: "list_directory" | "get_file_outline" | "find_imports" | "get_tree";
  readonly directory?: string;
  readonly path: string;
  readonly show_hidden?: boolean;
  readonly extension?: string;
  readonly max_depth?: number;
}

const maxEntries = 2_000;

export function createNavigate({ files }: CodePack): ToolDefinition {
  return defineTool({
    name: "navigate",
    title: "Find one's way",
    description: "Lists a folder, draws the tree below it, outlines what a file defines, and finds what it imports.",
    inputSchema: actionSchema({
      description: "What to look at.",
      actions: {
        list_directory: { takes: ["directory", "show_hidden", "extension"] },
        get_file_outline: { needs: ["path"] },
        find_imports: { needs: ["path"] },
        get_tree: { takes: ["directory", "show_hidden", "extension", "max_depth"] },
      },
      properties: {
        directory: { type: "string", minLength: 1, description: "The folder. By default the workspace." },
        path: { type: "string", minLength: 1, description: "The file, for get_file_outline and find_imports." },
        show_hidden: { type: "boolean", description: "Show names that begin with a dot." },
        extension: { type: "string", maxLength: 40, description: "Only files that end in this: go, or .go." },
        max_depth: { type: "integer", minimum: 1, maximum: 20, description: "get_tree: how many folders deep. By default 3." },
      },
    }),
    outputSchema: {
      type: "object",
      properties: {
        entries: {
          type: "array",
          items: {
            type: "object",
            properties: { path: { type: "string" }, kind: { type: "string" }, depth: { type: "integer" } },
            required: ["path", "kind", "depth"],
          },
        },
        truncated: { type: "boolean" },
        outline: {
          type: "array",
          items: {
            type: "object",
            properties: { line: { type: "integer" }, kind: { type: "string" }, name: { type: "string" }, text: { type: "string" } },
            required: ["line", "kind", "name"],
          },
        },
        imports: {
          type: "array",
          items: { type: "object", properties: { line: { type: "integer" }, name: { type: "string" } }, required: ["line", "name"] },
        },
      },
    },
    metadata: {
      category: "code",
      optionality: "required",
      usageHint: "Use get_tree for an overview of a project, and get_file_outline for an overview of a long file.",
      examples: [
        { description: "Draw the tree", input: { action: "get_tree", max_depth: 2 }, usage: "result.entries[0].path" },
        { description: "Outline a file", input: { action: "get_file_outline", path: "main.go" }, usage: "result.outline[0].name" },
      ],
      groups: ["fs"],
      profiles: ["coding"],
      paths: ["directory", "path"],
      aliases: { type: "action", dir: "directory", file_path: "path" },
      annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      limits: { timeoutMs: 60_000, maxResultBytes: 512 * 1024 },
    },
    async handler(input: NavigateInput, { signal }): Promise<HandlerResult<NavigateOutput>> {
      switch (input.action) {
        case "list_directory":
          return entriesOf(input, 1, signal);
        case "get_tree":
          return entriesOf(input, input.max_depth ?? 3, signal);
        case "get_file_outline": {
          const { language, lines } = await readCode(input.path);
          const outline = definitionsIn(language, lines);
          return {
            ok: true,
            content: outline.map(({ line, text }) => `${line}: ${text}`).join("\n") || "Nothing is defined.",
            data: { outline },
          };
        }
        case "find_imports": {
          const { language, lines } = await readCode(input.path);
          const imports = importsIn(language, lines);
          return {
            ok: true,
            content: imports.map(({ line, name }) => `${line}: ${name}`).join("\n") || "Nothing is imported.",
            data: { imports },
          };
        }
      }
    },
  });

  async function entriesOf(input: NavigateInput, maxDepth: number, signal: AbortSignal): Promise<HandlerResult<NavigateOutput>> {
    const { directory = ".", show_hidden: showHidden = false, extension } = input;
    const ending = extension === undefined ? "" : `.${extension.replace(/^\./, "")}`;
    const entries: WalkedEntry[] = [];
    let truncated = false;
    for await (const entry of walk(files, directory, { maxDepth, signal })) {
      const isHidden = entry.path
        .split("/")
        .slice(-entry.depth)
        .some((name) => name.startsWith("."));
      if ((isHidden && !showHidden) || (entry.kind !== "folder" && !entry.path.endsWith(ending))) continue;
      truncated = entries.length === maxEntries;
      if (truncated) break;
      entries.push(entry);
    }
    const lines = entries.map(
      ({ path, kind, depth }) => `${"  ".repeat(depth - 1)}${path.slice(path.lastIndexOf("/") + 1)}${kind === "folder" ? "/" : ""}`,
    );
    const content = (lines.join("\n") || "The folder is empty.") + (truncated ? `\n[There are more than ${maxEntries}.]` : "");
    return { ok: true, content, data: { entries, truncated } };
  }

  async function readCode(path: string): Promise<{ readonly language: Language; readonly lines: readonly string[] }> {
    const language = languageOf(path);
    if (language === undefined) {
      const known = languages.flatMap(({ endings }) => endings.slice(0, 2)).join(", ");
      throw new ToolInputError(
        `${JSON.stringify(path)} is in no language that is known here. Known are files that end in ${known} and the like.`,
      );
    }
    return { language, lines: splitLines((await readTextFile(files, path)).text) };
  }
}
