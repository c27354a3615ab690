import { ToolError, ToolInputError } from "@toolrack/core";
import { gitOverrides, refuseUnknownSettings } from "./_git-config.ts";
import { joinOutput, maxOutputChars, type ProgramOptions, type ProgramResult, runProgram } from "./_program.ts";
import { openRepository, type Repository } from "./_repository.ts";
import type { CodePack } from "./options.ts";

/** Opens the repository of the workspace for one call. */
export type OpenGit = (signal: AbortSignal) => Promise<Git>;

/** Runs git in a repository that was found to be harmless. */
export interface Git {
  /** What git printed; a failure of git is thrown with its words. */
  run(args: readonly string[]): Promise<ProgramResult>;
}

/**
 * Git works on `.git` of the workspace and nothing else, takes paths as they are, and starts none of the programs that a repository
 * can name. Configuration of the machine and of its user is not read.
 */
export function createGitRunner(pack: CodePack): OpenGit {
  const { "core.hooksPath": noHooks, ...overrides } = gitOverrides;
  const settings = Object.entries(pack.gitHooks ? overrides : { ...overrides, "core.hooksPath": noHooks! });
  const common = ["--no-pager", "--literal-pathspecs", ...settings.flatMap(([key, value]) => ["-c", `${key}=${value}`])];
  return async (signal) => {
    const repository = openRepository(pack.files.root);
    const env = environmentOf(repository);
    const run = (args: readonly string[], options: Partial<ProgramOptions> = {}): Promise<ProgramResult> =>
      runProgram(pack, ["git", ...common, ...args], { signal, env, ...options });
    for (const file of repository.configs) {
      const list = ["config", "--file", file, "--no-includes", "--list", "-z"];
      const { exitCode, stdout, stderr } = await run(list, { maxChars: maxOutputChars });
      if (exitCode !== 0) throw failed("config", exitCode, stderr.trim());
      if (stdout.length >= maxOutputChars)
        throw new ToolInputError("The repository's configuration is too long to be checked. Shorten .git/config.");
      refuseUnknownSettings(stdout);
    }
    return {
      async run(args) {
        const result = await run(args);
        if (result.exitCode === 0) return result;
        throw failed(args[0]!, result.exitCode, joinOutput(result).trim());
      },
    };
  };
}

function failed(command: string, exitCode: number, words: string): ToolError {
  if (/^(Author|Committer) identity unknown/m.test(words)) {
    return new ToolInputError(
      "Git does not know who commits: settings of the machine and its user are not read. Set user.name and user.email in the repository's .git/config, or GIT_AUTHOR_NAME, GIT_AUTHOR_EMAIL, GIT_COMMITTER_NAME and GIT_COMMITTER_EMAIL in environment.set of the pack.",
    );
  }
  return new ToolError("TOOL_FAILED", `git ${command} failed with exit code ${exitCode}: ${words || "it said nothing."}`);
}

function environmentOf({ root, folder }: Repository): Record<string, string> {
  return {
    GIT_DIR: folder,
    GIT_WORK_TREE: root,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_EDITOR: "true",
    GIT_SEQUENCE_EDITOR: "true",
    GIT_PAGER: "cat",
    LC_ALL: "C.UTF-8",
  };
}
