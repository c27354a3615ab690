import { sql } from "kysely";
import { searchKeysOf } from "../../engine/search-keys.ts";
import type { Change, Head, Saving, Writes } from "../../engine/engine.ts";
import { createAuditWrites, lineInsert } from "./audit.ts";
import { createClusterLeaseWrites } from "./cluster-leases.ts";
import { anyNumber, anyText, compiledOnce } from "./compiled.ts";
import { createDefinitionLogWrites } from "./definition-log.ts";
import { insertRows, type RowInsert } from "./insert-rows.ts";
import { createJobWrites } from "./jobs.ts";
import { createNoteWrites } from "./notes.ts";
import type { SqlParts } from "./parts.ts";
import { createPresenceWrites } from "./presence.ts";
import { createSqlReads } from "./reads.ts";
import { type BodyReader, createBodyReader } from "./parsed-once.ts";
import { createRetentionWrites } from "./retention.ts";
import { createSecretWrites } from "./secrets.ts";
import { createSessionWrites } from "./sessions.ts";
import { createBulkWrites, toRevision } from "./snapshot.ts";
import type { Sql, Tables } from "./tables.ts";
import { createTicketWrites } from "./tickets.ts";

/**
 * The writing queries, inside a transaction that keeps other writers out. `bodies` are those of the readers of the same process, who follow what is written here.
 */
export function createSqlWrites(db: Sql, parts: SqlParts, bodies: BodyReader = createBodyReader()): Writes {
  // Taken inside the transaction, so that numbers that were given and not committed are given again.
  const takeNumbers = compiledOnce(db, () => {
    const query = db.updateTable("ends").set(({ eb }) => ({ number: eb("number", "+", anyNumber) }));
    return query.where("name", "=", sql.lit("sequence")).returning("number").compile();
  });
  const addRevisions = insertRows(db, parts, "revisions", revisionInsert);
  const saveHeads = insertRows(db, parts, "breadcrumbs", headInsert);
  const dropTags = compiledOnce(db, () =>
    db
      .deleteFrom("breadcrumb_tags")
      .where("owner", "=", anyText)
      .where("position", "=", anyNumber)
      .where("tag", "in", parts.textList([]))
      .compile(),
  );
  const addTags = insertRows(db, parts, "breadcrumb_tags", tagInsert);
  const saveWords = parts.createWordWriter(db);

  async function addHeads(heads: readonly Head[]): Promise<void> {
    const found = heads.map((head) => ({ ...head, ...searchKeysOf(head) }));
    await saveHeads(found.map((head) => toHeadRow(head, head.identity, JSON.stringify(head.record))));
    const live = found.filter(({ deleted }) => !deleted);
    await addTags(live.flatMap(({ record, position }) => [...new Set(record.tags)].map((tag) => [record.owner, tag, position])));
    await saveWords(live);
  }

  return {
    ...createSqlReads(db, parts, bodies),
    ...createRetentionWrites(db, parts),
    ...createBulkWrites(db, { addRevisions, addHeads, addLines: insertRows(db, parts, "audit", lineInsert) }),
    ...createAuditWrites(db, parts),
    ...createSecretWrites(db),
    ...createPresenceWrites(db, parts),
    ...createNoteWrites(db, parts),
    ...createDefinitionLogWrites(db, parts),
    ...createClusterLeaseWrites(db, parts),
    ...createJobWrites(db, parts),
    ...createSessionWrites(db, parts),
    ...createTicketWrites(db, parts),
    async save(savings) {
      if (savings.length === 0) return [];
      const first = (await takeNumbers([savings.length]))[0]!.number - savings.length + 1;
      const rows = savings.map((saving, index) => toSaved(saving, first + index));
      await addRevisions(rows.map(({ change: { sequence, type, record }, body }) => toRevision(sequence, type, record, body)));
      await saveHeads(rows.map(({ head, identity, body }) => toHeadRow(head, identity, body)));
      for (const { head, droppedTags } of rows)
        if (droppedTags.length > 0) await dropTags([head.record.owner, head.position, parts.textsParameter(droppedTags)]);
      await addTags(rows.flatMap(({ head, addedTags }) => addedTags.map((tag) => [head.record.owner, tag, head.position])));
      await saveWords(rows.map(({ head: { position }, terms }) => ({ position, terms })));
      // A copy, since who wrote a record gets that one.
      for (const { change, body } of rows) bodies.note(change.sequence, body, { ...change.record });
      return rows.map(({ change }) => change);
    },
    async setReadsLeft(owner, id, readsLeft) {
      await db.updateTable("breadcrumbs").set({ reads_left: readsLeft }).where("owner", "=", owner).where("id", "=", id).execute();
    },
  };
}

/** Everything that is written for one change. */
export interface SavedRows {
  readonly change: Change;
  readonly head: Head;
  readonly body: string;
  readonly identity: string | undefined;
  readonly terms: readonly string[];
  readonly droppedTags: readonly string[];
  readonly addedTags: readonly string[];
}

export function toSaved(saving: Saving, sequence: number): SavedRows {
  const { type, record, identity, position, tagsBefore, terms, expiresAt, readsLeft } = saving;
  const isLive = type === "created" || type === "updated";
  const [before, after] = [new Set(tagsBefore), new Set(isLive ? record.tags : [])];
  return {
    change: { sequence, type, record },
    head: { record, position: position ?? sequence, deleted: !isLive, expiresAt, readsLeft },
    body: JSON.stringify(record),
    identity,
    terms,
    droppedTags: [...before].filter((tag) => !after.has(tag)),
    addedTags: [...after].filter((tag) => !before.has(tag)),
  };
}

/** In the order of `headInsert`. */
export function toHeadRow(
  { record, position, deleted, expiresAt, readsLeft }: Head,
  identity: string | undefined,
  body: string,
): readonly unknown[] {
  const { owner, id, version, schema_name, visibility, created_by, grants } = record;
  const ends = expiresAt === undefined ? null : Math.floor(expiresAt);
  const hasGrants = grants === undefined ? 0 : 1;
  const isDeleted = deleted ? 1 : 0;
  return [
    position,
    owner,
    id,
    version,
    isDeleted,
    schema_name,
    visibility,
    created_by,
    hasGrants,
    identity ?? null,
    ends,
    readsLeft ?? null,
    body,
  ];
}

export const headInsert: RowInsert<Tables["breadcrumbs"]> = {
  columns: {
    position: "whole",
    owner: "text",
    id: "text",
    version: "whole",
    deleted: "whole",
    schema_name: "text",
    visibility: "text",
    created_by: "text",
    has_grants: "whole",
    identity: "text",
    expires_at: "whole",
    reads_left: "whole",
    body: "text",
  },
  key: ["owner", "id"],
  kept: ["position"],
};

const revisionInsert: RowInsert<Tables["revisions"]> = {
  columns: { sequence: "whole", owner: "text", id: "text", version: "whole", type: "text", body: "text" },
};

const tagInsert: RowInsert<Tables["breadcrumb_tags"]> = { columns: { owner: "text", tag: "text", position: "whole" } };
