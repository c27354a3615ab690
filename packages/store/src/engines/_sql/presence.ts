import { type CompiledQuery, sql } from "kysely";
import type { PresenceReads, PresenceWrites } from "../../engine/presence.ts";
import { anyText, compiledOnce } from "./compiled.ts";
import type { SqlParts } from "./parts.ts";
import type { Sql } from "./tables.ts";

export function createPresenceReads(db: Sql): PresenceReads {
  return {
    async sightings(owner) {
      const rows = await db.selectFrom("presence").select(["name", "seen_at", "info"]).where("owner", "=", owner).orderBy("name").execute();
      return rows.map(({ name, seen_at, info }) => ({ name, seenAt: seen_at, info }));
    },
  };
}

export function createPresenceWrites(db: Sql, parts: SqlParts): PresenceWrites {
  const findLease = compiledOnce(db, () => readLease(db, parts));
  return {
    async noteSighting(owner, { name, seenAt, info }) {
      const seen_at = Math.floor(seenAt);
      await db
        .insertInto("presence")
        .values({ owner, name, seen_at, info })
        .onConflict((conflict) => conflict.columns(["owner", "name"]).doUpdateSet({ seen_at, info }))
        .execute();
    },
    async renewSighting(owner, { name, seenAt, info }) {
      const query = db.updateTable("presence").set({ seen_at: Math.floor(seenAt), info });
      return (await query.where("owner", "=", owner).where("name", "=", name).returning("name").execute()).length > 0;
    },
    async holdsLease({ owner, name }) {
      return (await findLease([owner, name])).length > 0;
    },
    async forgetSighting(owner, name) {
      await db.deleteFrom("presence").where("owner", "=", owner).where("name", "=", name).execute();
    },
  };
}

/** Takes the owner and the name. */
export function readLease(db: Sql, { locksRows }: SqlParts): CompiledQuery<{ readonly held: number }> {
  const query = db.selectFrom("presence").select(sql.lit(1).as("held")).where("owner", "=", anyText).where("name", "=", anyText);
  // A report of the server itself does not wait for this lock; whoever removes the entry does.
  return (locksRows ? query.forKeyShare() : query).compile();
}
