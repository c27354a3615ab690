import { shellWord } from "@toolrack/core/internal/shell-word";
import { mergeJson } from "@toolrack/core/internal";
import { type Actor, curatorSchemas, isCurator, mayApproveOwn, mayRead, mayWrite, ownContent, requireRole } from "../access.ts";
import { catalogId } from "../catalog/entry.ts";
import type { Head } from "../engine/engine.ts";
import { StoreError } from "../errors.ts";
import { type Breadcrumb, type Content, contentOf, type JsonObject, type RecordedDecision } from "../record/breadcrumb.ts";
import { checkShape } from "../record/check-shape.ts";
import { copyJson } from "../record/copy-json.ts";
import { definitionHash } from "../record/decision.ts";
import { inOwnNames } from "../record/definition-names.ts";
import { definitionSchema, idOf, identityOf, textSchema } from "../record/identity.ts";
import { jsonEquals } from "../record/json.ts";
import type { RecordLimits } from "../record/limits.ts";
import { checkStoreFields, readDraft, readId, readVersion } from "../record/read-draft.ts";
import { isSeen, ledgerAgent, seenPrefix, seenTag } from "../record/seen.ts";
import { readTags } from "../record/tags.ts";
import { toIso } from "./clock.ts";
import type { BreadcrumbStore, Put, WriteRefusal, WriteResult } from "./store.ts";
import type { Unit, Writing } from "./unit.ts";

export type Writer = Pick<BreadcrumbStore, "put" | "putAll" | "restore" | "remove" | "addTags" | "removeTags" | "mergeContext">;

