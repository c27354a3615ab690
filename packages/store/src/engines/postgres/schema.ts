import { sql } from "kysely";
import { StoreError } from "../../errors.ts";
import type { Sql } from "../_sql/tables.ts";

export const defaultSchema = "toolrack";

/** The name, quoted for a statement. */
export function readSchema(schema: string): string {
  if (/^[a-z_][a-z0-9_]{0,48}$/.test(schema)) return schema;
  throw new StoreError("QUERY_INVALID", `The database schema "${schema.slice(0, 80)}" must be 1 to 49 of a-z 0-9 _.`);
}

/**
 * Makes the schema where it is missing. Behind a connection pooler, earlier versions put the tables into "public"; unless a schema was
 * chosen, no empty store is begun beside them.
 */
export async function openSchema(tx: Sql, schema: string, isChosen: boolean): Promise<void> {
  // Asked first, since "if not exists" needs the right to create schemas even where there is nothing to create.
  const { rows } = await sql<Found>`select to_regnamespace(${schema}) is not null as known,
    to_regclass(${`${schema}.migrations`}) is not null as filled,
    to_regclass('public.breadcrumb_tags') is not null and to_regclass('public.migrations') is not null as elsewhere`.execute(tx);
  const { known, filled, elsewhere } = rows[0]!;
  if (!isChosen && !filled && elsewhere) {
    throw new StoreError(
      "STORE_INCOMPATIBLE",
      `The tables of this store are in the database schema "public", where an earlier version put them behind a connection pooler; ` +
        `"${schema}" has none. Set store.schema to "public" to go on with them, or to "${schema}" to begin an empty store.`,
    );
  }
  if (!known) await sql`create schema ${sql.id(schema)}`.execute(tx);
}

/** Tables with their indexes, and what is stored beside them. */
export async function sizeOfSchema(db: Sql, schema: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select coalesce(sum(pg_total_relation_size(oid)), 0)::bigint as bytes
    from pg_class where relnamespace = to_regnamespace(${schema}) and relkind = 'r'`.execute(db);
  return Number(rows[0]!.bytes);
}

interface Found {
  readonly known: boolean;
  readonly filled: boolean;
  readonly elsewhere: boolean;
}
