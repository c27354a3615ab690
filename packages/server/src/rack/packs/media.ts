import { createMediaTools, createScratchProcesses } from "@toolrack/tools";
import type { ProgramCapability } from "../tools/isolation.ts";
import { openPackWorkspace } from "./_workspace.ts";
import type { OpenPack } from "./pack.ts";

export const open: OpenPack = (config, context) => {
  const { processes: _, ...workspace } = openPackWorkspace(config, context);
  // Not those of the workspace: a program that reads a stranger's image sees no file at all.
  const processes = createScratchProcesses({ unconfined: config["unconfined"] === true, hidden: context.ownFiles });
  context.onClose(() => processes.close());
  const needed: readonly ProgramCapability[] = config["unconfined"] === true ? [] : ["isolation"];
  return createMediaTools({ ...config, ...workspace, operations: { processes } }).map((tool) => {
    const needs = tool.metadata?.requiresCapabilities ?? [];
    const runsProgram = needs.some((name) => name.startsWith("binary:"));
    return runsProgram ? { ...tool, metadata: { ...tool.metadata, requiresCapabilities: [...needs, ...needed] } } : tool;
  });
};