/** The writing half of a store; each method is one transaction, or part of the one under way. */
export function createWriter(
  actor: Actor,
  limits: RecordLimits,
  inUnit: <Result>(work: (unit: Unit) => Promise<Result>) => Promise<Result>,
): Writer {
  /** Changes a record that is not deleted. Unchanged content is not written. */
  async function change(id: string, next: (content: Content) => Content): Promise<WriteResult> {
    readId(id);
    requireRole(actor, "emitter", "write records");
    return inUnit(async (unit) => {
      const head = await findLive(unit, id);
      if (head === undefined) return notFound(id);
      requireWrite(head);
      const content = next(contentOf(head.record));
      if (jsonEquals(content, contentOf(head.record))) return { ok: true, record: head.record, changed: false };
      checkShape(content);
      return write(unit, { id, content, before: head });
    });
  }

  async function write(unit: Unit, writing: Writing): Promise<WriteResult> {
    const [result] = await writeAll(unit, [writing]);
    return result!;
  }

  /** The contents have been validated against their published schemas, and no two are of one record. */
  async function writeAll(unit: Unit, writings: readonly Writing[]): Promise<readonly WriteResult[]> {
    for (const writing of writings) requireMayWrite(writing);
    const takenBy = await findTaken(unit, writings);
    const refusals = new Map<string, WriteRefusal>();
    for (const { id, content } of writings) {
      const [holder, identity] = [takenBy(id), identityOf(content)];
      if (holder !== undefined) refusals.set(id, taken(holder, identity!));
    }
    const written = await unit.write(
      actor,
      writings.filter(({ id }) => !refusals.has(id)),
    );
    const records = new Map(written.map((record) => [record.id, record]));
    return writings.map(({ id }) => refusals.get(id) ?? { ok: true, record: records.get(id)!, changed: true });
  }

  function requireMayWrite({ id, content, before }: Writing): void {
    requireOwnDefinition(content);
    if (curatorSchemas.has(content.schema_name)) requireRole(actor, "curator", `write ${content.schema_name} records`);
    if (before !== undefined && !before.deleted) requireShare(before.record, content);
    else requireFreeId(id, content);
  }

  /** By the id of a record that is to be written: the other one that has its identity, in the store or earlier in the list. */
  async function findTaken(unit: Unit, writings: readonly Writing[]): Promise<(id: string) => string | undefined> {
    const identities = writings.flatMap(({ content }) => identityOf(content) ?? []);
    const found = identities.length === 0 ? [] : await unit.tx.identified(actor.owner, identities);
    const holders = new Map(found.map(({ record }) => [identityOf(record)!, record.id]));
    const takenBy = new Map<string, string>();
    for (const { id, content, before } of writings) {
      const identity = identityOf(content);
      const holder = identity === undefined ? undefined : holders.get(identity);
      if (holder !== undefined && holder !== id) {
        takenBy.set(id, holder);
        continue;
      }
      const earlier = before === undefined || before.deleted ? undefined : identityOf(before.record);
      if (earlier !== undefined && earlier !== identity) holders.delete(earlier);
      if (identity !== undefined) holders.set(identity, id);
    }
    return (id) => takenBy.get(id);
  }

  /** Undefined for what the actor cannot see, and for what has expired. */
  async function findLive(unit: Unit, id: string): Promise<Head | undefined> {
    const head = await unit.tx.head(actor.owner, id);
    if (head === undefined || head.deleted || !mayRead(actor, head.record)) return undefined;
    return head.expiresAt !== undefined && head.expiresAt <= unit.now ? undefined : head;
  }

  function requireId(id: string): void {
    if (id === catalogId) throw new StoreError("FORBIDDEN", "The catalog is derived from the definitions and cannot be written.");
  }

  /** What a server writes about the tools that it serves is written by nobody else. */
  function requireOwnDefinition({ schema_name, context, tags }: Content): void {
    if (actor.agent === ledgerAgent || !isDecided(schema_name)) return;
    if (Object.hasOwn(context, "upstream"))
      throw new StoreError("FORBIDDEN", "context.upstream is written by the server about the tools that it serves. Leave it out.");
    // It would take the definition out of every list of what people and agents wrote.
    if (tags.includes(seenTag))
      throw new StoreError("FORBIDDEN", `The tag "${seenTag}" marks what the server writes about the tools that it serves. Leave it out.`);
  }

  /** Ids that are derived from a name are reserved for the record with that name. */
  function requireFreeId(id: string, { schema_name }: Content): void {
    if (id.startsWith(seenPrefix) && actor.agent !== ledgerAgent)
      throw new StoreError("FORBIDDEN", `Ids that begin with "${seenPrefix}" are for the tools that a server serves. Choose another id.`);
    if (isCurator(actor)) return;
    const prefix = reservedPrefixes.find((kept) => id.startsWith(kept));
    if (prefix === undefined || (prefix === definitionPrefix && schema_name === definitionSchema)) return;
    throw new StoreError(
      "FORBIDDEN",
      `"${actor.agent}" may not take the id "${id}": ids that begin with "${prefix}" are reserved. Choose another id.`,
    );
  }

  function requireWrite({ record }: Head): void {
    requireId(record.id);
    if (isSeen(record) && actor.agent !== ledgerAgent)
      throw new StoreError(
        "FORBIDDEN",
        `Only the server writes the record "${record.id}": it says what the source of the tool "${String(record.context["name"])}" sent. To show models an earlier text again: toolrack restore ${shellWord(String(record.context["name"]))} <version>`,
      );
    if (!mayWrite(actor, record))
      throw new StoreError(
        "FORBIDDEN",
        `"${actor.agent}" may not change the record "${record.id}" of "${record.created_by}". Ask a curator, or for a grant.`,
      );
  }

  /** Only the author and curators may change who sees and writes a record: a grant to write cannot be passed on. */
  function requireShare(record: Breadcrumb, { visibility, sensitivity, grants }: Content): void {
    if (isCurator(actor) || record.created_by === actor.agent) return;
    if (jsonEquals([visibility, sensitivity, grants ?? null], [record.visibility, record.sensitivity, record.grants ?? null])) return;
    throw new StoreError(
      "FORBIDDEN",
      `"${actor.agent}" may not change who sees and writes the record "${record.id}" of "${record.created_by}". Ask a curator.`,
    );
  }

  interface ReadPut {
    readonly put: Put;
    readonly id: string;
    readonly content: Content;
  }

  function readPut(put: Put): ReadPut {
    const { draft, approve } = put;
    const content = readDraft(draft, limits);
    checkShape(content);
    const id = idOf(draft);
    if (draft.version !== undefined) readVersion(draft.version);
    requireId(id);
    requireRole(actor, "emitter", "write records");
    if (approve !== undefined) {
      requireRole(actor, "curator", "decide about definitions");
      if (!mayApproveOwn(actor)) throw ownContent(actor, id);
    }
    return { put, id, content };
  }

  /** What is written where the record has the expected version. */
  function toWriting(unit: Unit, { put, id, content }: ReadPut, head: Head | undefined): Writing | WriteRefusal {
    const { draft, undecided = false, approve, replace = false } = put;
    const live = head === undefined || head.deleted ? undefined : head;
    const expected = replace ? live?.record.version : draft.version;
    if (live !== undefined && !mayRead(actor, live.record)) return expected === undefined ? idTaken(id) : notFound(id);
    if (live?.record.version !== expected) return live === undefined ? notFound(id) : conflict(id, expected, live);
    if (live !== undefined) {
      requireWrite(live);
      checkStoreFields(draft, live.record);
    }
    const stands = live === undefined && !undecided && mayApproveOwn(actor);
    const reason = approve?.reason ?? (stands ? "Created by the owner." : undefined);
    return { id, content, before: head, decided: reason === undefined ? undefined : approvalOf(actor, content, unit.now, reason) };
  }

  /** The heads of these records; one that has expired is ended first. */
  async function headsOf(unit: Unit, ids: readonly string[]): Promise<ReadonlyMap<string, Head>> {
    const found = ids.length === 1 ? [await unit.tx.head(actor.owner, ids[0]!)] : await unit.tx.heads(actor.owner, ids);
    const heads = new Map<string, Head>();
    for (const head of found) {
      if (head === undefined) continue;
      const isOver = !head.deleted && head.expiresAt !== undefined && head.expiresAt <= unit.now;
      const now = isOver ? { ...head, record: await unit.end(undefined, head, "expired"), deleted: true } : head;
      heads.set(now.record.id, now);
    }
    return heads;
  }

  async function putAll(puts: readonly Put[]): Promise<readonly WriteResult[]> {
    const read = puts.map(readPut);
    const ids = read.map(({ id }) => id);
    if (new Set(ids).size < ids.length)
      throw new StoreError(
        "QUERY_INVALID",
        `The record "${ids.find((id, index) => ids.indexOf(id) < index)!}" is given twice. Write it once.`,
      );
    if (read.length === 0) return [];
    return inUnit(async (unit) => {
      const heads = await headsOf(unit, ids);
      const wanted = read.map((one) => toWriting(unit, one, heads.get(one.id)));
      const writings = wanted.flatMap((one) => ("ok" in one ? [] : [one]));
      const written = new Map((await writeAll(unit, writings)).map((result, index) => [writings[index]!.id, result]));
      return wanted.map((one) => ("ok" in one ? one : written.get(one.id)!));
    });
  }

  return {
    async put(draft, options) {
      const [result] = await putAll([{ draft, ...options }]);
      return result!;
    },
    putAll,
    async addTags(id, tags) {
      const added = readTags(tags);
      return change(id, (content) => ({ ...content, tags: readTags([...content.tags, ...added]) }));
    },
    async removeTags(id, tags) {
      const removed = readTags(tags);
      return change(id, (content) => ({ ...content, tags: content.tags.filter((tag) => !removed.includes(tag)) }));
    },
    async mergeContext(id, patch: JsonObject) {
      const read = copyJson(patch, "The patch", limits.maxContextBytes);
      return change(id, (content) => {
        const own = content.schema_name === definitionSchema ? inOwnNames(read) : read;
        return { ...content, context: copyJson(mergeJson(content.context, own), "context", limits.maxContextBytes) };
      });
    },
    async restore(id, version, options = {}) {
      readId(id);
      readVersion(version);
      if (options.version !== undefined) readVersion(options.version);
      requireRole(actor, "emitter", "write records");
      return inUnit(async (unit) => {
        const [revision, head] = [await unit.tx.revision(actor.owner, id, version), await unit.tx.head(actor.owner, id)];
        if (revision === undefined || head === undefined || !mayRead(actor, head.record) || !mayRead(actor, revision.record))
          return notFound(id);
        if (options.version !== undefined && options.version !== head.record.version) return conflict(id, options.version, head);
        requireWrite(head);
        const content = contentOf(revision.record);
        checkShape(content);
        return write(unit, { id, content, before: head });
      });
    },
    async remove(id, options = {}) {
      readId(id);
      if (options.version !== undefined) readVersion(options.version);
      requireRole(actor, "emitter", "remove records");
      return inUnit(async (unit) => {
        const head = await findLive(unit, id);
        if (head === undefined) return notFound(id);
        if (options.version !== undefined && options.version !== head.record.version) return conflict(id, options.version, head);
        requireWrite(head);
        return { ok: true, record: await unit.end(actor, head, "deleted"), changed: true };
      });
    },
  };
}

