import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { StoreError } from "../../errors.ts";
import type { Tables } from "../_sql/tables.ts";
import { createQueryMeter, type QueryMeter } from "../../engine/stats.ts";
import { toStoreError } from "./errors.ts";
import type { SqliteDatabase, SqliteStatement } from "./load.ts";

/** The queries of one open database. Transactions are begun and ended outside, by the code that excludes other writers. */
export function createQueries(database: SqliteDatabase, meter: QueryMeter = createQueryMeter()): Kysely<Tables> {
  const connection = createConnection(database, meter);
  const driver: Driver = {
    init: async () => undefined,
    acquireConnection: async () => connection,
    releaseConnection: async () => undefined,
    beginTransaction: () => Promise.reject(new Error("Transactions are begun by the engine.")),
    commitTransaction: async () => undefined,
    rollbackTransaction: async () => undefined,
    destroy: async () => undefined,
  };
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
  return new Kysely<Tables>({ dialect });
}

/** The only parameter of a statement that is to be run several times, with these parameters. */
export class EachRun {
  readonly runs: readonly (readonly unknown[])[];
  constructor(runs: readonly (readonly unknown[])[]) {
    this.runs = runs;
  }
}

function createConnection(database: SqliteDatabase, meter: QueryMeter): DatabaseConnection {
  const prepared = new Map<string, Prepared>();

  function prepare(sql: string): Prepared {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      const made = database.prepare(sql);
      statement = { statement: made, hasRows: made.columns().length > 0 };
      // Queries differ by the number of tags in them, so there is no fixed set of them.
      if (prepared.size >= maxPrepared) prepared.clear();
      prepared.set(sql, statement);
    }
    return statement;
  }

  function execute<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const { statement, hasRows } = prepare(sql);
    if (hasRows) return { rows: statement.all(...parameters) as Row[] };
    const [first] = parameters;
    if (first instanceof EachRun) {
      for (const run of first.runs) statement.run(...run);
      return { rows: [] };
    }
    const { changes } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  return {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const startedAt = performance.now();
      try {
        const result = execute<Row>(query);
        meter.done(startedAt);
        return result;
      } catch (thrown) {
        const error = toStoreError(thrown);
        throw StoreError.is(error) ? meter.failed(error) : error;
      }
    },
    streamQuery: () => {
      throw new Error("Streams are not used.");
    },
  };
}

type Prepared = { readonly statement: SqliteStatement; readonly hasRows: boolean };

const maxPrepared = 500;
