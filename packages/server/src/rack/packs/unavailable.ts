import { createUnavailableTools } from "@toolrack/tools";
import type { OpenPack } from "./pack.ts";

export const open: OpenPack = () => createUnavailableTools();
