import { defineTool, type HandlerResult, type ToolDefinition, ToolInputError } from "@toolrack/core";
import { actionSchema } from "../workspace/actions.ts";
import { readTextFile } from "../workspace/changes.ts";
import { findPaths } from "../workspace/find.ts";
import { includesText } from "../workspace/find-text.ts";
import { splitLines } from "../workspace/lines.ts";
import { compileLineTest } from "../workspace/pattern.ts";
import { createRipgrep } from "../workspace/ripgrep.ts";
import { type LineMatch, searchLines } from "../workspace/search.ts";
import { walk } from "../workspace/walk.ts";
import { definitionsIn, languageNamed, languageOf, languages } from "./_languages.ts";
import type { CodePack } from "./options.ts";

interface SearchInput {
  readonly action: "grep" | "find_files" | "find_in_file" | "find_definition";
  readonly pattern: string;
  readonly directory?: string;
  readonly file_pattern?: string;
  readonly path: string;
  readonly name: string;
  readonly language?: string;
  readonly case_insensitive?: boolean;
  readonly max_results: number;
}

export function createSearch({ files, processes }: CodePack): ToolDefinition {
  const ripgrep = createRipgrep(processes);
  return defineTool({
    name: "search",
    title: "Search code",
    description: "Finds text in files, files by name, text in one file, and where a name is defined.",
    inputSchema: actionSchema({
      description: "What to look for.",
      actions: {
        grep: { needs: ["pattern"], takes: ["directory", "file_pattern", "case_insensitive", "max_results"] },
        find_files: { needs: ["pattern"], takes: ["directory", "max_results"] },
        find_in_file: { needs: ["path", "pattern"], takes: ["case_insensitive", "max_results"] },
        find_definition: { needs: ["name"], takes: ["directory", "language", "max_results"] },
      },
      properties: {
        pattern: {
          type: "string",
          minLength: 1,
          maxLength: 1_000,
          description: "A regular expression; for find_files a name such as *.go or src/**.",
        },
        directory: { type: "string", minLength: 1, description: "The folder to look in. By default the whole workspace." },
        file_pattern: { type: "string", minLength: 1, maxLength: 1_000, description: "grep: only files of this name, such as *.go." },
        path: { type: "string", minLength: 1, description: "find_in_file: the file." },
        name: { type: "string", minLength: 1, maxLength: 200, description: "find_definition: the name of a function, type, class …" },
        language: { type: "string", maxLength: 40, description: "find_definition: only in files of this language, such as go or python." },
        case_insensitive: { type: "boolean", description: "Take small and capital letters for the same." },
        max_results: { type: "integer", minimum: 1, maximum: 2_000, default: 100, description: "How many at most." },
      },
    }),
    outputSchema: {
      type: "object",
      properties: {
        matches: {
          type: "array",
          items: {
            type: "object",
            properties: { path: { type: "string" }, line: { type: "integer" }, text: { type: "string" }, kind: { type: "string" } },
            required: ["path", "line", "text"],
          },
        },
        paths: { type: "array", items: { type: "string" }, description: "find_files: the files." },
        truncated: { type: "boolean" },
      },
      required: ["truncated"],
    },
    metadata: {
      category: "code",
      optionality: "required",
      usageHint: "Use find_definition to get to a name, grep to see where it is used.",
      examples: [
        {
          description: "Find where something is used",
          input: { action: "grep", pattern: "main", file_pattern: "*.go" },
          usage: "result.matches[0].line",
        },
        {
          description: "Find a definition",
          input: { action: "find_definition", name: "main", language: "go" },
          usage: "result.matches[0].path",
        },
        { description: "Find files", input: { action: "find_files", pattern: "*.go" }, usage: "result.paths[0]" },
      ],
      groups: ["fs"],
      profiles: ["coding"],
      paths: ["directory", "path"],
      aliases: { type: "action", dir: "directory", symbol: "name" },
      annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      limits: { timeoutMs: 60_000, maxResultBytes: 1024 * 1024 },
    },
    async handler(input: SearchInput, { signal }): Promise<HandlerResult<Found>> {
      switch (input.action) {
        case "grep":
        case "find_in_file":
          return grep(input, signal);
        case "find_files": {
          const found = await findPaths(files, input.pattern, { path: input.directory, limit: input.max_results, signal });
          return { ok: true, content: withNote(found.paths, found.truncated), data: found };
        }
        case "find_definition":
          return findDefinition(input, signal);
      }
    },
  });

  async function grep({ action, pattern, ...input }: SearchInput, signal: AbortSignal): Promise<HandlerResult<Found>> {
    const wanted = { ignoresCase: input.case_insensitive === true };
    const { matches, truncated } = await searchLines(files, compileLineTest(pattern, wanted), {
      path: action === "grep" ? input.directory : input.path,
      glob: input.file_pattern,
      limit: input.max_results,
      signal,
      narrow: ripgrep(pattern, wanted),
    });
    return { ok: true, content: withNote(matches.map(showMatch), truncated), data: { matches, truncated } };
  }

  async function findDefinition(input: SearchInput, signal: AbortSignal): Promise<HandlerResult<Found>> {
    const wanted = input.language === undefined ? undefined : languageNamed(input.language);
    if (input.language !== undefined && wanted === undefined) {
      const known = languages.map(({ name }) => name).join(", ");
      throw new ToolInputError(`The language ${JSON.stringify(input.language)} is unknown. Use one of ${known}.`);
    }
    const matches: (LineMatch & { readonly kind: string })[] = [];
    for await (const { path, kind } of walk(files, input.directory ?? ".", { signal })) {
      const language = languageOf(path);
      if (kind !== "file" || language === undefined || (wanted !== undefined && language !== wanted)) continue;
      const text = await readTextFile(files, path).then(
        (file) => file.text,
        () => "", // it is no text, or gone
      );
      if (!includesText(text, input.name)) continue;
      for (const found of definitionsIn(language, splitLines(text))) {
        if (found.name !== input.name) continue;
        if (matches.length === input.max_results) return definitions(matches, true);
        matches.push({ path, line: found.line, text: found.text, kind: found.kind });
      }
    }
    return definitions(matches, false);
  }
}

interface Found {
  readonly matches?: readonly (LineMatch & { readonly kind?: string })[];
  readonly paths?: readonly string[];
  readonly truncated: boolean;
}

function definitions(matches: readonly (LineMatch & { readonly kind: string })[], truncated: boolean): HandlerResult<Found> {
  return { ok: true, content: withNote(matches.map(showMatch), truncated), data: { matches, truncated } };
}

function showMatch({ path, line, text }: LineMatch): string {
  return `${path}:${line}: ${text}`;
}

function withNote(lines: readonly string[], truncated: boolean): string {
  if (lines.length === 0) return "Nothing was found.";
  return lines.join("\n") + (truncated ? "\n[There are more. Narrow the search, or raise max_results.]" : "");
}
