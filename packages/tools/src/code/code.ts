import type { ToolDefinition } from "@toolrack/core";
import { createFileOperations } from "../operations/node-files.ts";
import { createProcessOperations } from "../operations/node-processes.ts";
import { underPathRules } from "../workspace/path-rules.ts";
import { inWorkspace } from "../workspace/tool.ts";
import { createBash } from "./bash.ts";
import { createCodeEdit } from "./code-edit.ts";
import { createFile } from "./file.ts";
import { createGit } from "./git.ts";
import { createNavigate } from "./navigate.ts";
import type { CodePack, CodeToolsOptions } from "./options.ts";
import { createSearch } from "./search.ts";
import { createTest } from "./test.ts";

/** file, code_edit, search, navigate, git and test, and bash if the options enable it: the tools of the bundle for code agents. */
export function createCodeTools(options: CodeToolsOptions): ToolDefinition[] {
  const { root, hidden, within, bash = false, gitHooks = false, environment = {}, timeoutMs = 120_000 } = options;
  const files = options.files ?? createFileOperations({ root, ...(hidden && { hidden }), ...(within !== undefined && { within }) });
  const pack: CodePack = {
    files,
    processes: options.processes ?? createProcessOperations(options),
    gitHooks,
    environment,
    timeoutMs,
  };
  // Only these options enable the shell. A tool that is not created cannot be enabled by a setting, a record or a call.
  const shell = bash === false ? [] : [(made: CodePack) => createBash(made, bash === true ? {} : bash)];
  const creators = [createFile, createCodeEdit, createSearch, createNavigate, createGit, ...shell, createTest];
  return creators.map((create) =>
    inWorkspace(
      underPathRules((ruled) => create({ ...pack, files: ruled }), files),
      { root, files },
    ),
  );
}
