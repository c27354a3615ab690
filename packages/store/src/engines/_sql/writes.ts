import { sql } from "kysely";
import { searchKeysOf } from "../../engine/search-keys.ts";
import type { Change, Head, Writes } from "../../engine/engine.ts";
import { createAuditWrites } from "./audit.ts";
import { compiledOnce } from "./compiled.ts";
import { createDefinitionLogWrites } from "./definition-log.ts";
import { insertRows, type RowInsert } from "./insert-rows.ts";
import { createNoteWrites } from "./notes.ts";
import type { SqlParts } from "./parts.ts";
import { createPresenceWrites } from "./presence.ts";
import { createSqlReads } from "./reads.ts";
import { createRetentionWrites } from "./retention.ts";
import { createSecretWrites } from "./secrets.ts";
import { createBulkWrites } from "./snapshot.ts";
import { type Sql, table, type Tables } from "./tables.ts";

/** The writing queries, inside a transaction that keeps other writers out. */
export function createSqlWrites(db: Sql, parts: SqlParts): Writes {
  // Taken inside the transaction, so that a number that was given and not committed is given again.
  const takeNumber = compiledOnce(db, () => {
    const query = db.updateTable("ends").set(({ eb }) => ({ number: eb("number", "+", sql.lit(1)) }));
    return query.where("name", "=", sql.lit("sequence")).returning("number").compile();
  });
  const addRevisions = insertRows(db, parts, "revisions", revisionInsert);
  const saveHead = compiledOnce(db, () => {
    const columns = sql.join(headColumns.map((name) => sql.ref(name)));
    const values = sql.join(headColumns.map(() => sql`${null}`));
    const kept = new Set<string>(["position", "owner", "id"]);
    const replaced = headColumns.filter((name) => !kept.has(name)).map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`);
    return sql<{ position: number }>`insert into ${table("breadcrumbs")} (${columns}) values (${values})
      on conflict (owner, id) do update set ${sql.join(replaced)} returning position`.compile(db);
  });
  const dropTags = compiledOnce(db, () =>
    db.deleteFrom("breadcrumb_tags").where("owner", "=", "").where("position", "=", 0).where("tag", "in", parts.texts).compile(),
  );
  const addTags = insertRows(db, parts, "breadcrumb_tags", tagInsert);
  const saveWords = parts.createWordWriter(db);

  async function addHead(head: Head): Promise<void> {
    const { record, deleted, position } = head;
    const { identity, terms } = searchKeysOf(head);
    const row = toRow(head, identity, JSON.stringify(record));
    await saveHead(headColumns.map((name) => row[name]));
    if (deleted) return;
    await addTags([...new Set(record.tags)].map((tag) => [record.owner, tag, position]));
    await saveWords(position, terms);
  }

  return {
    ...createSqlReads(db, parts),
    ...createRetentionWrites(db, parts),
    ...createBulkWrites(db, { addRevisions, addHead }),
    ...createAuditWrites(db, parts),
    ...createSecretWrites(db),
    ...createPresenceWrites(db),
    ...createNoteWrites(db, parts),
    ...createDefinitionLogWrites(db, parts),
    async save({ type, record, identity, tagsBefore, terms, expiresAt, readsLeft }) {
      const { owner, id, version } = record;
      const body = JSON.stringify(record);
      const isLive = type === "created" || type === "updated";
      const sequence = (await takeNumber([]))[0]!.number;
      await addRevisions([[sequence, owner, id, version, type, body]]);
      const row = toRow({ record, position: sequence, deleted: !isLive, expiresAt, readsLeft }, identity, body);
      const { position } = (await saveHead(headColumns.map((name) => row[name])))[0]!;
      const [before, after] = [new Set(tagsBefore), new Set(isLive ? record.tags : [])];
      const dropped = tagsBefore.filter((tag) => !after.has(tag));
      if (dropped.length > 0) await dropTags([owner, position, parts.textsParameter(dropped)]);
      await addTags([...after].filter((tag) => !before.has(tag)).map((tag) => [owner, tag, position]));
      await saveWords(position, terms);
      return { sequence, type, record } satisfies Change;
    },
    async setReadsLeft(owner, id, readsLeft) {
      await db.updateTable("breadcrumbs").set({ reads_left: readsLeft }).where("owner", "=", owner).where("id", "=", id).execute();
    },
  };
}

function toRow(head: Head, identity: string | undefined, body: string): Tables["breadcrumbs"] {
  const { record, position, deleted, expiresAt, readsLeft } = head;
  return {
    position,
    owner: record.owner,
    id: record.id,
    version: record.version,
    deleted: deleted ? 1 : 0,
    schema_name: record.schema_name,
    visibility: record.visibility,
    created_by: record.created_by,
    has_grants: record.grants === undefined ? 0 : 1,
    identity: identity ?? null,
    expires_at: expiresAt === undefined ? null : Math.floor(expiresAt),
    reads_left: readsLeft ?? null,
    body,
  };
}

const headColumns = [
  "position",
  "owner",
  "id",
  "version",
  "deleted",
  "schema_name",
  "visibility",
  "created_by",
  "has_grants",
  "identity",
  "expires_at",
  "reads_left",
  "body",
] as const satisfies readonly (keyof Tables["breadcrumbs"])[];

const revisionInsert: RowInsert<Tables["revisions"]> = {
  columns: { sequence: "whole", owner: "text", id: "text", version: "whole", type: "text", body: "text" },
};

const tagInsert: RowInsert<Tables["breadcrumb_tags"]> = { columns: { owner: "text", tag: "text", position: "whole" } };
