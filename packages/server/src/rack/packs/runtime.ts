import { createRuntimeTools } from "@toolrack/tools";
import { needIsolation, openPackWorkspace } from "./_workspace.ts";
import type { OpenPack } from "./pack.ts";

export const open: OpenPack = (config, context) =>
  needIsolation(
    createRuntimeTools({ ...config, ...openPackWorkspace(config, context), onCallersEnd: context.onCallersEnd }),
    config,
    context,
  );
