import { mkdirSync } from "node:fs";
import path from "node:path";
import { ToolError, type ToolDefinition } from "@toolrack/core";
import { createProcessOperations, type ProcessOperations } from "@toolrack/tools";
import type { PackConfig, PackPlace } from "./pack.ts";

/** Where a pack works, and what it never finds there. */
export interface Workplace {
  readonly root: string;
  readonly hidden: readonly string[];
  readonly processes: ProcessOperations;
}

/** The folder of a pack, made where it is missing, and programs that are started there, isolated unless the configuration says otherwise. */
export function openWorkplace(config: PackConfig, place: PackPlace): Workplace {
  const root = typeof config["root"] === "string" ? path.resolve(place.root, config["root"]) : place.root;
  makeFolder(root);
  const readable = Array.isArray(config["readable"]) ? config["readable"].map((folder) => path.resolve(place.root, String(folder))) : [];
  const processes = createProcessOperations({
    root,
    unconfined: config["unconfined"] === true,
    network: config["network"] === true,
    readable,
    hidden: place.ownFiles,
  });
  place.onClose(() => processes.close());
  return { root, hidden: place.ownFiles, processes };
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

/** Lists tools that run programs as unavailable, with the remedy, where nothing isolates the programs. */
export function needIsolation(tools: readonly ToolDefinition[], config: PackConfig): readonly ToolDefinition[] {
  if (config["unconfined"] === true) return tools;
  return tools.map((tool) => {
    if (!programTools.has(tool.name)) return tool;
    const { metadata } = tool;
    return { ...tool, metadata: { ...metadata, requiresCapabilities: [...(metadata?.requiresCapabilities ?? []), "isolation"] } };
  });
}

const programTools: ReadonlySet<string> = new Set(["exec", "process", "git", "bash", "test"]);
