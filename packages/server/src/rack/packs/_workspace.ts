import { mkdirSync } from "node:fs";
import path from "node:path";
import { type ToolDefinition, ToolError } from "@toolrack/core";
import { resolveInside } from "@toolrack/core/node";
import { createProcessOperations, findReserved, type ProcessOperations, type ProgramLimits, reservedRemedy } from "@toolrack/tools";
import type { ProgramCapability } from "../tools/isolation.ts";
import { innerFolder } from "./_inner-folder.ts";
import type { PackConfig, PackContext } from "./pack.ts";

/** Where a pack works, and what it never finds there. */
export interface PackWorkspace {
  readonly root: string;
  readonly within: string;
  readonly hidden: readonly string[];
  readonly processes: ProcessOperations;
}

/** The folder of a pack, made where it is missing, and programs that are started there, isolated unless the configuration says otherwise. */
export function openPackWorkspace(config: PackConfig, context: PackContext): PackWorkspace {
  const { folder: root, within } = innerFolder(context.root, config["root"]);
  makeFolder(within);
  // A link in the workspace that leads out of it is left as it is, and refused when it is used.
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
      `The workspace ${root} cannot be made: ${(error as Error).message}. Set workspace to another folder.`,
      {
        cause: error,
      },
    );
  }
}

/** Lists tools that run programs as unavailable, with the remedy, where nothing isolates the programs or they could replace own files. */
export function needIsolation(tools: readonly ToolDefinition[], config: PackConfig, context: PackContext): readonly ToolDefinition[] {
  const needed: ProgramCapability[] = config["unconfined"] === true ? [] : ["isolation"];
  const { folder, within } = innerFolder(context.root, config["root"]);
  // Between our look at it and its mount, a program that runs in the workspace could replace it by a link to anywhere.
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
