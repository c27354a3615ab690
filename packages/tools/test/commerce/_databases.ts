import { DatabaseSync } from "@photostructure/sqlite";
import { startPostgres } from "@toolrack/testkit/postgres";
import pg from "pg";
import { createPostgresSession, createSqliteSession, type SqlSession } from "../../src/index.ts";

/** One real engine. */
export interface TestDatabase {
  session(organisation: string): SqlSession;
  close(): Promise<void>;
}

export const engines: Readonly<Record<string, () => Promise<TestDatabase>>> = {
  async SQLite() {
    const database = new DatabaseSync(":memory:");
    return { session: (organisation) => createSqliteSession(database, organisation), close: async () => database.close() };
  },
  async PostgreSQL() {
    const server = await startPostgres();
    const { connectionString } = server;
    // A server that others use, too, keeps its own tables.
    const schema = `shop_${process.pid}_${Date.now().toString(36)}`;
    const pool = new pg.Pool({ connectionString, max: 4, options: `-c search_path=${schema}` });
    await pool.query(`create schema ${schema}`);
    return {
      session: (organisation) => createPostgresSession(pool, organisation),
      async close() {
        await pool.query(`drop schema ${schema} cascade`);
        await pool.end();
        await server.stop();
      },
    };
  },
};
