import type { Selectable } from "kysely";
import type { SecretReads, SecretRow, SecretWrites } from "../../engine/secrets.ts";
import type { Sql, Tables } from "./tables.ts";

export function createSecretReads(db: Sql): SecretReads {
  return {
    async secret(owner, name) {
      const row = await db.selectFrom("secrets").selectAll().where("owner", "=", owner).where("name", "=", name).executeTakeFirst();
      return row && toSecretRow(row);
    },
    async secretsNotUnder(keyId, limit, after = { owner: "", name: "" }) {
      const query = db
        .selectFrom("secrets")
        .selectAll()
        .where("key_id", "!=", keyId)
        .where((is) => is.or([is("owner", ">", after.owner), is.and([is("owner", "=", after.owner), is("name", ">", after.name)])]));
      return (await query.orderBy("owner").orderBy("name").limit(limit).execute()).map(toSecretRow);
    },
    async secretKeys() {
      const query = db
        .selectFrom("secrets")
        .select(({ fn }) => ["owner", "key_id", fn.countAll<number>().as("count"), fn.min("name").as("name")])
        .groupBy(["owner", "key_id"]);
      const rows = await query.orderBy("owner").orderBy("key_id").execute();
      return rows.map(({ owner, key_id, count, name }) => ({ owner, keyId: key_id, count: Number(count), name }));
    },
    async secretNames(owner) {
      const rows = await db.selectFrom("secrets").select("name").where("owner", "=", owner).orderBy("name").execute();
      return rows.map(({ name }) => name);
    },
  };
}

export function createSecretWrites(db: Sql): SecretWrites {
  return {
    async saveSecret({ owner, name, version, keyId, wrappedKey, sealed, updatedAt }) {
      const values = { version, key_id: keyId, wrapped_key: wrappedKey, sealed, updated_at: Math.floor(updatedAt) };
      await db
        .insertInto("secrets")
        .values({ owner, name, ...values })
        .onConflict((conflict) => conflict.columns(["owner", "name"]).doUpdateSet(values))
        .execute();
    },
    async removeSecret(owner, name) {
      await db.deleteFrom("secrets").where("owner", "=", owner).where("name", "=", name).execute();
    },
  };
}

export function toSecretRow(row: Selectable<Tables["secrets"]>): SecretRow {
  const { owner, name, version, sealed } = row;
  return { owner, name, version, sealed, keyId: row.key_id, wrappedKey: row.wrapped_key, updatedAt: row.updated_at };
}
