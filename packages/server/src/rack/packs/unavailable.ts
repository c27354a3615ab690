import { createUnavailableTools } from "@toolrack/tools";
import type { OpenPack } from "./pack.ts";

/** The tools for sessions are in a pack of their own, on or off. */
export const open: OpenPack = () => createUnavailableTools({ sessions: true });
