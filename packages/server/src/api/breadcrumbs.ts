import { isDeepStrictEqual } from "node:util";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import { type Breadcrumb, type Change, type Difference, forModel, isSeen, type SearchPage, type SearchQuery } from "@toolrack/store";
import { Problem } from "../http/reply/problem.ts";
import type { Identity } from "../http/sign-in/identity.ts";
import { listOf, nothing, objectOf, ok } from "./_answers.ts";
import { pageBytes, readSlices } from "./_pages.ts";
import { recordsFor } from "./_visible.ts";
import {
  answerWritten,
  changeSchema,
  etagOf,
  foundRecordSchema,
  mustBeWritten,
  notFound,
  readIfMatch,
  recordSchema,
  type WrittenRecord,
  writtenSchema,
} from "./shared/records.ts";

export interface RecordHistory {
  readonly changes: readonly Change[];
  readonly next?: number;
}

export interface RecordDiff {
  readonly differences: readonly Difference[];
}

export interface BreadcrumbAnswers {
  "GET /breadcrumbs": SearchPage;
  "POST /breadcrumbs": WrittenRecord;
  "GET /breadcrumbs/{id}": Breadcrumb;
  "PUT /breadcrumbs/{id}": WrittenRecord;
  "PATCH /breadcrumbs/{id}": WrittenRecord;
  "DELETE /breadcrumbs/{id}": undefined;
  "GET /breadcrumbs/{id}/model-view": Omit<Breadcrumb, "model_view">;
  "GET /breadcrumbs/{id}/history": RecordHistory;
  "GET /breadcrumbs/{id}/diff": RecordDiff;
  "POST /breadcrumbs/{id}/restore": WrittenRecord;
}

const text = { type: "string" } as const;
const texts = { type: "array", items: text } as const;
const byId = { type: "object", properties: { id: text }, required: ["id"], additionalProperties: false } as const;
const version = { type: "integer", minimum: 1 } as const;

const draftFields = {
  schema_name: text,
  title: text,
  tags: texts,
  context: { type: "object", additionalProperties: true },
  semantic_version: text,
  version: { ...text, description: "An author's own text, as in published records: the same as semantic_version." },
  model_view: { type: "object", additionalProperties: true, description: "What models see: { include, exclude, transform, mode }." },
  visibility: { enum: ["private", "team", "public"] },
  sensitivity: { enum: ["low", "pii", "secret"] },
  ttl: {
    type: "object",
    properties: { at: text, afterMs: { type: "number" }, reads: { type: "integer" } },
    additionalProperties: false,
  },
  grants: { type: "object", additionalProperties: { enum: ["read", "write"] } },
} as const;

const draft = {
  type: "object",
  properties: { id: text, ...draftFields },
  required: ["schema_name", "context"],
  additionalProperties: false,
} as const;
const content = { type: "object", properties: draftFields, required: ["schema_name", "context"], additionalProperties: false } as const;
const written = ok("The current record; its version is the ETag.", writtenSchema);

const search = defineRoute({
  method: "GET",
  path: "/breadcrumbs",
  id: "searchBreadcrumbs",
  group: "breadcrumbs",
  summary: "Find records by words, tags, schema and fields.",
  query: {
    type: "object",
    properties: {
      text,
      schema_name: text,
      tag: text,
      anyTags: texts,
      allTags: texts,
      noneTags: texts,
      where: {
        type: "array",
        description: 'Comparisons, as JSON: [{"path":"context.category","op":"eq","value":"web"}]',
        items: { type: "object", properties: { path: text, op: text, value: true }, required: ["path", "op"], additionalProperties: false },
      },
      limit: { type: "integer", minimum: 1, maximum: 1_000 },
      cursor: text,
      includeContext: { type: "boolean" },
    },
    additionalProperties: false,
  },
  answers: ok(
    "One page, in the order of creation.",
    objectOf<SearchPage>({ records: listOf(foundRecordSchema), cursor: text }, ["cursor"]),
  ),
  async run(request) {
    const store = recordsFor(request);
    const { limit = 50, ...query } = request.query as SearchQuery;
    let cursor = query.cursor;
    const records: SearchPage["records"][number][] = [];
    // A few at a time: a page that would become too large ends after those.
    for (let bytes = 0; records.length < limit && bytes < pageBytes;) {
      const page = await store.search({ ...query, ...(cursor !== undefined && { cursor }), limit: Math.min(50, limit - records.length) });
      records.push(...page.records);
      cursor = page.cursor;
      if (cursor === undefined) break;
      bytes += JSON.stringify(page.records).length;
    }
    return { body: { records, ...(cursor !== undefined && { cursor }) } };
  },
});

