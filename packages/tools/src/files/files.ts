import type { ToolDefinition } from "@toolrack/core";
import { createFileOperations } from "../operations/node-files.ts";
import { createProcessOperations } from "../operations/node-processes.ts";
import { underPathRules } from "../workspace/path-rules.ts";
import { inWorkspace } from "../workspace/tool.ts";
import { createApplyPatch } from "./apply-patch.ts";
import { createEdit } from "./edit.ts";
import { createFind } from "./find.ts";
import { createGrep } from "./grep.ts";
import { createLs } from "./ls.ts";
import type { FilesToolsOptions } from "./options.ts";
import { createRead } from "./read.ts";
import { createWrite } from "./write.ts";

/** read, write, edit, apply_patch, grep, find and ls, inside of one folder. */
export function createFilesTools(options: FilesToolsOptions): ToolDefinition[] {
  const { root, hidden, within } = options;
  const files = options.files ?? createFileOperations({ root, ...(hidden && { hidden }), ...(within !== undefined && { within }) });
  const processes = options.processes === false ? undefined : (options.processes ?? createProcessOperations({ root }));
  const creators = [createRead, createWrite, createEdit, createApplyPatch, createGrep, createFind, createLs];
  return creators.map((create) =>
    inWorkspace(
      underPathRules((ruled) => create({ files: ruled, processes }), files),
      { root, files },
    ),
  );
}
