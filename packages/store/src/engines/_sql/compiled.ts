import type { CompiledQuery } from "kysely";
import type { Sql } from "./tables.ts";

/** What a compiled query is built with in the place of a text, or of a number, that it is given when it runs. */
export const anyText = "";
export const anyNumber = 0;

/** A query that is built and compiled when it first runs; then it only gets other values. */
export function compiledOnce<Row>(db: Sql, compile: () => CompiledQuery<Row>): (parameters: readonly unknown[]) => Promise<readonly Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (parameters) => {
    compiled ??= compile();
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}

/**
 * The same for queries that are made for each transaction: they are compiled once for each store, known by its parts, and for each name.
 * What such a query says may depend on nothing else.
 */
export function compiledFor<Row>(
  db: Sql,
  store: object,
  name: string,
  compile: () => CompiledQuery<Row>,
): (parameters: readonly unknown[]) => Promise<readonly Row[]> {
  let named = compiledByStore.get(store);
  if (named === undefined) compiledByStore.set(store, (named = new Map()));
  return async (parameters) => {
    let compiled = named.get(name) as CompiledQuery<Row> | undefined;
    if (compiled === undefined) named.set(name, (compiled = compile()));
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}

const compiledByStore = new WeakMap<object, Map<string, CompiledQuery<unknown>>>();
