import { createCodeTools } from "@toolrack/tools";
import { needIsolation, openPackWorkspace } from "./_workspace.ts";
import type { OpenPack } from "./pack.ts";

export const open: OpenPack = (config, context) =>
  needIsolation(createCodeTools({ ...config, ...openPackWorkspace(config, context) }), config, context);
