import { createRuntimeTools } from "@toolrack/tools";
import { needIsolation, openWorkplace } from "./_workplace.ts";
import type { OpenPack } from "./pack.ts";

export const open: OpenPack = (config, place) =>
  needIsolation(createRuntimeTools({ ...config, ...openWorkplace(config, place), onCallersEnd: place.onCallersEnd }), config, place);
