import { defineTool, type Effect, type HandlerResult, type ToolDefinition, ToolInputError } from "@toolrack/core";
import { actionSchema } from "../workspace/actions.ts";
import { similarNames } from "../workspace/similar.ts";
import { createGitRunner, type Git } from "./_git.ts";
import { joinOutput } from "./_program.ts";
import type { CodePack } from "./options.ts";

interface GitInput {
  readonly action: "status" | "diff" | "add" | "commit" | "push" | "checkout" | "create_branch";
  readonly base?: string;
  readonly branch?: string;
  readonly files?: readonly string[];
  readonly message?: string;
  readonly remote?: string;
}

export function createGit(pack: CodePack): ToolDefinition {
  const open = createGitRunner(pack);
  // Begins with a letter or digit, so it is never an option.
  const reference = { type: "string", minLength: 1, maxLength: 250, pattern: "^[A-Za-z0-9_][A-Za-z0-9_./@{}^~+-]*$" } as const;
  return defineTool({
    name: "git",
    title: "Git",
    description: "Works with the git repository of the workspace: status, diff, add, commit, push, checkout, create_branch.",
    inputSchema: actionSchema({
      description: "What to do.",
      actions: {
        status: {},
        diff: { takes: ["base", "files"] },
        add: { needs: ["files"] },
        commit: { needs: ["message"], takes: ["files"] },
        push: { takes: ["remote", "branch"] },
        checkout: { needs: ["branch"] },
        create_branch: { needs: ["branch"], takes: ["base"] },
      },
      properties: {
        base: { ...reference, description: "diff: what to compare with; create_branch: where it begins. A branch, tag or commit." },
        branch: { ...reference, description: "The name of a branch." },
        files: {
          type: "array",
          items: { type: "string", minLength: 1, pattern: "^[^\\u0000]+$" },
          minItems: 1,
          maxItems: 1_000,
          description: "Files or folders, relative to the workspace.",
        },
        message: {
          type: "string",
          minLength: 1,
          maxLength: 20_000,
          pattern: "^[^\\u0000]+$",
          description: "commit: what the commit says.",
        },
        remote: {
          type: "string",
          maxLength: 250,
          pattern: "^[A-Za-z0-9_][A-Za-z0-9_.-]*$",
          description: "push: the name of a configured remote. By default origin.",
        },
      },
    }),
    outputSchema: {
      type: "object",
      properties: {
        action: { type: "string" },
        output: { type: "string", description: "What git printed." },
        branch: { type: "string", description: "The branch that is checked out; empty where there is none." },
        files: {
          type: "array",
          description: "status: what differs from the last commit.",
          items: { type: "object", properties: { path: { type: "string" }, status: { type: "string" } }, required: ["path", "status"] },
        },
        commit: { type: "string", description: "commit: its id." },
      },
      required: ["action", "output"],
    },
    metadata: {
      category: "vcs",
      optionality: "required",
      usageHint: "Check status and diff before a commit. Add files individually.",
      examples: [{ description: "See what changed", input: { action: "status" }, usage: "result.branch" }],
      groups: ["runtime"],
      profiles: ["coding"],
      requiresCapabilities: ["git"],
      paths: ["files"],
      aliases: { type: "action", file: "files" },
      annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
      limits: { timeoutMs: pack.timeoutMs + 15_000, maxResultBytes: 512 * 1024 },
    },
    async handler(input: GitInput, { signal }): Promise<HandlerResult<GitOutput>> {
      const git = await open(signal);
      const { action } = input;
      if (action === "status") return status(git);
      if (action === "push") await assertRemote(git, input.remote ?? "origin");
      const output = joinOutput(await git.run(argumentsFor(input))).trim();
      const data = { action, output, ...(await afterwards(git, action)) };
      return { ok: true, content: output || `git ${action} is done.`, data, ...effectsOf(input, data.commit) };
    },
  });
}

interface GitOutput {
  readonly action: GitInput["action"];
  readonly output: string;
  readonly branch?: string;
  readonly files?: readonly { readonly path: string; readonly status: string }[];
  readonly commit?: string;
}

async function status(git: Git): Promise<HandlerResult<GitOutput>> {
  const { stdout } = await git.run(["status", "--porcelain=v1", "-z", "--untracked-files=all", "--ignore-submodules=all"]);
  const branch = await currentBranch(git);
  const files = readStatus(stdout);
  const lines = files.map(({ path, status: letters }) => `${letters} ${path}`);
  const output = [`On ${branch || "no branch"}.`, ...(lines.length === 0 ? ["No changes since the last commit."] : lines)].join("\n");
  return { ok: true, content: output, data: { action: "status", output, branch, files } };
}

async function afterwards(git: Git, action: GitInput["action"]): Promise<{ readonly branch?: string; readonly commit?: string }> {
  if (action === "commit") return { commit: (await git.run(["rev-parse", "HEAD"])).stdout.trim() };
  return action === "checkout" || action === "create_branch" ? { branch: await currentBranch(git) } : {};
}

async function currentBranch(git: Git): Promise<string> {
  return (await git.run(["branch", "--show-current"])).stdout.trim();
}

/** Only remotes that the repository knows: a name is never taken for an address. */
async function assertRemote(git: Git, remote: string): Promise<void> {
  const known = (await git.run(["remote"])).stdout.split("\n").filter((name) => name !== "");
  if (known.includes(remote)) return;
  const near = similarNames(remote, known, 1)[0];
  const hint =
    near !== undefined ? ` Did you mean "${near}"?` : known.length === 0 ? " The repository has none." : ` There are ${known.join(", ")}.`;
  throw new ToolInputError(`There is no remote "${remote}".${hint}`);
}

function argumentsFor({ action, base, branch, files = [], message = "", remote = "origin" }: GitInput): string[] {
  switch (action) {
    case "diff":
      return [
        "diff",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--ignore-submodules=all",
        ...(base === undefined ? [] : [base]),
        "--",
        ...files,
      ];
    case "add":
      return ["add", "--", ...files];
    case "commit":
      return ["commit", "--no-gpg-sign", `--message=${message}`, "--", ...files];
    case "push":
      return ["push", remote, ...(branch === undefined ? ["HEAD"] : [`refs/heads/${branch}`])];
    case "checkout":
      return ["checkout", "--no-recurse-submodules", branch!, "--"];
    case "create_branch":
      return ["checkout", "-b", branch!, ...(base === undefined ? [] : [base]), "--"];
    case "status":
      return ["status"];
  }
}

/** "M  a\0R  new\0old\0" → the paths with the two letters of git; the old name of a renamed file follows as an entry of its own. */
function readStatus(text: string): { readonly path: string; readonly status: string }[] {
  const entries = text.split("\0");
  const files: { readonly path: string; readonly status: string }[] = [];
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at]!;
    if (entry.length < 4) continue;
    const letters = entry.slice(0, 2);
    files.push({ path: entry.slice(3), status: letters });
    if (/[RC]/.test(letters)) at++;
  }
  return files;
}

function effectsOf(
  { action, branch, files = [], remote = "origin" }: GitInput,
  commit: string | undefined,
): { readonly effects?: readonly Effect[] } {
  const effect = (target: string): Effect => ({ kind: "git", action, target });
  if (action === "diff" || action === "status") return {};
  if (action === "add") return { effects: files.map(effect) };
  return { effects: [effect(commit ?? (action === "push" ? `${remote} ${branch ?? "HEAD"}` : branch!))] };
}