const create = defineRoute({
  method: "POST",
  path: "/breadcrumbs",
  id: "createBreadcrumb",
  group: "breadcrumbs",
  summary: "Create a record.",
  body: draft,
  answers: { 201: { description: "The created record; its version is the ETag.", schema: writtenSchema } },
  async run(request) {
    return answerWritten(request, mustBeWritten(await recordsFor(request).put(withOwnVersion(request.body))), 201);
  },
});

const get = defineRoute({
  method: "GET",
  path: "/breadcrumbs/{id}",
  id: "getBreadcrumb",
  group: "breadcrumbs",
  summary: "Read a record.",
  params: byId,
  answers: ok("The record; its version is the ETag.", recordSchema),
  async run(request) {
    const record = await recordsFor(request).get(request.params.id);
    if (record === undefined) throw notFound(`record "${request.params.id}"`);
    return { body: record, headers: { etag: etagOf(record) } };
  },
});

const asModel = defineRoute({
  method: "GET",
  path: "/breadcrumbs/{id}/model-view",
  id: "getBreadcrumbForModels",
  group: "breadcrumbs",
  summary: "Read a record as models see it: by its own view, else by the one of its schema.",
  params: byId,
  answers: ok("The record with what models see of its context. The source of a stored tool is never in it.", recordSchema),
  async run(request) {
    const record = await recordsFor(request).get(request.params.id);
    if (record === undefined) throw notFound(`record "${request.params.id}"`);
    return { body: await forModel(request.rack.store, record) };
  },
});

const replace = defineRoute({
  method: "PUT",
  path: "/breadcrumbs/{id}",
  id: "replaceBreadcrumb",
  group: "breadcrumbs",
  summary: "Write a record: a new one, or the next version of the one in If-Match.",
  params: byId,
  body: content,
  answers: written,
  async run(request) {
    const { params, body } = request;
    const expected = readIfMatch(request.header("if-match"));
    const store = recordsFor(request);
    const put = await store.put({ ...withOwnVersion(body), id: params.id, ...(expected !== undefined && { version: expected }) });
    return answerWritten(request, mustBeWritten(put));
  },
});

/** Published records write the author's own text as `version`, which the store counts itself. */
function withOwnVersion<Draft extends { readonly version?: string; readonly semantic_version?: string }>({
  version: own,
  semantic_version = own,
  ...draft
}: Draft): Omit<Draft, "version" | "semantic_version"> & { readonly semantic_version?: string } {
  if (own !== undefined && own !== semantic_version)
    throw new Problem(400, "REQUEST_INVALID", "The record has both version and semantic_version, with different values. Send one of them.");
  return { ...draft, ...(semantic_version !== undefined && { semantic_version }) };
}

const change = defineRoute({
  method: "PATCH",
  path: "/breadcrumbs/{id}",
  id: "changeBreadcrumb",
  group: "breadcrumbs",
  summary: "Merge into a record's context, where null removes a key, and add or remove tags.",
  params: byId,
  body: {
    type: "object",
    properties: { context: draftFields.context, addTags: texts, removeTags: texts },
    minProperties: 1,
    additionalProperties: false,
  },
  answers: written,
  async run(request) {
    const { id } = request.params;
    const { context, addTags, removeTags } = request.body;
    const expected = readIfMatch(request.header("if-match"));
    const store = recordsFor(request);
    const record = await store.transaction(async (tx) => {
      const before = await tx.get(id);
      if (before === undefined) throw notFound(`record "${id}"`);
      if (expected !== undefined && before.version !== expected) {
        throw new Problem(412, "VERSION_CONFLICT", `The record "${id}" has version ${before.version}, not ${expected}. Read it again.`, {
          headers: { etag: etagOf(before) },
        });
      }
      let last = before;
      if (context !== undefined) last = mustBeWritten(await tx.mergeContext(id, context));
      if (addTags !== undefined) last = mustBeWritten(await tx.addTags(id, addTags));
      if (removeTags !== undefined) last = mustBeWritten(await tx.removeTags(id, removeTags));
      return last;
    });
    return answerWritten(request, record);
  },
});

const remove = defineRoute({
  method: "DELETE",
  path: "/breadcrumbs/{id}",
  id: "removeBreadcrumb",
  group: "breadcrumbs",
  summary: "Delete a record; its history stays.",
  params: byId,
  answers: nothing,
  async run(request) {
    const expected = readIfMatch(request.header("if-match"));
    const store = recordsFor(request);
    mustBeWritten(await store.remove(request.params.id, expected === undefined ? {} : { version: expected }));
    return {};
  },
});

