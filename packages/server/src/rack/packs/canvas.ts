import { createCanvasTools } from "@toolrack/tools";
import type { OpenPack } from "./pack.ts";

export const open: OpenPack = (_config, { canvases }) => createCanvasTools(canvases === undefined ? {} : { host: canvases });
