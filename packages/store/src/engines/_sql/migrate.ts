import { sql } from "kysely";
import { StoreError } from "../../errors.ts";
import type { Migrations } from "../../engine/engine.ts";
import { type Migration, migrations } from "./migrations.ts";
import type { SqlParts } from "./parts.ts";
import { type Sql, table } from "./tables.ts";

/** Brings the tables up to date. To be called inside one exclusive transaction: either all of it happens, or none. */
export async function migrate(db: Sql, parts: SqlParts, list: readonly Migration[] = migrations): Promise<void> {
  await sql`create table if not exists ${table("migrations")} (name text primary key, applied_at text not null)`.execute(db);
  const applied = new Set((await db.selectFrom("migrations").select("name").execute()).map(({ name }) => name));
  const newer = [...applied].find((name) => !list.some((migration) => migration.name === name));
  if (newer !== undefined) {
    throw new StoreError("STORE_INCOMPATIBLE", `The database was changed by a newer version of the store ("${newer}"). Use that version.`);
  }
  for (const migration of list) {
    if (applied.has(migration.name)) continue;
    await migration.up(db, parts);
    await db.insertInto("migrations").values({ name: migration.name, applied_at: new Date().toISOString() }).execute();
  }
}

export async function countMigrations(db: Sql): Promise<Migrations> {
  const { applied } = await db
    .selectFrom("migrations")
    .select(({ fn }) => fn.countAll<number>().as("applied"))
    .executeTakeFirstOrThrow();
  return { applied: Number(applied), known: migrations.length };
}
