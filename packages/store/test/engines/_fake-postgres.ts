import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import type { Tables } from "../../src/engines/_sql/tables.ts";

export interface Asked {
  /** On one line. */
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** A database that notes what it is asked, and answers what it is told to. */
export function fakePostgres(answer: (asked: Asked) => readonly unknown[] = () => []): {
  readonly db: Kysely<Tables>;
  readonly asked: Asked[];
} {
  const asked: Asked[] = [];
  class Driver extends DummyDriver {
    override async acquireConnection() {
      const executeQuery = async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
        const one = { sql: sql.replaceAll(/\s+/g, " ").trim(), parameters };
        asked.push(one);
        return { rows: answer(one) as Row[] };
      };
      return { executeQuery, streamQuery: () => (async function* () {})() };
    }
  }
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new Driver(),
      createIntrospector: (own) => new PostgresIntrospector(own),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  return { db, asked };
}
