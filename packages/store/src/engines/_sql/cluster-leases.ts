import { sql } from "kysely";
import type { ClusterLeaseWrites } from "../../engine/cluster-lease.ts";
import type { SqlParts } from "./parts.ts";
import { type Sql, table } from "./tables.ts";

export function createClusterLeaseWrites(db: Sql, { locksRows, now }: SqlParts): ClusterLeaseWrites {
  const leases = table("leases");
  return {
    async takeClusterLease(owner, name, holder, ttlMs) {
      const { rows } = await sql<{ token: number }>`
        insert into ${leases} as held (owner, name, holder, token, ends_at) values (${owner}, ${name}, ${holder}, 1, ${now} + ${ttlMs})
        on conflict (owner, name) do update set holder = excluded.holder, token = held.token + 1, ends_at = excluded.ends_at
        where held.ends_at <= ${now} returning token`.execute(db);
      return rows[0]?.token;
    },
    async renewClusterLease(owner, { name, token }, ttlMs) {
      const query = db.updateTable("leases").set({ ends_at: sql<number>`${now} + ${ttlMs}` });
      const own = query.where("owner", "=", owner).where("name", "=", name).where("token", "=", token).where("holder", "<>", "");
      return (await own.returning("name").execute()).length > 0;
    },
    async releaseClusterLease(owner, { name, token }) {
      const query = db.updateTable("leases").set({ holder: "", ends_at: 0 });
      await query.where("owner", "=", owner).where("name", "=", name).where("token", "=", token).execute();
    },
    async holdsClusterLease(owner, { name, token }) {
      const query = db.selectFrom("leases").select("name").where("owner", "=", owner).where("name", "=", name);
      const own = query.where("token", "=", token).where("holder", "<>", "");
      return (await (locksRows ? own.forShare() : own).execute()).length > 0;
    },
  };
}
