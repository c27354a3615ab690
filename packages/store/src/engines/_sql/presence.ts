import type { PresenceReads, PresenceWrites } from "../_presence.ts";
import type { Sql } from "./tables.ts";

export function createPresenceReads(db: Sql): PresenceReads {
  return {
    async sightings(owner) {
      const rows = await db.selectFrom("presence").select(["name", "seen_at", "info"]).where("owner", "=", owner).orderBy("name").execute();
      return rows.map(({ name, seen_at, info }) => ({ name, seenAt: seen_at, info }));
    },
  };
}

export function createPresenceWrites(db: Sql): PresenceWrites {
  return {
    async noteSighting(owner, { name, seenAt, info }) {
      const seen_at = Math.floor(seenAt);
      await db
        .insertInto("presence")
        .values({ owner, name, seen_at, info })
        .onConflict((conflict) => conflict.columns(["owner", "name"]).doUpdateSet({ seen_at, info }))
        .execute();
    },
    async forgetSighting(owner, name) {
      await db.deleteFrom("presence").where("owner", "=", owner).where("name", "=", name).execute();
    },
  };
}
