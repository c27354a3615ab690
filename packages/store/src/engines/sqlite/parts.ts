import { type RawBuilder, sql, type SqlBool } from "kysely";
import { compiledOnce } from "../_sql/compiled.ts";
import type { SqlParts } from "../_sql/parts.ts";
import { EachRun } from "./dialect.ts";

export const sqliteParts: SqlParts = {
  kind: "sqlite",
  types: { big: "integer", bytes: "text", real: "real" },
  locksRows: false,
  now: sql<number>`cast((julianday('now') - 2440587.5) * 86400000 as integer)`,
  // Handing values over costs as much as putting them in, and less for each when there are more.
  rowsAtOnce: 8,
  rowValues(kinds, atOnce) {
    const row = sql`(${sql.join(kinds.map(() => sql`${null}`))})`;
    return sql`values ${sql.join(Array.from({ length: atOnce }, () => row))}`;
  },
  rowParameters(rows, atOnce) {
    const runs: unknown[][] = [];
    for (const [index, row] of rows.entries()) {
      if (index % atOnce === 0) runs.push([]);
      runs.at(-1)!.push(...row);
    }
    return [new EachRun(runs)];
  },
  wholeNumbers: (numbers) => sql<number>`(select value from json_each(${JSON.stringify(numbers)}))`,
  textList: (texts) => sql<string>`(select value from json_each(${JSON.stringify(texts)}))`,
  textsParameter: (texts) => JSON.stringify(texts),
  async createWords(db) {
    await sql`create virtual table words using fts5(terms, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0")`.execute(
      db,
    );
  },
  // The row answers whether a record has a word, the index which records have it; neither is fast at the other's task.
  async replaceWords(db) {
    await sql`drop table words`.execute(db);
    await sql`create table words (position integer primary key, terms text not null)`.execute(db);
    // Terms are folded already, and what is not ASCII is part of a word to this tokenizer.
    await sql`create virtual table word_index using fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii')`.execute(
      db,
    );
  },
  createWordWriter(db) {
    const run = (query: RawBuilder<unknown>) => compiledOnce(db, () => query.compile(db));
    const saveRow = run(sql`insert or replace into words (position, terms) values (${0}, ${""})`);
    const saveInIndex = run(sql`insert or replace into word_index (rowid, terms) values (${0}, ${""})`);
    const removeRow = run(sql`delete from words where position = ${0}`);
    const removeFromIndex = run(sql`delete from word_index where rowid = ${0}`);
    return async (words) => {
      const saved = new EachRun(
        words.filter(({ terms }) => terms.length > 0).map(({ position, terms }) => [position, ` ${terms.join(" ")} `]),
      );
      const removed = new EachRun(words.filter(({ terms }) => terms.length === 0).map(({ position }) => [position]));
      if (saved.runs.length > 0) await saveRow([saved]);
      if (saved.runs.length > 0) await saveInIndex([saved]);
      if (removed.runs.length > 0) await removeRow([removed]);
      if (removed.runs.length > 0) await removeFromIndex([removed]);
    };
  },
  // A cross join prevents SQLite from choosing the opposite order. Terms are letters and digits only, so that nothing in them can be an operator.
  indexedWords: (terms, after) => sql`select words.position, words.terms from word_index cross join words
    where word_index match ${terms.map(({ word, isWhole }) => `"${word}"${isWhole ? "" : "*"}`).join(" AND ")}
      and word_index.rowid > ${after} and words.position = word_index.rowid`,
  rowHasWords: (terms) =>
    sql<SqlBool>`${sql.join(
      terms.map(({ word, isWhole }) => sql`instr(words.terms, ${isWhole ? ` ${word} ` : ` ${word}`}) > 0`),
      sql` and `,
    )}`,
};
