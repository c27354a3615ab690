import { createMetaTools } from "@toolrack/core/search";
import type { OpenPack } from "./pack.ts";

export const open: OpenPack = (config, { registry, reranker }) => createMetaTools(registry, { ...config, ...(reranker && { reranker }) });
