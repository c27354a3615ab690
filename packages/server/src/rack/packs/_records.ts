import type { CallContext } from "@toolrack/core";
import type { Actor, BreadcrumbStore, Role } from "@toolrack/store";
import { guardWrites } from "../access/guarded-writes.ts";
import { withSeenNames } from "../access/seen-names.ts";
import { signedInAs, storeAgentOf } from "../access/store-agent.ts";
import { visibleStore } from "../access/visible.ts";
import type { PackContext } from "./pack.ts";

/** The store with the rights of the caller of a tool: the same as over HTTP. */
export function recordsOf(
  { store, registry, definitions }: Pick<PackContext, "store" | "registry" | "definitions">,
  { caller }: Pick<CallContext, "caller">,
): BreadcrumbStore {
  const { roles = [] } = caller;
  const actor = actorOf(store, { caller });
  const guarded = withSeenNames(
    guardWrites(store.as(actor), {
      isAdmin: roles.includes("admin"),
      registry,
      problemOf: definitions?.problemOf,
      kinds: definitions?.kinds,
      findingsOf: definitions?.findingsOf,
    }),
    registry,
  );
  return visibleStore(guarded, { registry, caller, agent: actor.agent, roles });
}

/** The actor in the store for the caller of a tool: with its roles in the server. */
export function actorOf(store: BreadcrumbStore, { caller }: Pick<CallContext, "caller">): Actor {
  const roles = (caller.roles ?? []).filter((role): role is Role => storeRoles.has(role));
  const agent = storeAgentOf(caller);
  return { owner: store.actor.owner, agent, ...signedInAs(caller), roles, ...(caller.owner === true && { approvesOwn: true }) };
}

const storeRoles: ReadonlySet<string> = new Set<Role>(["emitter", "subscriber", "curator"]);
