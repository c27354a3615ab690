import { approveDefinition } from "@toolrack/store";
import { createUtilityTools } from "@toolrack/tools";
import { recordsOf } from "./_records.ts";
import type { OpenPack } from "./pack.ts";

export const open: OpenPack = (config, { store }) =>
  createUtilityTools({
    ...config,
    breadcrumbs: (context) => recordsOf(store, context),
    approve: (context, id, reason) => approveDefinition(recordsOf(store, context), id, { reason }),
  });
