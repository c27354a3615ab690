import { createRuntimeTools } from "@toolrack/tools";
import { openWorkplace } from "./_workplace.ts";
import type { OpenPack } from "./pack.ts";

export const open: OpenPack = (config, place) => createRuntimeTools({ ...config, ...openWorkplace(config, place) });
