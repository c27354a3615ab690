import type { BreadcrumbStore } from "@toolrack/store";
import type { RouteRequest } from "../http/route.ts";
import { guardWrites } from "../rack/access/guarded-writes.ts";
import {
  type IsVisible,
  type Viewer,
  visibleRecords as recordsVisibleTo,
  visibleStore,
  visibleTools as toolsVisibleTo,
} from "../rack/access/visible.ts";
import { callerFor } from "./shared/callers.ts";

type Asking = Pick<RouteRequest, "rack" | "identity">;

/** Which tools may be named to whoever makes the request. */
export function visibleTools(request: Asking): IsVisible {
  return toolsVisibleTo(viewerOf(request));
}

/** Whether a record tells nothing of a tool that is hidden from whoever makes the request. */
export function visibleRecords(request: Asking): ReturnType<typeof recordsVisibleTo> {
  return recordsVisibleTo(viewerOf(request));
}

/** The records with the eyes and the rights of whoever makes the request. */
export function recordsFor(request: Asking): BreadcrumbStore {
  const { rack, identity } = request;
  const store = guardWrites(rack.store.as(identity.actor), { isAdmin: identity.roles.has("admin") });
  return visibleStore(store, viewerOf(request));
}

function viewerOf(request: Asking): Viewer {
  const { rack, identity } = request;
  return { registry: rack.registry, caller: callerFor(request), agent: identity.actor.agent, roles: identity.roles };
}
