import type { BreadcrumbStore } from "@toolrack/store";
import type { RouteRequest } from "../http/route.ts";
import { guardWrites } from "../rack/access/guarded-writes.ts";
import { withSeenNames } from "../rack/access/seen-names.ts";
import {
  type IsVisible,
  type Viewer,
  visibleRecords as recordsVisibleTo,
  visibleStore,
  visibleTools as toolsVisibleTo,
} from "../rack/access/visible.ts";
import { callerFor } from "./shared/callers.ts";

type Asking = Pick<RouteRequest, "rack" | "identity">;

/** The tools that the caller of a request may see. */
export function visibleTools(request: Asking): IsVisible {
  return toolsVisibleTo(viewerOf(request));
}

/** The records that the caller of a request may see: none about a hidden tool. */
export function visibleRecords(request: Asking): ReturnType<typeof recordsVisibleTo> {
  return recordsVisibleTo(viewerOf(request));
}

/** The store with the rights of the caller of a request. */
export function recordsFor(request: Asking): BreadcrumbStore {
  const { rack, identity } = request;
  const guarded = guardWrites(rack.store.as(identity.actor), {
    isAdmin: identity.roles.has("admin"),
    registry: rack.registry,
    problemOf: rack.definitionProblem,
    kinds: rack.definitionKinds,
    findingsOf: rack.definitionFindings,
  });
  const store = withSeenNames(guarded, rack.registry);
  return visibleStore(store, viewerOf(request));
}

function viewerOf(request: Asking): Viewer {
  const { rack, identity } = request;
  return { registry: rack.registry, caller: callerFor(request), agent: identity.actor.agent, roles: identity.roles };
}
