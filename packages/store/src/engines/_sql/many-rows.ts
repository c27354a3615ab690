import { type RawBuilder, sql } from "kysely";
import type { SqlParts } from "./parts.ts";

/**
 * Many rows as one parameter, for `insert into … (columns) …`: a statement that stays the same for every number of rows, and a fraction of
 * the work that a parameter for each value would be.
 */
export function manyRows<Row>(parts: SqlParts, columns: Columns<Row>, rows: readonly Row[]): RawBuilder<unknown> {
  const names = Object.keys(columns) as (keyof Row & string)[];
  const json = JSON.stringify(rows.map((row) => names.map((name) => row[name])));
  const values = names.map((name, index) => parts.jsonItem(index, columns[name]));
  const into = sql.join(names.map((name) => sql.ref(name)));
  return sql`(${into}) select ${sql.join(values)} from ${parts.jsonItems(json)}`;
}

/** Each column with the kind of value that stands in it. */
export type Columns<Row> = { readonly [Name in keyof Row]: "whole" | "fraction" | "text" };
