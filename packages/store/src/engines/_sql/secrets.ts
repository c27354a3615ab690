import type { Selectable } from "kysely";
import type { SecretReads, SecretRow, SecretWrites } from "../_secrets.ts";
import type { Sql, Tables } from "./tables.ts";

export function createSecretReads(db: Sql): SecretReads {
  return {
    async secret(owner, name) {
      const row = await db.selectFrom("secrets").selectAll().where("owner", "=", owner).where("name", "=", name).executeTakeFirst();
      return row && toSecretRow(row);
    },
    async secretsNotUnder(keyId, limit) {
      const query = db.selectFrom("secrets").selectAll().where("key_id", "!=", keyId).orderBy("owner").orderBy("name").limit(limit);
      return (await query.execute()).map(toSecretRow);
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

function toSecretRow(row: Selectable<Tables["secrets"]>): SecretRow {
  const { owner, name, version, sealed } = row;
  return { owner, name, version, sealed, keyId: row.key_id, wrappedKey: row.wrapped_key, updatedAt: row.updated_at };
}
