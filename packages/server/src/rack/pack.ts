import type { AnyTool, CallContext, Registry } from "@toolrack/core";
import type { BreadcrumbStore, Role } from "@toolrack/store";

/** Makes the tools of one pack from what the configuration says about it. */
export type Pack = (config: PackConfig, place: PackPlace) => readonly AnyTool[];

export type PackConfig = Readonly<Record<string, unknown>>;

/** What packs are put into. */
export interface PackPlace {
  /** The folder that tools work in. */
  readonly root: string;
  readonly store: BreadcrumbStore;
  /** Where the tools will hang: those that find other tools look there. */
  readonly registry: Registry;
  /** What has to end with the rack. */
  onClose(close: () => Promise<void>): void;
}

/** The records as the caller of a tool sees them: its roles in the server are its roles in the store. */
export function recordsOf(store: BreadcrumbStore, { caller }: Pick<CallContext, "caller">): BreadcrumbStore {
  const roles = (caller.roles ?? []).filter((role): role is Role => storeRoles.has(role));
  return store.as({ owner: store.actor.owner, agent: caller.agent ?? "unknown", roles });
}

const storeRoles: ReadonlySet<string> = new Set<Role>(["emitter", "subscriber", "curator"]);
