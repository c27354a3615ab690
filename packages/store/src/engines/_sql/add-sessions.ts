import { sql } from "kysely";
import type { SqlParts } from "./parts.ts";
import type { Sql } from "./tables.ts";

/** The tables of sessions, of their messages, and of what waits in their inboxes. */
export async function addSessions(db: Sql, { types }: SqlParts): Promise<void> {
  const [big, bytes] = [sql.raw(types.big), sql.raw(types.bytes)];
  await db.schema
    .createTable("sessions")
    .addColumn("owner", bytes, (column) => column.notNull())
    .addColumn("id", bytes, (column) => column.notNull())
    .addColumn("key", bytes, (column) => column.notNull())
    .addColumn("agent", bytes, (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("parent", bytes)
    .addColumn("depth", big, (column) => column.notNull())
    .addColumn("created_at", big, (column) => column.notNull())
    .addColumn("label", bytes)
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("model", "text")
    .addColumn("usage", "text", (column) => column.notNull())
    .addColumn("state", "text")
    .addColumn("result", "text")
    .addColumn("touched", big, (column) => column.notNull())
    .addColumn("ended_at", big)
    .addColumn("last", big, (column) => column.notNull())
    .addColumn("bytes", big, (column) => column.notNull())
    .addColumn("holder", bytes, (column) => column.notNull())
    .addColumn("fence", big, (column) => column.notNull())
    .addColumn("lease_ends_at", big, (column) => column.notNull())
    .addColumn("inbox_last", big, (column) => column.notNull())
    .addColumn("inbox_count", big, (column) => column.notNull())
    .addColumn("inbox_bytes", big, (column) => column.notNull())
    .addPrimaryKeyConstraint("sessions_id", ["owner", "id"])
    .addUniqueConstraint("sessions_key", ["owner", "key"])
    .execute();
  await db.schema.createIndex("sessions_touched").on("sessions").columns(["owner", "touched"]).execute();
  const children = db.schema.createIndex("sessions_parent").on("sessions").columns(["owner", "parent"]);
  await children.where("parent", "is not", null).execute();
  const ended = db.schema.createIndex("sessions_ended").on("sessions").columns(["owner", "ended_at"]);
  await ended.where("ended_at", "is not", null).execute();
  await db.schema
    .createTable("session_messages")
    .addColumn("owner", bytes, (column) => column.notNull())
    .addColumn("session", bytes, (column) => column.notNull())
    .addColumn("seq", big, (column) => column.notNull())
    .addColumn("at", big, (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("session_messages_key", ["owner", "session", "seq"])
    .execute();
  await db.schema
    .createTable("session_inbox")
    .addColumn("owner", bytes, (column) => column.notNull())
    .addColumn("session", bytes, (column) => column.notNull())
    .addColumn("place", big, (column) => column.notNull())
    .addColumn("content", "text", (column) => column.notNull())
    .addColumn("from_kind", "text", (column) => column.notNull())
    .addColumn("from_id", "text")
    .addColumn("at", big, (column) => column.notNull())
    .addColumn("source", bytes)
    .addColumn("taken", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("session_inbox_key", ["owner", "session", "place"])
    .execute();
  const sources = db.schema.createIndex("session_inbox_source").unique().on("session_inbox").columns(["owner", "session", "source"]);
  await sources.where("source", "is not", null).execute();
}