const definitionPrefix = "tool-def-";
/** Prefixes of the ids of definitions, configurations, secrets, bundles and settings. */
const reservedPrefixes: readonly string[] = [definitionPrefix, "tool-config-", "secret-", "tool-bundle-", "registry-"];

/** Whether writing this content also approves it: not where the definition says that it is a draft. */
function approvalOf({ agent }: Actor, { schema_name, title, context }: Content, now: number, reason: string): RecordedDecision | undefined {
  const { state = "approved", deprecated } = context;
  if (!isDecided(schema_name) || (state !== "approved" && state !== "deprecated")) return undefined;
  const at = toIso(now);
  return {
    decision: state,
    hash: definitionHash({ title, context }),
    by: agent,
    at,
    reason,
    ...(state === "deprecated" && { deprecated: (deprecated as RecordedDecision["deprecated"]) ?? { since: at.slice(0, 10) } }),
  };
}

/** Whether records of this schema are definitions that somebody decides about. */
function isDecided(schema: string): boolean {
  return schema === definitionSchema || schema === textSchema;
}

function taken(holder: string, identity: string): WriteRefusal {
  const message = `The record "${holder}" already is ${identity.replaceAll("|", " ").trim()}. Change that one, or choose another name or version.`;
  return { ok: false, code: "taken", message };
}

/** Of a record that the actor cannot see, nothing is said but that its id is in use. */
function idTaken(id: string): WriteRefusal {
  return { ok: false, code: "taken", message: `The id "${id}" is taken. Choose another one.` };
}

function notFound(id: string): WriteRefusal {
  return { ok: false, code: "not-found", message: `There is no record "${id}".` };
}

function conflict(id: string, expected: number | undefined, { record, deleted }: Head): WriteRefusal {
  const wanted = expected === undefined ? "it was to be created" : `version ${expected} was to be changed`;
  const message = `The record "${id}" has version ${record.version}${deleted ? " (removed)" : ""}, and ${wanted}. Read it again, and try with its version.`;
  return { ok: false, code: "conflict", message, currentVersion: record.version };
}
