import { type RawBuilder, sql, type SqlBool } from "kysely";
import type { ColumnKind, SqlParts, WordTerm } from "../_sql/parts.ts";
import { table } from "../_sql/tables.ts";

export const postgresParts: SqlParts = {
  kind: "postgres",
  types: { big: "bigint", bytes: 'text collate "C"', real: "double precision" },
  locksRows: true,
  now: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
  rowValues(kinds) {
    return sql`select ${jsonValues(kinds, "item")} from json_array_elements(${"[]"}::json) as rows(item)`;
  },
  // One parameter is a fraction of the work that a parameter for each value would be.
  rowParameters: (rows) => [JSON.stringify(rows)],
  wholeNumbers: (numbers) => sql<number>`(select unnest(${numbers}::bigint[]))`,
  textList: (texts) => sql<string>`(select unnest(${texts}::text[]))`,
  textsParameter: (texts) => texts,
  async createWords(db) {
    await sql`create table ${table("words")} (position bigint primary key, terms tsvector not null)`.execute(db);
    // Without the list of pending words, which every search would have to read and an unlucky write to sort in.
    await sql`create index words_terms on ${table("words")} using gin (terms) with (fastupdate = off)`.execute(db);
  },
  createWordWriter: (db) => async (words) => {
    const saved = words.filter(({ terms }) => terms.length > 0).map(({ position, terms }) => [position, terms]);
    const removed = words.filter(({ terms }) => terms.length === 0).map(({ position }) => position);
    if (removed.length > 0) await sql`delete from ${table("words")} where position = any(${removed}::bigint[])`.execute(db);
    if (saved.length > 0) {
      await sql`insert into ${table("words")} (position, terms)
        select (item ->> 0)::bigint, array_to_tsvector(array(select json_array_elements_text(item -> 1)))
        from json_array_elements(${JSON.stringify(saved)}::json) as rows(item)
        on conflict (position) do update set terms = excluded.terms`.execute(db);
    }
  },
  indexedWords: (terms, after) =>
    sql`select position, terms from ${table("words")} where terms @@ ${toQuery(terms)}::tsquery and position > ${after}`,
  // The function behind the operator, which no index is used for.
  rowHasWords: (terms) => sql<SqlBool>`ts_match_vq(words.terms, ${toQuery(terms)}::tsquery)`,
};

/** The values of a JSON array as columns. */
export function jsonValues(kinds: readonly ColumnKind[], array: string): RawBuilder<unknown> {
  return sql.join(kinds.map((kind, index) => sql`(${sql.raw(array)} ->> ${sql.lit(index)})${sql.raw(castTo(kind))}`));
}

function castTo(kind: ColumnKind): string {
  if (kind === "text") return "";
  return kind === "whole" ? "::bigint" : "::double precision";
}

/** Words are letters and digits only, so that nothing in them can be an operator. */
function toQuery(terms: readonly WordTerm[]): string {
  return terms.map(({ word, isWhole }) => `'${word}'${isWhole ? "" : ":*"}`).join(" & ");
}
