import { defineTool, type ToolDefinition } from "@toolrack/core";
import { wrapToolParamNormalization, wrapToolWorkspaceRootGuard } from "@toolrack/core/compat";
import type { FileOperations } from "../operations/files.ts";
import { explainFailure } from "./failures.ts";
import { withPathRules } from "./path-rules.ts";

export interface WorkspaceToolOptions {
  readonly root: string;
  /** Where to look for what a wrong path may have meant. */
  readonly files?: FileOperations;
}

/**
 * A tool that works in one folder: its paths are guarded and its parameters take their other names also without a registry, and
 * what the system answers becomes a sentence.
 */
export function inWorkspace(tool: ToolDefinition, { root, files }: WorkspaceToolOptions): ToolDefinition {
  const explaining = defineTool({
    ...tool,
    async handler(input: unknown, context): Promise<unknown> {
      try {
        return await tool.handler(input, context);
      } catch (error) {
        throw await explainFailure(error, files && withPathRules(files, context.pathRules));
      }
    },
  });
  return wrapToolParamNormalization(wrapToolWorkspaceRootGuard(explaining, root));
}
