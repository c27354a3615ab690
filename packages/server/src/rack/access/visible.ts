import {
  type BreadcrumbStore,
  type Change,
  type FoundBreadcrumb,
  isApprovedSeen,
  type JsonObject,
  stateOf,
  upstreamOf,
  type WriteResult,
} from "@toolrack/store";
import type { Caller, Registry, ToolDefinition } from "@toolrack/core";
import { canonicalJson } from "@toolrack/core/internal";

/** The caller, as far as it decides which tools it may see. */
export interface Viewer {
  readonly registry: Pick<Registry, "view" | "sources">;
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

type Shown = Pick<FoundBreadcrumb, "schema_name" | "created_by"> &
  Partial<Pick<FoundBreadcrumb, "title" | "updated_as" | "decision">> & { readonly context?: JsonObject };

/**
 * Whether a caller may see a record: it is about no tool that is hidden from the caller, or the caller wrote it. Of the definitions of others
 * it sees exactly those of the tools that it may call.
 */
export function visibleRecords(viewer: Viewer): (record: Shown) => boolean {
  const isVisible = visibleTools(viewer);
  const isOffered = isOverseer(viewer.roles) ? () => true : offeredDefinitions(viewer);
  return (record) => {
    const { schema_name, created_by, context } = record;
    const field = toolField.get(schema_name);
    const tool = field === undefined ? undefined : context?.[field];
    if (typeof tool !== "string" || created_by === viewer.agent) return true;
    return isVisible(tool, context) && (schema_name !== "tool.definition.v1" || isOffered(tool, record));
  };
}

/** Whether a definition is the one of the tool that the caller is offered under this name. */
function offeredDefinitions({ registry, caller }: Viewer): (tool: string, record: Shown) => boolean {
  const { offered } = registry.view(caller);
  let sources: ReadonlyMap<string, string> | undefined;
  return (tool, { context = {}, ...record }) => {
    const served = offered(tool);
    if (served === undefined) return false;
    sources ??= new Map(registry.sources().flatMap(({ id, tools }) => tools.map((name) => [name, id] as const)));
    const state = stateOf({ ...record, context });
    const upstream = upstreamOf({ context });
    const isOffered = sources.get(tool) === (upstream?.source ?? "records") && (state === "approved" || state === "deprecated");
    return isOffered && (upstream === undefined || saysTheSame(served, record.title, context));
  };
}

/** Whether a record has the words and the schema of the served tool. It has not where an overlay is above it: what that hides is not read here. */
function saysTheSame(
  { name, title = name, description, inputSchema, metadata }: ToolDefinition,
  shown: string | undefined,
  context: JsonObject,
): boolean {
  const { annotations, limits } = metadata ?? {};
  const served = { description, inputSchema, annotations, limits };
  const fields = Object.keys(served) as (keyof typeof served)[];
  return (shown === undefined || shown === title) && fields.every((field) => textOf(served[field]) === textOf(context[field]));
}

function textOf(value: unknown): string {
  return value === undefined ? "" : canonicalJson(JSON.parse(JSON.stringify(value)));
}

/** Kinds of records that are about one tool, and where they name it. */
const toolField: ReadonlyMap<string, string> = new Map([
  ["tool.definition.v1", "name"],
  ["tool.config.v1", "tool"],
]);

/** The record that lists all tools is shown without those that are hidden. */
function visibleCatalog<Found extends Shown>(record: Found, isShown: (record: Shown) => boolean): Found {
  if (record.schema_name !== "tool.catalog.v1" || !Array.isArray(record.context?.["tools"])) return record;
  const definition = { schema_name: "tool.definition.v1", created_by: "" };
  const tools = (record.context["tools"] as readonly JsonObject[]).filter((context) => isShown({ ...definition, context }));
  return { ...record, context: { ...record.context, tools, totalTools: tools.length } };
}

/** The same store without the records about tools that are hidden from the viewer. */
export function visibleStore(store: BreadcrumbStore, viewer: Viewer): BreadcrumbStore {
  if (isOverseer(viewer.roles)) return store;
  const isShown = visibleRecords(viewer);
  const mayRead = async (id: string): Promise<boolean> => {
    const [newest] = await store.history(id, { limit: 1 });
    return newest === undefined || isShown(newest.record);
  };
  /** A text that nobody approved is not shown by way of the past, either. */
  const isReadable = ({ record }: Change): boolean => isShown(record) && (upstreamOf(record) === undefined || isApprovedSeen(record));
  const revisions: BreadcrumbStore["history"] = async (id, { before, limit = 100 } = {}) => {
    const readable: Change[] = [];
    for (let upTo = before; readable.length < limit;) {
      const wanted = limit - readable.length;
      const slice = await store.history(id, { limit: wanted, ...(upTo !== undefined && { before: upTo }) });
      readable.push(...slice.filter(isReadable));
      if (slice.length < wanted) break;
      upTo = slice.at(-1)!.record.version;
    }
    return readable;
  };
  const hasRevision = async (id: string, version: number): Promise<boolean> => {
    const [change] = await store.history(id, { before: version + 1, limit: 1 });
    return change === undefined || isReadable(change);
  };
  const found =
    <Rest extends readonly unknown[]>(write: (id: string, ...rest: Rest) => Promise<WriteResult>) =>
    async (id: string, ...rest: Rest): Promise<WriteResult> =>
      (await mayRead(id)) ? write(id, ...rest) : { ok: false, code: "not-found", message: `There is no record "${id}".` };
  const search: BreadcrumbStore["search"] = async (query = {}) => {
    const { records, ...page } = await store.search({ ...query, includeContext: true });
    const shown = records.filter(isShown).map((record) => visibleCatalog(record, isShown));
    return { ...page, records: query.includeContext === true ? shown : shown.map(withoutContext) };
  };
  const get: BreadcrumbStore["get"] = async (id) => {
    if (!(await mayRead(id))) return undefined;
    const record = await store.get(id);
    return record && visibleCatalog(record, isShown);
  };
  const seen: Partial<BreadcrumbStore> = {
    get,
    getBreadcrumb: get,
    search,
    async searchBreadcrumbs(query = {}) {
      const all = await store.searchBreadcrumbs({ ...query, includeContext: true });
      const shown = all.filter(isShown).map((record) => visibleCatalog(record, isShown));
      return query.includeContext === true ? shown : shown.map(withoutContext);
    },
    history: async (id, options) => ((await mayRead(id)) ? revisions(id, options) : []),
    diff: async (id, from, to) =>
      (await mayRead(id)) && (await hasRevision(id, from)) && (await hasRevision(id, to)) ? store.diff(id, from, to) : undefined,
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
