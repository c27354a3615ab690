import { type CompiledQuery, type Selectable, type SelectQueryBuilder, sql } from "kysely";
import {
  type AuditFilter,
  type AuditReads,
  type AuditRow,
  type AuditWrites,
  type ChainEnds,
  type ChainTip,
  mainChain,
} from "../../engine/audit.ts";
import { tipOf } from "../../engine/chain.ts";
import { anyNumber, anyText, compiledOnce } from "./compiled.ts";
import { insertRows, type RowInsert } from "./insert-rows.ts";
import type { SqlParts } from "./parts.ts";
import type { Sql, Tables } from "./tables.ts";

export function createAuditReads(db: Sql): AuditReads {
  return {
    async auditAfter(after, limit, filter = {}) {
      const query = filtered(db.selectFrom("audit").selectAll(), filter).where("number", ">", after);
      return (await query.orderBy("number").limit(limit).execute()).map(toAuditRow);
    },
    async auditBefore(before, limit, filter = {}) {
      const query = filtered(db.selectFrom("audit").selectAll(), filter).where("number", "<", before);
      return (await query.orderBy("number", "desc").limit(limit).execute()).map(toAuditRow);
    },
    async auditEnds() {
      const rows = await db.selectFrom("ends").selectAll().where("name", "in", ["audit-first", "audit-last"]).execute();
      const end = (name: string) => {
        const { number, hash } = rows.find((row) => row.name === name)!;
        return { number, hash };
      };
      return { first: end("audit-first"), last: end("audit-last") };
    },
    auditChains: () => readChains(db),
    async chainsSince(number) {
      // One statement, so that all of it is of one moment.
      const rows = await db
        .selectFrom("ends as counter")
        .leftJoin(
          db
            .selectFrom("audit_chains as c")
            .innerJoin("audit as line", (join) => join.onRef("line.chain", "=", "c.chain").onRef("line.place", "=", "c.last_place"))
            .select(["c.chain", "c.last_place", "c.last_hash", "line.number"])
            .where("line.number", ">", number)
            .as("moved"),
          (join) => join.onTrue(),
        )
        .select(["counter.number as upTo", "counter.hash as main", "moved.chain", "moved.last_place", "moved.last_hash", "moved.number"])
        .where("counter.name", "=", "audit-last")
        .orderBy("moved.chain")
        .execute();
      const ends = rows.flatMap((row) =>
        row.chain === null ? [] : [{ chain: row.chain, place: row.last_place!, number: row.number!, hash: row.last_hash! }],
      );
      return { upTo: rows[0]!.upTo, main: rows[0]!.main, ends };
    },
    async auditSize() {
      const row = await db
        .selectFrom("audit")
        .select(({ fn }) => [fn.countAll<number>().as("rows"), fn.sum<number | null>(fn("length", ["body"])).as("bytes")])
        .executeTakeFirstOrThrow();
      return { rows: Number(row.rows), bytes: Number(row.bytes ?? 0) };
    },
  };
}

export function createAuditWrites(db: Sql, parts: SqlParts): AuditWrites {
  const insert = insertRows(db, parts, "audit", lineInsert);
  const readEnd = compiledOnce(db, () => readAuditEnd(db));
  const moveEnd = compiledOnce(db, () => moveAuditEnd(db));
  return {
    async lockAudit() {},
    async chainTip() {
      return { ...(await readEnd([]))[0]!, chain: mainChain };
    },
    async appendAudit(lines) {
      const { number, hash } = tipOf(lines);
      await insert(lines);
      await moveEnd([number, hash]);
      return true;
    },
    async dropAudit({ number, hash }, chains) {
      await db.deleteFrom("audit").where("number", "<=", number).execute();
      await db.updateTable("ends").set({ number, hash }).where("name", "=", "audit-first").execute();
      for (const { chain, first } of chains)
        await db.updateTable("audit_chains").set({ first_place: first.place, first_hash: first.hash }).where("chain", "=", chain).execute();
      await db.deleteFrom("audit_chains").whereRef("first_place", "=", "last_place").execute();
    },
  };
}

export async function readChains(db: Sql): Promise<readonly ChainEnds[]> {
  const rows = await db.selectFrom("audit_chains").selectAll().orderBy("chain").execute();
  return rows.map(({ chain, first_place, first_hash, last_place, last_hash }) => ({
    chain,
    first: { place: first_place, hash: first_hash },
    last: { place: last_place, hash: last_hash },
  }));
}

/** The end of the chain "main". */
export function readAuditEnd(db: Sql): CompiledQuery<Omit<ChainTip, "chain">> {
  const query = db.selectFrom("ends").select(["number", "hash", sql.lit(0).as("place")]);
  return query.where("name", "=", sql.lit("audit-last")).compile();
}

/** Takes the number and the hash. */
export function moveAuditEnd(db: Sql): CompiledQuery {
  return db.updateTable("ends").set({ number: anyNumber, hash: anyText }).where("name", "=", sql.lit("audit-last")).compile();
}

/** With the columns in the order of a `LinkedLine`. */
export const lineInsert: RowInsert<Tables["audit"]> = {
  columns: {
    number: "whole",
    at: "whole",
    owner: "text",
    kind: "text",
    agent: "text",
    subject: "text",
    call_id: "text",
    ok: "whole",
    code: "text",
    duration_ms: "fraction",
    body: "text",
    principal: "text",
    previous: "text",
    hash: "text",
    chain: "text",
    key_id: "text",
    place: "whole",
  },
};

function filtered<Query extends SelectQueryBuilder<Tables, "audit", Selectable<Tables["audit"]>>>(
  query: Query,
  filter: AuditFilter,
): Query {
  let narrowed: SelectQueryBuilder<Tables, "audit", Selectable<Tables["audit"]>> = query;
  if (filter.owner !== undefined) narrowed = narrowed.where("owner", "=", filter.owner);
  if (filter.kinds !== undefined) narrowed = narrowed.where("kind", "in", filter.kinds);
  // Said in these words, since an index holds only such lines; one for failures as well.
  if (filter.kinds?.includes("call") === false) narrowed = narrowed.where("kind", "<>", sql.lit("call"));
  if (filter.agent !== undefined) narrowed = narrowed.where("agent", "=", filter.agent);
  if (filter.principals !== undefined) narrowed = narrowed.where("principal", "in", filter.principals);
  if (filter.subject !== undefined) narrowed = narrowed.where("subject", "=", filter.subject);
  if (filter.callId !== undefined) narrowed = narrowed.where("call_id", "=", filter.callId);
  // A range, which the index of ids can answer.
  if (filter.callIdPrefix !== undefined)
    narrowed = narrowed.where("call_id", ">=", filter.callIdPrefix).where("call_id", "<", `${filter.callIdPrefix}\uffff`);
  if (filter.ok !== undefined) narrowed = narrowed.where("ok", "=", sql.lit(Number(filter.ok)));
  if (filter.after !== undefined) narrowed = narrowed.where("number", ">", filter.after);
  if (filter.from !== undefined) narrowed = narrowed.where("at", ">=", filter.from);
  if (filter.to !== undefined) narrowed = narrowed.where("at", "<", filter.to);
  return narrowed as Query;
}

export function toAuditRow({ call_id, duration_ms, key_id, ...row }: Selectable<Tables["audit"]>): AuditRow {
  return { ...row, callId: call_id, durationMs: duration_ms, keyId: key_id };
}
