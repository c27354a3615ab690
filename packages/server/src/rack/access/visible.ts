import {
  type Breadcrumb,
  type BreadcrumbStore,
  type Change,
  type FoundBreadcrumb,
  isApprovedSeen,
  type JsonObject,
  type SearchQuery,
  stateOf,
  upstreamOf,
  type WriteResult,
} from "@toolrack/store";
import type { Caller, Registry, ToolDefinition } from "@toolrack/core";
import { canonicalJson } from "@toolrack/core/internal";
import { overlaidOf } from "../trust/noted-overlays.ts";
import { overlaidRecords } from "./overlaid-records.ts";

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

/** Whether somebody with these roles decides about definitions, and so reads what nobody has approved yet. */
export function mayDecide(roles: Iterable<string>): boolean {
  for (const role of roles) if (role === "curator" || role === "admin") return true;
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
 * it sees exactly those of the tools that it may call. What a source sent and nobody approved is for those who decide about it.
 */
export function visibleRecords(viewer: Viewer): (record: Shown) => boolean {
  const isVisible = visibleTools(viewer);
  const isOffered = isOverseer(viewer.roles) ? () => true : offeredDefinitions(viewer);
  const decides = mayDecide(viewer.roles);
  return (record) => {
    if (!decides && isUnapproved(record)) return false;
    const { schema_name, created_by, context } = record;
    const field = toolField.get(schema_name);
    const tool = field === undefined ? undefined : context?.[field];
    if (typeof tool !== "string" || created_by === viewer.agent) return true;
    return isVisible(tool, context) && (schema_name !== "tool.definition.v1" || isOffered(tool, record));
  };
}

/** Whether a server saw this definition, and it is neither approved nor served. */
function isUnapproved({ context = {}, ...record }: Shown): boolean {
  return upstreamOf({ context }) !== undefined && !isApprovedSeen({ context }) && !isServed({ ...record, context });
}

function isServed(record: Shown & { readonly context: JsonObject }): boolean {
  const state = stateOf(record);
  return state === "approved" || state === "deprecated";
}

/** Whether a definition is the one of the tool that the caller is offered under this name. */
function offeredDefinitions({ registry, caller }: Viewer): (tool: string, record: Shown) => boolean {
  const { offered } = registry.view(caller);
  let sources: ReadonlyMap<string, string> | undefined;
  return (tool, { context = {}, ...record }) => {
    const served = offered(tool);
    // The record below an overlay has words that the overlay changes; `overlaidRecords` has those that callers see.
    if (served === undefined || overlaidOf(served) !== undefined) return false;
    sources ??= new Map(registry.sources().flatMap(({ id, tools }) => tools.map((name) => [name, id] as const)));
    const upstream = upstreamOf({ context });
    const isOffered = sources.get(tool) === (upstream?.source ?? "records") && isServed({ ...record, context });
    return isOffered && (upstream === undefined || saysTheSame(served, record.title, context));
  };
}

/** Whether a record has the words and the schema of the served tool: it has not while a changed definition is about to be served. */
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

/** The record that lists all tools is shown without those that are hidden, and with overlaid ones as callers see them. */
function visibleCatalog<Found extends Shown>(record: Found, isShown: (record: Shown) => boolean, overlaid: readonly Breadcrumb[]): Found {
  if (record.schema_name !== "tool.catalog.v1" || !Array.isArray(record.context?.["tools"])) return record;
  const definition = { schema_name: "tool.definition.v1", created_by: "" };
  const own = (record.context["tools"] as readonly JsonObject[]).filter((context) => isShown({ ...definition, context }));
  const added = overlaid
    .filter(({ tags }) => tags.includes("workspace:tools"))
    .map(({ context }): JsonObject => ({ ...context, hasConfig: false }));
  const tools = added.length === 0 ? own : [...own, ...added].sort((a, b) => (String(a["name"]) < String(b["name"]) ? -1 : 1));
  return { ...record, context: { ...record.context, tools, totalTools: tools.length } };
}

/** The same store without the records about tools that are hidden from the viewer. */
export function visibleStore(store: BreadcrumbStore, viewer: Viewer): BreadcrumbStore {
  if (mayDecide(viewer.roles)) return store;
  const isShown = visibleRecords(viewer);
  // Operators see the records themselves.
  const overlaid = overlaidRecords(store, isOverseer(viewer.roles) ? [] : viewer.registry.view(viewer.caller).tools);
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
  const asAsked = (query: SearchQuery, records: readonly FoundBreadcrumb[]): readonly FoundBreadcrumb[] =>
    query.includeContext === true ? records : records.map(withoutContext);
  /** Tools with an overlay follow on pages of their own, after everything else. */
  const search: BreadcrumbStore["search"] = async (query = {}) => {
    if (query.cursor?.startsWith(overlaidCursor) === true) return overlaidPage(query, Number(query.cursor.slice(overlaidCursor.length)));
    const { records, ...page } = await store.search({ ...query, includeContext: true });
    const catalogs = overlaid.isEmpty ? [] : await overlaid.all();
    const shown = asAsked(
      query,
      records.filter(isShown).map((record) => visibleCatalog(record, isShown, catalogs)),
    );
    const isLast = page.cursor === undefined && !overlaid.isEmpty && (await overlaid.matching(query)).length > 0;
    return { ...page, records: shown, ...(isLast && { cursor: `${overlaidCursor}0` }) };
  };
  async function overlaidPage(query: SearchQuery, from: number): ReturnType<BreadcrumbStore["search"]> {
    const found = await overlaid.matching(query);
    const to = from + (query.limit ?? 50);
    const records = asAsked(query, found.slice(from, to));
    return { records, ...(to < found.length && { cursor: `${overlaidCursor}${to}` }) };
  }
  const get: BreadcrumbStore["get"] = async (id) => {
    const shown = await overlaid.find(id);
    if (shown !== undefined) return shown;
    if (!(await mayRead(id))) return undefined;
    const record = await store.get(id);
    return record && visibleCatalog(record, isShown, await overlaid.all());
  };
  /** Of a tool with an overlay callers see no past: the words below the overlay are not theirs to read. */
  const history: BreadcrumbStore["history"] = async (id, options) => {
    const shown = await overlaid.find(id);
    if (shown !== undefined) return (await store.history(shown.id, { limit: 1 })).map((change) => ({ ...change, record: shown }));
    return (await mayRead(id)) ? revisions(id, options) : [];
  };
  const seen: Partial<BreadcrumbStore> = {
    get,
    getBreadcrumb: get,
    search,
    async searchBreadcrumbs(query = {}) {
      const all = await store.searchBreadcrumbs({ ...query, includeContext: true });
      const catalogs = overlaid.isEmpty ? [] : await overlaid.all();
      const shown = all.filter(isShown).map((record) => visibleCatalog(record, isShown, catalogs));
      return asAsked(query, overlaid.isEmpty ? shown : [...shown, ...(await overlaid.matching(query))]);
    },
    changes(options) {
      const all = store.changes(options);
      return {
        async *[Symbol.asyncIterator]() {
          for await (const change of all) if (isReadable(change)) yield change;
        },
      };
    },
    history,
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

/** What the cursors of pages with overlaid tools begin with. */
const overlaidCursor = "overlaid.";

function withoutContext(record: FoundBreadcrumb): FoundBreadcrumb {
  const { context: _, ...rest } = record;
  return rest;
}
