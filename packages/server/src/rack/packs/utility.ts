import { approveDefinition, definitionHash, type JsonObject } from "@toolrack/store";
import { createUtilityTools } from "@toolrack/tools";
import { actorOf, recordsOf } from "./_records.ts";
import type { OpenPack } from "./pack.ts";

export const open: OpenPack = (config, { store, registry }) =>
  createUtilityTools({
    ...config,
    breadcrumbs: (context) => recordsOf({ store, registry }, context),
    approve: (context, id, decision) => approveDefinition(store.as(actorOf(store, context)), id, decision),
    definitionHash: ({ title, context }) => definitionHash({ title, context: context as JsonObject }),
  });
