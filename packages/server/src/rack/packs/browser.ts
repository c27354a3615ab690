import { createBrowserHost, createBrowserTools } from "@toolrack/tools";
import type { ProgramCapability } from "../tools/isolation.ts";
import { openPackWorkspace } from "./_workspace.ts";
import type { OpenPack } from "./pack.ts";

export const open: OpenPack = (config, context) => {
  const { processes: _, ...workspace } = openPackWorkspace(config, context);
  const { isOwnAddress } = context;
  const host = createBrowserHost({ ...config, ...(isOwnAddress && { isOwnAddress }) });
  context.onClose(() => host.close());
  const needed: ProgramCapability = "playwright-core";
  return createBrowserTools({ ...config, ...workspace, host, onCallersEnd: context.onCallersEnd }).map((tool) => ({
    ...tool,
    metadata: { ...tool.metadata, requiresCapabilities: [...(tool.metadata?.requiresCapabilities ?? []), needed] },
  }));
};
