import { sql } from "kysely";
import type { SqlParts } from "./parts.ts";
import type { Sql } from "./tables.ts";

/** The table of jobs. What workers ask for is in indexes that hold only the rows in question: most rows have ended. */
export async function addJobs(db: Sql, { types }: SqlParts): Promise<void> {
  const [big, bytes] = [sql.raw(types.big), sql.raw(types.bytes)];
  await db.schema
    .createTable("jobs")
    .addColumn("owner", bytes, (column) => column.notNull())
    .addColumn("id", bytes, (column) => column.notNull())
    .addColumn("kind", bytes, (column) => column.notNull())
    .addColumn("caller", bytes, (column) => column.notNull())
    .addColumn("subject", "text", (column) => column.notNull())
    .addColumn("key", bytes)
    .addColumn("origin", "text", (column) => column.notNull())
    .addColumn("tries", big, (column) => column.notNull())
    .addColumn("delays", "text", (column) => column.notNull())
    .addColumn("payload", "text", (column) => column.notNull())
    .addColumn("created_at", big, (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("due_at", big, (column) => column.notNull())
    .addColumn("started_at", big)
    .addColumn("ended_at", big)
    .addColumn("attempt", big, (column) => column.notNull())
    .addColumn("failed", big, (column) => column.notNull())
    .addColumn("lost_by", "text", (column) => column.notNull())
    .addColumn("holder", bytes, (column) => column.notNull())
    .addColumn("beat", big, (column) => column.notNull())
    .addColumn("cancelling", "integer", (column) => column.notNull())
    .addColumn("progress", "text")
    .addColumn("result", "text")
    .addColumn("error", "text")
    .addPrimaryKeyConstraint("jobs_id", ["owner", "id"])
    .execute();
  const key = db.schema.createIndex("jobs_key").unique().on("jobs").columns(["owner", "kind", "caller", "key"]);
  await key.where("key", "is not", null).execute();
  await db.schema
    .createIndex("jobs_due")
    .on("jobs")
    .columns(["owner", "due_at"])
    .where(sql.ref("state"), "=", sql.lit("waiting"))
    .execute();
  const turns = db.schema.createIndex("jobs_turn").on("jobs").columns(["owner", "caller", "due_at", "id"]);
  await turns.where(sql.ref("state"), "=", sql.lit("waiting")).execute();
  await db.schema
    .createIndex("jobs_held")
    .on("jobs")
    .columns(["owner", "holder"])
    .where(sql.ref("state"), "=", sql.lit("running"))
    .execute();
  const ended = db.schema.createIndex("jobs_ended").on("jobs").columns(["owner", "ended_at"]);
  await ended.where("ended_at", "is not", null).execute();
}
