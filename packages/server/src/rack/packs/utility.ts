import { approveDefinition, definitionHash, forModels, type FoundBreadcrumb, type JsonObject } from "@toolrack/store";
import { createUtilityTools } from "@toolrack/tools";
import { createAgentLogitModel } from "./_agent-logit-model.ts";
import { actorOf, recordsOf } from "./_records.ts";
import type { OpenPack, PackConfig, PackContext } from "./pack.ts";

export const open: OpenPack = (config, { store, registry, definitions, modelOf }) =>
  createUtilityTools({
    ...withLogitModel(config, modelOf),
    breadcrumbs: (context) => recordsOf({ store, registry, definitions }, context),
    approve: (context, id, decision) => approveDefinition(store.as(actorOf(store, context)), id, decision),
    ...(definitions && {
      definitions: {
        kinds: definitions.kinds,
        problemOf: ({ title, context }, { caller }) => {
          const view = registry.view(caller);
          return definitions.problemOf({ title, context: context as JsonObject }, { sees: (tool) => view.offered(tool) !== undefined });
        },
        holderOf: (name) => registry.entries().find(({ tool }) => tool.name === name)?.source,
      },
    }),
    forModels: (records) => forModels(store, records as readonly FoundBreadcrumb[]),
    definitionHash: ({ title, context }) => definitionHash({ title, context: context as JsonObject }),
  });

/** `logit: { agent: "writer" }` is the model of that agent. */
function withLogitModel(config: PackConfig, modelOf: PackContext["modelOf"]): PackConfig {
  const agent = (config["logit"] as { readonly agent?: string } | undefined)?.agent;
  return agent === undefined || modelOf === undefined ? config : { ...config, logit: createAgentLogitModel(agent, modelOf) };
}
