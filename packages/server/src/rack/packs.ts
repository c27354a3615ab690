import type { AnyTool, CallContext } from "@toolrack/core";
import { approveDefinition, type BreadcrumbStore, type Role } from "@toolrack/store";
import { createCommerceTools, createUtilityTools } from "@toolrack/tools";
import type { PackName, PacksConfig } from "../config/config.ts";

export interface PacksOptions {
  /** @default those of `defaultPacks` */
  readonly packs: PacksConfig | undefined;
  /** The folder that tools work in. */
  readonly root: string;
  readonly store: BreadcrumbStore;
}

/** The built-in tools that are configured. */
export function openPacks(options: PacksOptions): readonly AnyTool[] {
  const wanted = { ...defaultPacks, ...options.packs };
  return Object.entries(packs).flatMap(([name, open]) => {
    const config = wanted[name as PackName];
    return config === undefined || config === false ? [] : open(config === true ? {} : config, options);
  });
}

/** What is there where the configuration says nothing: nothing that reads files or runs programs. */
const defaultPacks: PacksConfig = { utility: true };

type OpenPack = (config: Readonly<Record<string, unknown>>, options: PacksOptions) => readonly AnyTool[];

const packs: Readonly<Partial<Record<PackName, OpenPack>>> = {
  utility: (config, { store }) =>
    createUtilityTools({
      ...config,
      breadcrumbs: (context) => recordsOf(store, context),
      approve: (context, id, reason) => approveDefinition(recordsOf(store, context), id, { reason }),
    }),
  commerce: (config) => createCommerceTools(config),
};

/** The records as the caller of a tool sees them: its roles in the server are its roles in the store. */
function recordsOf(store: BreadcrumbStore, { caller }: Pick<CallContext, "caller">): BreadcrumbStore {
  const roles = (caller.roles ?? []).filter((role): role is Role => storeRoles.has(role));
  return store.as({ owner: store.actor.owner, agent: caller.agent ?? "unknown", roles });
}

const storeRoles: ReadonlySet<string> = new Set<Role>(["emitter", "subscriber", "curator"]);
