import { createUnavailableTools } from "@toolrack/tools";
import type { OpenPack } from "./pack.ts";

export const open: OpenPack = (_config, { sessions }) => createUnavailableTools({ sessions: sessions !== undefined });
