import type { CallContext } from "@toolrack/core";
import type { BreadcrumbStore, Role } from "@toolrack/store";
import { storeAgentOf } from "../store-agent.ts";

/** The records as the caller of a tool sees them: its roles in the server are its roles in the store. */
export function recordsOf(store: BreadcrumbStore, { caller }: Pick<CallContext, "caller">): BreadcrumbStore {
  const roles = (caller.roles ?? []).filter((role): role is Role => storeRoles.has(role));
  return store.as({ owner: store.actor.owner, agent: storeAgentOf(caller), roles });
}

const storeRoles: ReadonlySet<string> = new Set<Role>(["emitter", "subscriber", "curator"]);
