import type { Change, Writes } from "../engine.ts";
import { createAuditWrites } from "./audit.ts";
import { createNoteWrites } from "./notes.ts";
import type { SqlParts } from "./parts.ts";
import { createPresenceWrites } from "./presence.ts";
import { createSqlReads } from "./reads.ts";
import { createSecretWrites } from "./secrets.ts";
import type { Sql } from "./tables.ts";

/** The writing queries, inside a transaction that keeps other writers out. */
export function createSqlWrites(db: Sql, parts: SqlParts): Writes {
  return {
    ...createSqlReads(db, parts),
    ...createAuditWrites(db, parts),
    ...createSecretWrites(db),
    ...createPresenceWrites(db),
    ...createNoteWrites(db, parts),
    async save({ type, record, identity, terms, expiresAt, readsLeft }) {
      const { owner, id, version } = record;
      const body = JSON.stringify(record);
      const isLive = type === "created" || type === "updated";
      const sequence = await nextNumber(db);
      await db.insertInto("revisions").values({ sequence, owner, id, version, type, body }).execute();
      const row = {
        version,
        deleted: isLive ? 0 : 1,
        schema_name: record.schema_name,
        visibility: record.visibility,
        created_by: record.created_by,
        has_grants: record.grants === undefined ? 0 : 1,
        identity: identity ?? null,
        expires_at: expiresAt === undefined ? null : Math.floor(expiresAt),
        reads_left: readsLeft ?? null,
        body,
      };
      const { position } = await db
        .insertInto("breadcrumbs")
        .values({ position: sequence, owner, id, ...row })
        .onConflict((conflict) => conflict.columns(["owner", "id"]).doUpdateSet(row))
        .returning("position")
        .executeTakeFirstOrThrow();
      if (position !== sequence) await db.deleteFrom("breadcrumb_tags").where("position", "=", position).execute();
      const tags = isLive ? record.tags.map((tag) => ({ owner, tag, position })) : [];
      if (tags.length > 0) await db.insertInto("breadcrumb_tags").values(tags).execute();
      await parts.saveWords(db, position, terms);
      return { sequence, type, record } satisfies Change;
    },
    async setReadsLeft(owner, id, readsLeft) {
      await db.updateTable("breadcrumbs").set({ reads_left: readsLeft }).where("owner", "=", owner).where("id", "=", id).execute();
    },
  };
}

/** Taken inside the transaction, so that a number that was given and not committed is given again. */
async function nextNumber(db: Sql): Promise<number> {
  const query = db.updateTable("ends").set(({ eb }) => ({ number: eb("number", "+", 1) }));
  return (await query.where("name", "=", "sequence").returning("number").executeTakeFirstOrThrow()).number;
}
