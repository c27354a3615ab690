import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { ToolAuthorizationError, ToolInputError } from "@toolrack/core";

/** The repository of a workspace, as real paths. */
export interface Repository {
  readonly root: string;
  /** `.git` in the workspace. Nothing else is taken for a repository. */
  readonly folder: string;
  /** The files that its configuration is read from. */
  readonly configs: readonly string[];
}

/**
 * The repository in `.git`, all of which is in the workspace. Git itself would also take the workspace for a bare repository where
 * its files look like one, and follow a `.git` that points elsewhere.
 */
export function openRepository(workspace: string): Repository {
  const root = realpathSync(workspace);
  const folder = join(root, ".git");
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) {
    throw new ToolInputError(
      "The workspace is not a git repository: it has no .git folder. A bare repository, or one above the workspace, is not used.",
    );
  }
  if (!found.isDirectory()) {
    throw new ToolAuthorizationError(
      "The .git of the workspace points to a repository somewhere else, as in a linked worktree or a submodule. Git is used only if .git is a folder of the workspace.",
    );
  }
  const entries = readdirSync(folder, { withFileTypes: true });
  const link = entries.find((entry) => entry.isSymbolicLink());
  if (link !== undefined) throw refused(link.name, "is a link, which may lead out of the workspace");
  for (const [name, why] of elsewhere) {
    if (lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined) throw refused(name, why);
  }
  const names = new Set(entries.map(({ name }) => name));
  return { root, folder, configs: ["config", "config.worktree"].filter((name) => names.has(name)).map((name) => join(folder, name)) };
}

/** What makes git read another repository, and its configuration. */
const elsewhere = [
  ["commondir", "says that the repository is somewhere else"],
  ["objects/info/alternates", "takes objects from another repository"],
  ["objects/info/http-alternates", "takes objects from another repository"],
  ["modules", "holds submodules, which have a configuration of their own"],
] as const;

function refused(name: string, why: string): ToolAuthorizationError {
  return new ToolAuthorizationError(`Git is not used in this workspace, because .git/${name} ${why}. Use a plain clone without it.`);
}
