import { createMemoryTools } from "@toolrack/tools";
import { innerFolder } from "./_inner-folder.ts";
import { recordsOf } from "./_records.ts";
import type { OpenPack } from "./pack.ts";

export const open: OpenPack = (config, { root, ownFiles, store }) => {
  return createMemoryTools({
    ...config,
    ...(typeof config["folder"] === "string" && innerFolder(root, config["folder"])),
    hidden: ownFiles,
    breadcrumbs: (context) => recordsOf(store, context),
  });
};
