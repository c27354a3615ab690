import { sql, type SqlBool } from "kysely";
import type { SqlParts } from "../_sql/parts.ts";
import { EachRow } from "./dialect.ts";

export const sqliteParts: SqlParts = {
  kind: "sqlite",
  types: { big: "integer", bytes: "text", real: "real" },
  locksRows: false,
  rowValues: (kinds) => sql`values (${sql.join(kinds.map(() => sql`${null}`))})`,
  rowParameters: (rows) => [new EachRow(rows)],
  wholeNumbers: (numbers) => sql<number>`(select value from json_each(${JSON.stringify(numbers)}))`,
  texts: sql<string>`(select value from json_each(${"[]"}))`,
  textsParameter: (texts) => JSON.stringify(texts),
  async createWords(db) {
    await sql`create virtual table words using fts5(terms, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0")`.execute(
      db,
    );
  },
  async saveWords(db, position, terms) {
    if (terms.length === 0) await sql`delete from words where rowid = ${position}`.execute(db);
    else await sql`insert or replace into words(rowid, terms) values (${position}, ${terms.join(" ")})`.execute(db);
  },
  wordPosition: "words.rowid",
  // Terms are letters and digits only, so that nothing in them can be an operator.
  hasWords: (terms) => sql<SqlBool>`words match ${terms.map(({ word, isWhole }) => `"${word}"${isWhole ? "" : "*"}`).join(" AND ")}`,
};
