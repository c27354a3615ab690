import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { StoreError } from "../../errors.ts";
import { createListeners } from "../_listeners.ts";
import { createTurns } from "../_turns.ts";
import { migrate } from "../_sql/migrate.ts";
import { createSqlReads } from "../_sql/reads.ts";
import type { Sql, Tables } from "../_sql/tables.ts";
import { createSqlWrites } from "../_sql/writes.ts";
import { writePage } from "../_write-page.ts";
import type { Engine, Reads, Writes } from "../engine.ts";
import { withClearErrors } from "./errors.ts";
import { listen } from "./listen.ts";
import { postgresParts } from "./parts.ts";

export interface PostgresEngineOptions {
  /** "postgres://user:password@host:5432/database" */
  readonly connectionString: string;
  /** The database schema that holds the tables; made if it is not there. @default "toolrack" */
  readonly schema?: string;
  /** How many connections at most, beside the one that listens. @default 10 */
  readonly maxConnections?: number;
  /** How long to wait for a connection. @default 5_000 */
  readonly connectTimeoutMs?: number;
}

/** For several machines. Writers take turns by a row lock that is held until the commit, so numbers follow the commits. */
export async function createPostgresEngine(options: PostgresEngineOptions): Promise<Engine> {
  const { connectionString, schema = "toolrack", maxConnections = 10, connectTimeoutMs = 5_000 } = options;
  if (!/^[a-z_][a-z0-9_]{0,48}$/.test(schema))
    throw new StoreError("QUERY_INVALID", `The database schema "${schema.slice(0, 80)}" must be 1 to 49 of a-z 0-9 _.`);
  const settings = {
    connectionString,
    types,
    options: `-c search_path=${schema}`,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
  };
  const pool = new pg.Pool({ ...settings, max: maxConnections });
  pool.on("error", ignore);
  // A connection that breaks between two queries of a transaction says so here; its next query fails and is reported.
  pool.on("connect", (client) => client.on("error", ignore));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const channel = `toolrack_${schema}`;
  const listeners = createListeners();
  const turns = createTurns();
  const auditTurns = createTurns();
  let listening: { close(): Promise<void> } | undefined;
  let isClosed = false;

  /** One writer of this process at a time, so that waiting writers do not use up the connections that readers need. */
  function write<Result>(work: (tx: Writes) => Promise<Result>): Promise<Result> {
    return turns.alone(async () => {
      const result = await transact(async (tx) => {
        await tx.selectFrom("ends").select("number").where("name", "=", "sequence").forUpdate().executeTakeFirstOrThrow();
        const done = await work(createSqlWrites(tx, postgresParts));
        await sql`select pg_notify(${channel}, '')`.execute(tx);
        return done;
      });
      listeners.tell();
      return result;
    });
  }

  function writeAudit<Result>(work: (tx: Writes) => Promise<Result>): Promise<Result> {
    return auditTurns.alone(() => transact((tx) => work(createSqlWrites(tx, postgresParts))));
  }

  function transact<Result>(work: (tx: Sql) => Promise<Result>): Promise<Result> {
    if (isClosed) throw new StoreError("STORE_CLOSED", "The store was closed. Open it again.");
    return withClearErrors(() => db.transaction().execute(work));
  }

  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    await Promise.allSettled([turns.alone(async () => undefined), auditTurns.alone(async () => undefined)]);
    await listening?.close();
    await db.destroy();
  }

  try {
    await transact(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext(${channel}))`.execute(tx);
      // Asked first, since "if not exists" needs the right to create schemas even where there is nothing to create.
      const { rows } = await sql<{ known: string | null }>`select to_regnamespace(${schema}) as known`.execute(tx);
      if (rows[0]?.known === null) await sql`create schema ${sql.id(schema)}`.execute(tx);
      await migrate(tx, postgresParts);
    });
  } catch (error) {
    await close();
    throw error;
  }

  return {
    kind: "postgres",
    ...clearReads(createSqlReads(db, postgresParts)),
    write,
    writeAudit,
    writeLog: (page) => writeAudit((tx) => writePage(tx, page)),
    pagesAtOnce: 1,
    onWake(listener) {
      listening ??= listen(() => new pg.Client(settings), channel, listeners.tell);
      return listeners.add(listener);
    },
    close,
  };
}

function ignore(): void {}

function clearReads(reads: Reads): Reads {
  const clear = Object.entries(reads).map(([name, read]: [string, (...values: never[]) => Promise<unknown>]) => [
    name,
    (...values: never[]) => withClearErrors(() => read(...values)),
  ]);
  return Object.fromEntries(clear) as Reads;
}

/** Whole numbers come as numbers; ours never reach 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: "text" | "binary") =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig["getTypeParser"],
};
