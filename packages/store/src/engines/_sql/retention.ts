import type { RetentionReads, RetentionWrites } from "../../engine/retention.ts";
import type { SqlParts } from "./parts.ts";
import type { Sql } from "./tables.ts";

export function createRetentionReads(db: Sql): RetentionReads {
  return {
    async changesBegin() {
      const row = await db.selectFrom("ends").select("number").where("name", "=", "changes-begin").executeTakeFirst();
      return row?.number ?? 0;
    },
    async oldChanges({ after, upTo, revisions, wholeSchema }) {
      const rows = await db
        .selectFrom("revisions as r")
        .innerJoin("breadcrumbs as b", (join) => join.onRef("b.owner", "=", "r.owner").onRef("b.id", "=", "r.id"))
        .select(["r.sequence", "r.owner", "r.id", "b.schema_name", "b.deleted"])
        .where("r.sequence", ">", after)
        .where("r.sequence", "<=", upTo)
        .where(({ and, eb, or, ref }) =>
          or([
            and([eb("b.deleted", "=", 1), eb("r.version", "=", ref("b.version"))]),
            and([eb("b.deleted", "=", 0), eb("b.schema_name", "<>", wholeSchema), eb("r.version", "<=", eb("b.version", "-", revisions))]),
          ]),
        )
        .orderBy("r.sequence")
        .execute();
      return rows.map(({ sequence, owner, id, schema_name, deleted }) => ({
        sequence,
        owner,
        id,
        schemaName: schema_name,
        isEnd: deleted === 1,
      }));
    },
  };
}

export function createRetentionWrites(db: Sql, parts: SqlParts): RetentionWrites {
  async function raiseBegin(number: number): Promise<void> {
    await db
      .insertInto("ends")
      .values({ name: "changes-begin", number, hash: "" })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ number }).where("ends.number", "<", number))
      .execute();
  }

  return {
    async dropChanges(sequences) {
      if (sequences.length === 0) return;
      await db.deleteFrom("revisions").where("sequence", "in", parts.wholeNumbers(sequences)).execute();
      await raiseBegin(Math.max(...sequences));
    },
    async dropEnded(ends) {
      let dropped = 0;
      for (const { sequence, owner, id } of ends) {
        const gone = await db
          .deleteFrom("breadcrumbs")
          .where("owner", "=", owner)
          .where("id", "=", id)
          .where("deleted", "=", 1)
          .where("version", "=", ({ selectFrom }) =>
            selectFrom("revisions as r").select("r.version").where("r.sequence", "=", sequence).where("r.id", "=", id),
          )
          .returning("position")
          .executeTakeFirst();
        if (gone === undefined) continue;
        await db.deleteFrom("revisions").where("owner", "=", owner).where("id", "=", id).execute();
        await raiseBegin(sequence);
        dropped += 1;
      }
      return dropped;
    },
  };
}
