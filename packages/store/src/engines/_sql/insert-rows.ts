import { type CompiledQuery, sql } from "kysely";
import { compiledOnce } from "./compiled.ts";
import type { ColumnKind, SqlParts } from "./parts.ts";
import type { Sql, Tables } from "./tables.ts";

export interface RowInsert<Row> {
  /** Each column with the kind of its values. */
  readonly columns: { readonly [Name in keyof Row]: ColumnKind };
  /** The columns that name a row: one that is there already gets the new values. */
  readonly key?: readonly (keyof Row & string)[];
  /** Columns that such a row keeps. */
  readonly kept?: readonly (keyof Row & string)[];
}

/** Inserts rows with statements that do not depend on the number of rows. A row is its values in the order of the columns. */
export function insertRows<Name extends keyof Tables & string>(
  db: Sql,
  parts: SqlParts,
  table: Name,
  row: RowInsert<Tables[Name]>,
): (rows: readonly (readonly unknown[])[]) => Promise<void> {
  const insert = (atOnce: number) => {
    const run = compiledOnce(db, () => insertStatement(db, parts, table, row, atOnce));
    return async (rows: readonly (readonly unknown[])[]): Promise<void> => {
      if (rows.length > 0) await run(parts.rowParameters(rows, atOnce));
    };
  };
  const { rowsAtOnce = 1 } = parts;
  const [several, rest] = [insert(rowsAtOnce), insert(1)];
  return async (rows) => {
    // Where a run takes any number of rows, all of them are the rest.
    const most = rowsAtOnce === 1 ? 0 : rows.length - (rows.length % rowsAtOnce);
    await several(rows.slice(0, most));
    await rest(rows.slice(most));
  };
}

/** Takes the values of so many rows. */
export function insertStatement<Name extends keyof Tables & string>(
  db: Sql,
  parts: SqlParts,
  table: Name,
  { columns, key, kept }: RowInsert<Tables[Name]>,
  atOnce: number,
): CompiledQuery<never> {
  const names = Object.keys(columns) as (keyof Tables[Name] & string)[];
  const list = (some: readonly string[]) => sql.join(some.map((name) => sql.ref(name)));
  const isKept = (name: (typeof names)[number]): boolean => key?.includes(name) === true || kept?.includes(name) === true;
  const replaced = names.filter((name) => !isKept(name)).map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`);
  const onConflict = key === undefined ? sql`` : sql`on conflict (${list(key)}) do update set ${sql.join(replaced)}`;
  const kinds = names.map((name) => columns[name]);
  return sql<never>`insert into ${sql.table(table)} (${list(names)}) ${parts.rowValues(kinds, atOnce)} ${onConflict}`.compile(db);
}
