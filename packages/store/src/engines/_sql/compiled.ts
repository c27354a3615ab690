import type { CompiledQuery } from "kysely";
import type { Sql } from "./tables.ts";

/** A query that is built and compiled when it first runs; then it only gets other values. */
export function compiledOnce<Row>(db: Sql, compile: () => CompiledQuery<Row>): (parameters: readonly unknown[]) => Promise<readonly Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (parameters) => {
    compiled ??= compile();
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}
