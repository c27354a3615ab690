import { sql } from "kysely";
import type { SqlParts } from "./parts.ts";
import type { Sql } from "./tables.ts";

/** The table of what servers work together on. */
export async function addTickets(db: Sql, { types, locksRows }: SqlParts): Promise<void> {
  const [big, bytes] = [sql.raw(types.big), sql.raw(types.bytes)];
  await db.schema
    .createTable("tickets")
    .addColumn("owner", bytes, (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("name", bytes, (column) => column.notNull())
    .addColumn("version", big, (column) => column.notNull())
    .addColumn("group_name", bytes, (column) => column.notNull())
    .addColumn("holder", bytes, (column) => column.notNull())
    .addColumn("is_open", "integer", (column) => column.notNull())
    .addColumn("created_at", big, (column) => column.notNull())
    .addColumn("ends_at", big, (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("tickets_key", ["owner", "kind", "name"])
    .execute();
  await db.schema.createIndex("tickets_group").on("tickets").columns(["owner", "kind", "group_name", "created_at"]).execute();
  await db.schema.createIndex("tickets_end").on("tickets").columns(["owner", "kind", "ends_at"]).execute();
  const held = db.schema.createIndex("tickets_held").on("tickets").columns(["owner", "kind", "holder"]);
  await held.where(sql.ref("is_open"), "=", sql.lit(1)).execute();
  // Other processes see by this number that a ticket changed; a database that sends messages needs none.
  if (!locksRows) await db.insertInto("ends").values({ name: "tickets", number: 0, hash: "" }).execute();
}
