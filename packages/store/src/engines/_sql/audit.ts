import { type CompiledQuery, type Selectable, type SelectQueryBuilder, sql } from "kysely";
import type { AuditEnd, AuditFilter, AuditReads, AuditRow, AuditWrites } from "../../engine/audit.ts";
import { endOf } from "../../engine/chain.ts";
import { compiledOnce } from "./compiled.ts";
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
  const readEnd = compiledOnce(db, () => readAuditEnd(db, parts));
  const moveEnd = compiledOnce(db, () => moveAuditEnd(db));
  return {
    async lockAudit() {
      return (await readEnd([]))[0]!;
    },
    async appendAudit(lines) {
      if (lines.length === 0) return;
      const { number, hash } = endOf(lines);
      await insert(lines);
      await moveEnd([number, hash]);
    },
    async dropAudit({ number, hash }) {
      await db.deleteFrom("audit").where("number", "<=", number).execute();
      await db.updateTable("ends").set({ number, hash }).where("name", "=", "audit-first").execute();
    },
  };
}

export function readAuditEnd(db: Sql, { locksRows }: SqlParts): CompiledQuery<AuditEnd> {
  const query = db.selectFrom("ends").select(["number", "hash"]).where("name", "=", sql.lit("audit-last"));
  return (locksRows ? query.forUpdate() : query).compile();
}

/** Takes the number and the hash. */
export function moveAuditEnd(db: Sql): CompiledQuery {
  return db.updateTable("ends").set({ number: 0, hash: "" }).where("name", "=", sql.lit("audit-last")).compile();
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
  return narrowed as Query;
}

export function toAuditRow({ call_id, duration_ms, key_id, ...row }: Selectable<Tables["audit"]>): AuditRow {
  return { ...row, callId: call_id, durationMs: duration_ms, keyId: key_id };
}
