import path from "node:path";
import { createMemoryTools } from "@toolrack/tools";
import { recordsOf } from "./_records.ts";
import type { OpenPack } from "./pack.ts";

export const open: OpenPack = (config, { root, ownFiles, store, registry }) => {
  const folder = typeof config["folder"] === "string" ? path.resolve(root, config["folder"]) : undefined;
  return createMemoryTools({
    ...config,
    ...(folder !== undefined && { folder }),
    hidden: ownFiles,
    breadcrumbs: (context) => recordsOf({ store, registry }, context),
  });
};
