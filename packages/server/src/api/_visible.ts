import type { BreadcrumbStore, FoundBreadcrumb, JsonObject } from "@toolrack/store";
import type { RouteRequest } from "../http/route.ts";
import { callerFor, seesOthers } from "./_callers.ts";

export type IsVisible = (tool: string) => boolean;

/**
 * Which tools may be named to whoever asks. The policy decides first, wherever a tool would be shown; those who run the rack (subscriber,
 * curator, admin) see all. A name that no tool has is not hidden.
 */
export function visibleTools(request: Pick<RouteRequest, "rack" | "identity">): IsVisible {
  const { rack, identity } = request;
  if (seesOthers(identity)) return () => true;
  const { decision } = rack.registry.view(callerFor(request));
  return (tool) => decision(tool)?.allowed ?? !rack.registry.has(tool);
}

type Shown = Pick<FoundBreadcrumb, "schema_name" | "created_by"> & { readonly context?: JsonObject };

/** Whether a record tells nothing of a tool that is hidden from whoever asks, unless they wrote it themselves. */
export function visibleRecords(request: Pick<RouteRequest, "rack" | "identity">): (record: Shown) => boolean {
  const isVisible = visibleTools(request);
  return ({ schema_name, created_by, context }) => {
    const field = toolField.get(schema_name);
    const tool = field === undefined ? undefined : context?.[field];
    return typeof tool !== "string" || created_by === request.identity.actor.agent || isVisible(tool);
  };
}

/** Kinds of records that are about one tool, and where they name it. */
const toolField: ReadonlyMap<string, string> = new Map([
  ["tool.definition.v1", "name"],
  ["tool.config.v1", "tool"],
]);

/** The record that lists all tools is shown without those that are hidden. */
export function visibleCatalog<Found extends Shown>(record: Found, isVisible: IsVisible): Found {
  if (record.schema_name !== "tool.catalog.v1" || !Array.isArray(record.context?.["tools"])) return record;
  const tools = (record.context["tools"] as readonly JsonObject[]).filter(({ name }) => isVisible(String(name)));
  return { ...record, context: { ...record.context, tools, totalTools: tools.length } };
}

/** A store whose reads show whoever asks nothing of hidden tools. */
export function visibleStore(request: Pick<RouteRequest, "rack" | "identity">): BreadcrumbStore {
  const store = request.rack.store.as(request.identity.actor);
  if (seesOthers(request.identity)) return store;
  const [isShown, isVisible] = [visibleRecords(request), visibleTools(request)];
  const mayRead = async (id: string): Promise<boolean> => {
    const [newest] = await store.history(id, { limit: 1 });
    return newest === undefined || isShown(newest.record);
  };
  const reads: Pick<BreadcrumbStore, "get" | "search" | "history" | "diff"> = {
    async get(id) {
      if (!(await mayRead(id))) return undefined;
      const record = await store.get(id);
      return record && visibleCatalog(record, isVisible);
    },
    async search(query = {}) {
      const { records, ...page } = await store.search({ ...query, includeContext: true });
      const shown = records.filter(isShown).map((record) => visibleCatalog(record, isVisible));
      return { ...page, records: query.includeContext === true ? shown : shown.map(withoutContext) };
    },
    history: async (id, options) => ((await mayRead(id)) ? store.history(id, options) : []),
    diff: async (id, from, to) => ((await mayRead(id)) ? store.diff(id, from, to) : undefined),
  };
  return Object.assign(Object.create(store) as BreadcrumbStore, reads);
}

function withoutContext(record: FoundBreadcrumb): FoundBreadcrumb {
  const { context: _, ...rest } = record;
  return rest;
}
