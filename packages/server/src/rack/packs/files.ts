import { applyPatchModels as defaultModels, createFilesTools, forModels } from "@toolrack/tools";
import { openPackWorkspace } from "./_workspace.ts";
import type { OpenPack } from "./pack.ts";

export const open: OpenPack = ({ applyPatchModels = defaultModels, ...config }, context) =>
  createFilesTools({ ...config, ...openPackWorkspace(config, context) }).map((tool) =>
    tool.name === "apply_patch" ? forModels(tool, applyPatchModels as readonly string[]) : tool,
  );
