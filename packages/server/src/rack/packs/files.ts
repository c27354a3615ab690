import { createFilesTools } from "@toolrack/tools";
import { openPackWorkspace } from "./_workspace.ts";
import type { OpenPack } from "./pack.ts";

export const open: OpenPack = (config, context) => createFilesTools({ ...config, ...openPackWorkspace(config, context) });