const history = defineRoute({
  method: "GET",
  path: "/breadcrumbs/{id}/history",
  id: "getBreadcrumbHistory",
  group: "breadcrumbs",
  summary: "Read the revisions of a record, newest first.",
  params: byId,
  query: {
    type: "object",
    properties: { before: version, limit: { type: "integer", minimum: 1, maximum: 1_000 } },
    additionalProperties: false,
  },
  answers: ok(
    "Whole revisions.",
    objectOf<RecordHistory>({ changes: listOf(changeSchema), next: { ...version, description: "For `before` of the next page." } }, [
      "next",
    ]),
  ),
  async run(request) {
    const store = recordsFor(request);
    const { before, limit = 100 } = request.query;
    const { items: changes, hasMore } = await readSlices<Change>({
      limit,
      read(last, count) {
        const upTo = last?.record.version ?? before;
        return store.history(request.params.id, { limit: count, ...(upTo !== undefined && { before: upTo }) });
      },
    });
    return { body: { changes, ...(hasMore && changes.length > 0 && { next: changes.at(-1)!.record.version }) } };
  },
});

const diff = defineRoute({
  method: "GET",
  path: "/breadcrumbs/{id}/diff",
  id: "diffBreadcrumb",
  group: "breadcrumbs",
  summary: "Compare two revisions of a record.",
  params: byId,
  query: { type: "object", properties: { from: version, to: version }, required: ["from", "to"], additionalProperties: false },
  answers: ok(
    "Each place where they differ.",
    objectOf<RecordDiff>({ differences: listOf(objectOf<Difference>({ path: text, before: {}, after: {} }, ["before", "after"])) }),
  ),
  async run(request) {
    const { id } = request.params;
    const { from, to } = request.query;
    const differences = await recordsFor(request).diff(id, from, to);
    if (differences === undefined) throw notFound(`version ${from} or ${to} of the record "${id}"`);
    const record = await recordsFor(request).get(id);
    return { body: { differences: record !== undefined && isSeen(record) ? withoutCopies(differences) : differences } };
  },
});

const pinnedForm = "context.upstream.definition.";

/** A pinned definition has its text twice: as the source sent it, and as it is shown here. Where both changed alike, that is one difference. */
function withoutCopies(differences: readonly Difference[]): readonly Difference[] {
  const shown = new Map(differences.map((one) => [one.path, one]));
  return differences.filter(({ path, before, after }) => {
    const same = path.startsWith(pinnedForm) ? shownAt(path.slice(pinnedForm.length)).map((at) => shown.get(at)) : [];
    return !same.some((one) => one !== undefined && isDeepStrictEqual([one.before, one.after], [before, after]));
  });
}

/** The title of a definition is the title of its record. */
function shownAt(field: string): readonly string[] {
  return [`context.${field}`, ...(field === "title" ? ["title"] : [])];
}

const restore = defineRoute({
  method: "POST",
  path: "/breadcrumbs/{id}/restore",
  id: "restoreBreadcrumb",
  group: "breadcrumbs",
  summary: "Restore the content of an old revision as a new revision.",
  params: byId,
  body: { type: "object", properties: { version }, required: ["version"], additionalProperties: false },
  answers: written,
  async run(request) {
    const expected = readIfMatch(request.header("if-match"));
    const store = recordsFor(request);
    const { version: wanted } = request.body;
    const seen = await store.get(request.params.id);
    if (seen !== undefined && isSeen(seen)) {
      demandApprover(request.identity);
      const record = await request.rack.trust.restore(seen.id, wanted, request.identity, expected);
      if (record === undefined) throw notFound(`version ${wanted} of the record "${seen.id}"`);
      return { body: record, headers: { etag: etagOf(record) } };
    }
    const options = expected === undefined ? {} : { version: expected };
    return answerWritten(request, mustBeWritten(await store.restore(request.params.id, wanted, options)));
  },
});

/** What models see of a tool that is not ours is decided by those who approve. */
function demandApprover({ agent, roles }: Identity): void {
  if (roles.has("curator") || roles.has("admin") || roles.has("owner")) return;
  throw new Problem(403, "ROLE_MISSING", `"${agent}" may not restore the definition of a tool: that needs the role "curator".`);
}

export const breadcrumbRoutes: RoutesOf<BreadcrumbAnswers> = [
  search,
  create,
  get,
  asModel,
  replace,
  change,
  remove,
  history,
  diff,
  restore,
];
