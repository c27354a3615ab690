import { createSessionsTools } from "@toolrack/tools";
import type { OpenPack } from "./pack.ts";

export const open: OpenPack = (_config, { sessions, redact }) =>
  sessions === undefined ? [] : createSessionsTools({ open: sessions, ...(redact !== undefined && { redact }) });
