import { createCodeTools } from "@toolrack/tools";
import { needIsolation, openWorkplace } from "./_workplace.ts";
import type { OpenPack } from "./pack.ts";

export const open: OpenPack = (config, place) =>
  needIsolation(createCodeTools({ ...config, ...openWorkplace(config, place) }), config, place);
