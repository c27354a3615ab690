import { dirname } from "node:path";
import { realpathSync } from "node:fs";
import { ToolError, ToolInputError } from "@toolrack/core";
import { joinOutput, type ProgramResult, runProgram } from "./_program.ts";
import type { CodePack } from "./options.ts";

/** Runs git in the repository of the workspace. */
export interface Git {
  /** What git printed; a failure of git is thrown with its words. */
  run(args: readonly string[], signal: AbortSignal): Promise<ProgramResult>;
  /** Whether git answers with 0. */
  succeeds(args: readonly string[], signal: AbortSignal): Promise<boolean>;
}

/**
 * Git looks for a repository no higher than the workspace, takes paths as they are, and starts none of the programs that a
 * repository can name: hooks, monitors, pagers, filters for differences, helpers for unknown addresses.
 */
export function createGitRunner(pack: CodePack): Git {
  const settings = [
    "core.fsmonitor=false",
    "core.pager=cat",
    "protocol.ext.allow=never",
    ...(pack.gitHooks ? [] : ["core.hooksPath=/dev/null"]),
  ];
  const common = ["--no-pager", "--literal-pathspecs", ...settings.flatMap((setting) => ["-c", setting])];
  const run = (args: readonly string[], signal: AbortSignal): Promise<ProgramResult> =>
    runProgram(pack, ["git", ...common, ...args], { signal, env: environmentOfGit(pack.files.root) });
  return {
    async run(args, signal) {
      const result = await run(args, signal);
      if (result.exitCode === 0) return result;
      const words = joinOutput(result).trim();
      if (/not a git repository/i.test(words)) {
        throw new ToolInputError("The workspace is no git repository, or its repository lies above it, which is out of reach.");
      }
      throw new ToolError("TOOL_FAILED", `git ${args[0]} failed with exit code ${result.exitCode}: ${words || "it said nothing."}`);
    },
    succeeds: async (args, signal) => (await run(args, signal)).exitCode === 0,
  };
}

function environmentOfGit(root: string): Record<string, string> {
  return {
    GIT_CEILING_DIRECTORIES: dirname(realpathSync(root)),
    GIT_TERMINAL_PROMPT: "0",
    GIT_EDITOR: "true",
    GIT_PAGER: "cat",
    LC_ALL: "C.UTF-8",
  };
}
