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
import type { Tables } from "../_sql/tables.ts";
import type { SqliteDatabase, SqliteStatement } from "./load.ts";

/** The queries of one open database. Transactions are begun and ended outside, by whoever keeps other writers away. */
export function createQueries(database: SqliteDatabase): Kysely<Tables> {
  const connection = createConnection(database);
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

function createConnection(database: SqliteDatabase): DatabaseConnection {
  const prepared = new Map<string, SqliteStatement>();

  function prepare(sql: string): SqliteStatement {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      statement = database.prepare(sql);
      // Queries differ by the number of tags in them, so there is no fixed set of them.
      if (prepared.size >= maxPrepared) prepared.clear();
      prepared.set(sql, statement);
    }
    return statement;
  }

  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const statement = prepare(sql);
      if (statement.columns().length > 0) return { rows: statement.all(...parameters) as Row[] };
      const { changes } = statement.run(...parameters);
      return { rows: [], numAffectedRows: BigInt(changes) };
    },
    streamQuery: () => {
      throw new Error("Streams are not used.");
    },
  };
}

const maxPrepared = 500;
