import type { Caller, Registry } from "@toolrack/core";
import type { BreadcrumbStore, FoundBreadcrumb, JsonObject, WriteResult } from "@toolrack/store";

/** The caller, as far as it decides which tools it may see. */
export interface Viewer {
  readonly registry: Pick<Registry, "view">;
  /** As the policy sees them. */
  readonly caller: Caller;
  /** Its name in the store: a caller may always see its own records. */
  readonly agent: string;
  readonly roles: Iterable<string>;
}

/** Roles that run the server: they see every tool. */
const overseers: ReadonlySet<string> = new Set(["subscriber", "curator", "admin"]);

export function isOverseer(roles: Iterable<string>): boolean {
  for (const role of roles) if (overseers.has(role)) return true;
  return false;
}

/** A tool by its name, or what a stored definition says of one that is not registered. */
export type IsVisible = (tool: string, definition?: JsonObject) => boolean;

/**
 * Which tools a caller may see. The policy decides, also for a name without a registered tool: a draft, or a tool that was removed.
 * Operators (subscriber, curator, admin) see all tools.
 */
export function visibleTools({ registry, caller, roles }: Pick<Viewer, "registry" | "caller" | "roles">): IsVisible {
  if (isOverseer(roles)) return () => true;
  const { decisionAbout } = registry.view(caller);
  return (name, definition = {}) => {
    const { groups, ownerOnly } = definition;
    const isList = Array.isArray(groups) && groups.every((group) => typeof group === "string");
    return decisionAbout({ name, metadata: { ...(isList && { groups }), ...(ownerOnly === true && { ownerOnly }) } }).allowed;
  };
}

type Shown = Pick<FoundBreadcrumb, "schema_name" | "created_by"> & { readonly context?: JsonObject };

/** Whether a caller may see a record: it is about no tool that is hidden from the caller, or the caller wrote it. */
export function visibleRecords(viewer: Viewer): (record: Shown) => boolean {
  const isVisible = visibleTools(viewer);
  return ({ schema_name, created_by, context }) => {
    const field = toolField.get(schema_name);
    const tool = field === undefined ? undefined : context?.[field];
    return typeof tool !== "string" || created_by === viewer.agent || isVisible(tool, context);
  };
}

/** Kinds of records that are about one tool, and where they name it. */
const toolField: ReadonlyMap<string, string> = new Map([
  ["tool.definition.v1", "name"],
  ["tool.config.v1", "tool"],
]);

/** The record that lists all tools is shown without those that are hidden. */
function visibleCatalog<Found extends Shown>(record: Found, isVisible: IsVisible): Found {
  if (record.schema_name !== "tool.catalog.v1" || !Array.isArray(record.context?.["tools"])) return record;
  const tools = (record.context["tools"] as readonly JsonObject[]).filter(({ name }) => isVisible(String(name)));
  return { ...record, context: { ...record.context, tools, totalTools: tools.length } };
}

/** The same store without the records about tools that are hidden from the viewer. */
export function visibleStore(store: BreadcrumbStore, viewer: Viewer): BreadcrumbStore {
  if (isOverseer(viewer.roles)) return store;
  const [isShown, isVisible] = [visibleRecords(viewer), visibleTools(viewer)];
  const mayRead = async (id: string): Promise<boolean> => {
    const [newest] = await store.history(id, { limit: 1 });
    return newest === undefined || isShown(newest.record);
  };
  const found =
    <Rest extends readonly unknown[]>(write: (id: string, ...rest: Rest) => Promise<WriteResult>) =>
    async (id: string, ...rest: Rest): Promise<WriteResult> =>
      (await mayRead(id)) ? write(id, ...rest) : { ok: false, code: "not-found", message: `There is no record "${id}".` };
  const search: BreadcrumbStore["search"] = async (query = {}) => {
    const { records, ...page } = await store.search({ ...query, includeContext: true });
    const shown = records.filter(isShown).map((record) => visibleCatalog(record, isVisible));
    return { ...page, records: query.includeContext === true ? shown : shown.map(withoutContext) };
  };
  const get: BreadcrumbStore["get"] = async (id) => {
    if (!(await mayRead(id))) return undefined;
    const record = await store.get(id);
    return record && visibleCatalog(record, isVisible);
  };
  const seen: Partial<BreadcrumbStore> = {
    get,
    getBreadcrumb: get,
    search,
    async searchBreadcrumbs(query = {}) {
      const all = await store.searchBreadcrumbs({ ...query, includeContext: true });
      const shown = all.filter(isShown).map((record) => visibleCatalog(record, isVisible));
      return query.includeContext === true ? shown : shown.map(withoutContext);
    },
    history: async (id, options) => ((await mayRead(id)) ? store.history(id, options) : []),
    diff: async (id, from, to) => ((await mayRead(id)) ? store.diff(id, from, to) : undefined),
    restore: found(store.restore),
    remove: found(store.remove),
    addTags: found(store.addTags),
    removeTags: found(store.removeTags),
    mergeContext: found(store.mergeContext),
    transaction: (work) => store.transaction((tx) => work(visibleStore(tx, viewer))),
  };
  return Object.assign(Object.create(store) as BreadcrumbStore, seen);
}

function withoutContext(record: FoundBreadcrumb): FoundBreadcrumb {
  const { context: _, ...rest } = record;
  return rest;
}
