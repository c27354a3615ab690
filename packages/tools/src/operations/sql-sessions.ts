import type { SqlRow, SqlSession, SqlStatement } from "./sql.ts";

/** The part of a SQLite driver that is used: `node:sqlite`, `@photostructure/sqlite` and better-sqlite3 all have it. */
export interface SqliteDatabase {
  prepare(text: string): { all(...values: unknown[]): unknown[] };
}

/** The part of a PostgreSQL client or pool that is used, as in `pg`. */
export interface PostgresClient {
  query(text: string, values: unknown[]): Promise<{ readonly rows: unknown[] }>;
}

/** A session on an open SQLite database. */
export function createSqliteSession(database: SqliteDatabase, organisation: string): SqlSession {
  const whose = readOrganisation(organisation);
  return {
    organisation: whose,
    query: async ({ parts, values }: SqlStatement) => database.prepare(parts.join("?")).all(...values) as SqlRow[],
  };
}

/** A session on a PostgreSQL client, or on a pool. */
export function createPostgresSession(client: PostgresClient, organisation: string): SqlSession {
  const whose = readOrganisation(organisation);
  return {
    organisation: whose,
    async query({ parts, values }: SqlStatement) {
      const text = parts.reduce((joined, part, index) => `${joined}$${index}${part}`);
      return (await client.query(text, [...values])).rows as SqlRow[];
    },
  };
}

/** A session without an organisation would see no rows, or those of all organisations. */
function readOrganisation(organisation: string): string {
  if (typeof organisation === "string" && organisation !== "") return organisation;
  throw new TypeError("A session needs the organisation whose rows it may see.");
}
