import { mkdirSync } from "node:fs";
import path from "node:path";
import { type ToolDefinition, ToolError } from "@toolrack/core";
import { resolveInside } from "@toolrack/core/node";
import { createProcessOperations, findReserved, type ProcessOperations, type ProgramLimits, reservedRemedy } from "@toolrack/tools";
import type { ProgramCapability } from "../tools/isolation.ts";
import { innerFolder } from "./_inner-folder.ts";
import type { PackConfig, PackContext } from "./pack.ts";

/** The folder of a pack, and the files that it never sees there. */
export interface PackWorkspace {
  readonly root: string;
  readonly within: string;
  readonly hidden: readonly string[];
  readonly processes: ProcessOperations;
}

/** Opens the folder of a pack, created if it is missing, and its programs, isolated by default. */
export function openPackWorkspace(config: PackConfig, context: PackContext): PackWorkspace {
  const { folder: root, within } = innerFolder(context.root, config["root"]);
  makeFolder(within);
  // A link that leads out of the workspace is not changed; using it is refused.
  if (resolveInside(within, root).ok) makeFolder(root);
  const readable = (Array.isArray(config["readable"]) ? config["readable"] : []).map((folder) =>
    path.resolve(context.root, String(folder)),
  );
  const processes = createProcessOperations({
    root,
    within,
    unconfined: config["unconfined"] === true,
    network: config["network"] === true,
    readable,
    ...limitsIn(config),
    hidden: context.ownFiles,
  });
  context.onClose(() => processes.close());
  return { root, within, hidden: context.ownFiles, processes };
}

function limitsIn({ maxMemoryBytes, maxProcesses }: PackConfig): ProgramLimits {
  return {
    ...(typeof maxMemoryBytes === "number" && { maxMemoryBytes }),
    ...(typeof maxProcesses === "number" && { maxProcesses }),
  };
}

function makeFolder(root: string): void {
  try {
    mkdirSync(root, { recursive: true });
  } catch (error) {
    throw new ToolError(
      "CONFIG_INVALID",
      `The workspace ${root} cannot be created: ${(error as Error).message}. Set workspace to another folder.`,
      {
        cause: error,
      },
    );
  }
}

/** Marks tools that run programs as unavailable, with the remedy, if no isolation is available or programs could replace the server's files. */
export function needIsolation(tools: readonly ToolDefinition[], config: PackConfig, context: PackContext): readonly ToolDefinition[] {
  const needed: ProgramCapability[] = config["unconfined"] === true ? [] : ["isolation"];
  const { folder, within } = innerFolder(context.root, config["root"]);
  // Between the check and the mount, a program in the workspace could replace it by a link to anywhere.
  const isReplaceable = folder !== context.root && within === context.root;
  const reserved = isReplaceable
    ? `their root ${folder} lies inside the workspace, where programs may replace it`
    : findReserved(folder, context.ownFiles);
  if (reserved !== undefined) {
    needed.push("separate-workspace");
    context.onProblem(`Tools that run programs are unavailable, because ${reserved}. ${reservedRemedy}`);
  }
  return tools.map((tool) => {
    if (!programTools.has(tool.name)) return tool;
    const { metadata } = tool;
    return { ...tool, metadata: { ...metadata, requiresCapabilities: [...(metadata?.requiresCapabilities ?? []), ...needed] } };
  });
}

const programTools: ReadonlySet<string> = new Set(["exec", "process", "git", "bash", "test"]);
