import { sql } from "kysely";
import { compiledOnce } from "./compiled.ts";
import type { ColumnKind, SqlParts } from "./parts.ts";
import type { Sql, Tables } from "./tables.ts";

export interface RowInsert<Row> {
  /** Each column with the kind of value that stands in it. */
  readonly columns: { readonly [Name in keyof Row]: ColumnKind };
  /** The columns that name a row: one that is there already gets the new values. */
  readonly key?: readonly (keyof Row & string)[];
}

/** Puts rows into a table with a statement that stays the same for every number of them. */
export function insertRows<Name extends keyof Tables & string>(
  db: Sql,
  parts: SqlParts,
  table: Name,
  { columns, key }: RowInsert<Tables[Name]>,
): (rows: readonly Tables[Name][]) => Promise<void> {
  const names = Object.keys(columns) as (keyof Tables[Name] & string)[];
  const list = (some: readonly string[]) => sql.join(some.map((name) => sql.ref(name)));
  const insert = compiledOnce(db, () => {
    const replaced = names.filter((name) => !key?.includes(name)).map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`);
    const onConflict = key === undefined ? sql`` : sql`on conflict (${list(key)}) do update set ${sql.join(replaced)}`;
    return sql`insert into ${sql.table(table)} (${list(names)}) ${parts.rowValues(names.map((name) => columns[name]))} ${onConflict}`.compile(
      db,
    );
  });
  return async (rows) => {
    if (rows.length > 0) await insert(parts.rowParameters(rows.map((row) => names.map((name) => row[name]))));
  };
}
