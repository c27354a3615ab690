import { type Actor, requireRole, mayRead } from "../access.ts";
import { toCatalog } from "../catalog/build.ts";
import { catalogId, isListed, listedTag } from "../catalog/entry.ts";
import type { Head, PagePlan, Reads } from "../engine/engine.ts";
import { toCursor } from "../query/cursor.ts";
import { readSearch } from "../query/search.ts";
import { type Breadcrumb, contentOf } from "../record/breadcrumb.ts";
import { diffRecords } from "../record/diff.ts";
import { configSchema, definitionSchema } from "../record/identity.ts";
import { checksumOf } from "../record/json.ts";
import { readId, readVersion } from "../record/read-draft.ts";
import { StoreError } from "../errors.ts";
import type { BreadcrumbStore, FoundBreadcrumb } from "./store.ts";
import type { Unit } from "./unit.ts";

export type Reader = Pick<BreadcrumbStore, "get" | "history" | "diff" | "search" | "searchBreadcrumbs" | "getBreadcrumb" | "sequence">;

export interface ReaderParts {
  readonly actor: Actor;
  readonly reads: Reads;
  now(): number;
  /** For reads that write: records with a limited number of reads, and expired records. */
  inUnit<Result>(work: (unit: Unit) => Promise<Result>): Promise<Result>;
}

/** The reading half of a store. */
export function createReader({ actor, reads, now, inUnit }: ReaderParts): Reader {
  async function get(id: string): Promise<Breadcrumb | undefined> {
    readId(id);
    const head = await reads.head(actor.owner, id);
    if (head === undefined || head.deleted || !mayRead(actor, head.record)) return undefined;
    if (head.readsLeft !== undefined || (head.expiresAt !== undefined && head.expiresAt <= now())) return useUp(id);
    return head.record.id === catalogId ? fullCatalog(head.record) : head.record;
  }

  /** The last allowed read returns the record, and expires it. */
  function useUp(id: string): Promise<Breadcrumb | undefined> {
    return inUnit(async (unit) => {
      const head = await unit.tx.head(actor.owner, id);
      if (head === undefined || head.deleted || !mayRead(actor, head.record)) return undefined;
      if (head.expiresAt !== undefined && head.expiresAt <= unit.now) {
        await unit.end(undefined, head, "expired");
        return undefined;
      }
      if (head.readsLeft === undefined) return head.record;
      if (head.readsLeft > 1) await unit.tx.setReadsLeft(actor.owner, id, head.readsLeft - 1);
      else await unit.end(undefined, head, "expired");
      return head.record;
    });
  }

  /** The record of the catalog contains only its hash; its tools are read on request. */
  async function fullCatalog(record: Breadcrumb): Promise<Breadcrumb> {
    const plain = { anyTags: [], noneTags: [], terms: [] };
    const definitions = await all({ ...plain, schemaName: definitionSchema, allTags: [listedTag] });
    const configs = await all({ ...plain, schemaName: configSchema, allTags: [] });
    const catalog = toCatalog(definitions.filter(isListed), new Map(configs.map((config) => [String(config.context["tool"]), config])));
    const whole = { ...record, context: catalog.context };
    return { ...whole, checksum: checksumOf(contentOf(whole)) };
  }

  async function all(plan: Pick<PagePlan, "schemaName" | "allTags" | "anyTags" | "noneTags" | "terms">): Promise<Breadcrumb[]> {
    const found: Breadcrumb[] = [];
    for (let after = 0; ;) {
      const page = await reads.page({ ...plan, actor, after, limit: batch, now: now() });
      for (const { record } of page) if (mayRead(actor, record)) found.push(record);
      if (page.length < batch) return found;
      after = page.at(-1)!.position;
    }
  }

  const search: BreadcrumbStore["search"] = async (query = {}) => {
    const { selector, terms, limit, after: start, includeContext, question } = readSearch(query);
    const { schemaName, allTags, anyTags, noneTags } = selector;
    const found: Head[] = [];
    // One more than requested, to know whether there is a next page. Conditions and grants are checked here, so several pages may be needed.
    const size = selector.hasConditions ? batch : limit + 1;
    for (let after = start; found.length <= limit;) {
      const page = await reads.page({ actor, schemaName, allTags, anyTags, noneTags, terms, after, limit: size, now: now() });
      found.push(...page.filter(({ record }) => mayRead(actor, record) && selector.meets(record)));
      if (page.length < size) break;
      after = page.at(-1)!.position;
    }
    const given = found.slice(0, limit);
    const records = await Promise.all(given.map(({ record }) => view(record, includeContext)));
    return { records, ...(found.length > limit && { cursor: toCursor(given.at(-1)!.position, question) }) };
  };

  async function view(record: Breadcrumb, includeContext: boolean): Promise<FoundBreadcrumb> {
    if (includeContext && record.ttl?.reads === undefined) return record.id === catalogId ? fullCatalog(record) : record;
    const { context: _, ...rest } = record;
    return rest;
  }

  const history: BreadcrumbStore["history"] = async (id, { before = Number.MAX_SAFE_INTEGER, limit = 100 } = {}) => {
    readId(id);
    readVersion(before);
    if (!Number.isSafeInteger(limit) || limit < 1 || limit > 1_000)
      throw new StoreError("QUERY_INVALID", "limit must be a whole number from 1 to 1,000.");
    if (!(await mayReadNow(id))) return [];
    const revisions = await reads.revisions(actor.owner, id, before, limit);
    return revisions.filter(({ record }) => mayRead(actor, record));
  };

  /** The history of a record that became private is private, too. */
  async function mayReadNow(id: string): Promise<boolean> {
    const head = await reads.head(actor.owner, id);
    return head !== undefined && mayRead(actor, head.record);
  }

  return {
    get,
    getBreadcrumb: get,
    search,
    async searchBreadcrumbs(query = {}) {
      const found: FoundBreadcrumb[] = [];
      const most = query.limit ?? Number.POSITIVE_INFINITY;
      let { cursor } = query;
      do {
        const page = await search({ ...query, limit: Math.min(1_000, most - found.length), ...(cursor !== undefined && { cursor }) });
        found.push(...page.records);
        cursor = page.cursor;
      } while (cursor !== undefined && found.length < most);
      return found;
    },
    history,
    async diff(id, from, to) {
      readId(id);
      if (!(await mayReadNow(id))) return undefined;
      const [before, after] = await Promise.all([from, to].map((version) => reads.revision(actor.owner, id, readVersion(version))));
      if (before === undefined || after === undefined || !mayRead(actor, before.record) || !mayRead(actor, after.record)) return undefined;
      return diffRecords(before.record, after.record);
    },
    async sequence() {
      requireRole(actor, "subscriber", "follow the changes");
      return reads.lastSequence();
    },
  };
}

const batch = 500;
