import { type BreadcrumbStore, withoutSeen } from "@toolrack/store";
import { createMemoryTools } from "@toolrack/tools";
import { innerFolder } from "./_inner-folder.ts";
import { recordsOf } from "./_records.ts";
import type { OpenPack } from "./pack.ts";

export const open: OpenPack = (config, { root, ownFiles, store, registry }) => {
  return createMemoryTools({
    ...config,
    ...(typeof config["folder"] === "string" && innerFolder(root, config["folder"])),
    hidden: ownFiles,
    breadcrumbs: (context) => notesIn(recordsOf({ store, registry }, context)),
  });
};

/** What people and agents wrote: the definitions of tools are found by searching tools. */
function notesIn(records: BreadcrumbStore): BreadcrumbStore {
  const search: BreadcrumbStore["search"] = (query = {}) => records.search(withoutSeen(query));
  return Object.assign(Object.create(records) as BreadcrumbStore, { search });
}
