import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, sql } from "kysely";
import pg from "pg";
import { StoreError } from "../../errors.ts";
import { createListeners } from "../_listeners.ts";
import { migrate } from "../_sql/migrate.ts";
import { createSqlReads } from "../_sql/reads.ts";
import { createSqlSnapshot } from "../_sql/snapshot.ts";
import type { Sql, Tables } from "../_sql/tables.ts";
import { createSqlWrites } from "../_sql/writes.ts";
import { createQueryMeter } from "../../engine/stats.ts";
import { createTurns } from "../../queue/turns.ts";
import type { Engine, RecordWriteOptions, WriteOptions, Writes } from "../../engine/engine.ts";
import type { LogPage } from "../../engine/log.ts";
import type { TicketName } from "../../engine/tickets.ts";
import { createNoteClaims } from "./claim-notes.ts";
import { createGroupedWrites } from "./grouped-writes.ts";
import { createLightWrites } from "./light-writes.ts";
import { createRecordWriter, refusalState } from "./save-records.ts";
import { createChainWrites, createLogWriter, nameChains } from "./chains.ts";
import { toConnectError } from "./errors.ts";
import { graceMs, limitPool, type StatementLimits } from "./limited-pool.ts";
import type { SqlParts } from "../_sql/parts.ts";
import { postgresParts } from "./parts.ts";
import { QualifiedDialect } from "./qualified-dialect.ts";
import { defaultSchema, openSchema, readSchema, sizeOfSchema } from "./schema.ts";
import { keepsSessionLimits } from "./session-limits.ts";
import { createTicketChanges, createTicketTeller } from "./tell-tickets.ts";
import { createWakeUps, type WakeUps } from "./wake-ups.ts";

export interface PostgresEngineOptions {
  /** "postgres://user:password@host:5432/database"; may lead through a connection pooler in transaction mode. */
  readonly connectionString: string;
  /** A direct connection for LISTEN, where `connectionString` leads through a connection pooler. @default the connection string */
  readonly listenConnectionString?: string;
  /** The database schema that holds the tables; made if it is not there. @default "toolrack" */
  readonly schema?: string;
  /** How many connections at most, beside the one that listens. @default 10 */
  readonly maxConnections?: number;
  /** How long to wait for a connection. @default 5_000 */
  readonly connectTimeoutMs?: number;
  /** How long a statement may take, a writer wait for its turn, and a transaction do nothing. @default 10_000 */
  readonly statementTimeoutMs?: number;
  /** How long a statement waits for a lock of another server. @default 5_000 */
  readonly lockTimeoutMs?: number;
  /** How long a statement of a migration or of maintenance may take. @default 600_000 */
  readonly maintenanceTimeoutMs?: number;
  /** How often to look for changes of others while messages of LISTEN do not arrive. @default 500 */
  readonly pollMs?: number;
}

/** For several machines. Writers take turns by a row lock that is held until the commit, so numbers follow the commits. */
export async function createPostgresEngine(options: PostgresEngineOptions): Promise<Engine> {
  const { connectionString, listenConnectionString = connectionString, maxConnections = 10, connectTimeoutMs = 5_000 } = options;
  const { statementTimeoutMs = 10_000, lockTimeoutMs = 5_000, maintenanceTimeoutMs = 600_000, pollMs = 500 } = options;
  const schema = readSchema(options.schema ?? defaultSchema);
  const settings = { connectionString, types, connectionTimeoutMillis: connectTimeoutMs, keepAlive: true };
  const sessionLimits = {
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
  };
  const keepsLimits = await keepsSessionLimits(settings, sessionLimits).catch(refuseStart);
  const pool = new pg.Pool({ ...settings, ...(keepsLimits && sessionLimits), max: maxConnections });
  pool.on("error", ignore);
  // A connection that breaks between two queries of a transaction emits its error here; its next query fails and is reported.
  pool.on("connect", (client) => client.on("error", ignore));
  const meter = createQueryMeter();
  const channel = `toolrack_${schema}`;
  const open = (limits: StatementLimits): Kysely<Tables> =>
    new Kysely<Tables>({ dialect: new QualifiedDialect(limitPool(pool, limits, meter), schema) });
  const limits: StatementLimits = { statementMs: statementTimeoutMs, lockMs: lockTimeoutMs, inTransaction: !keepsLimits };
  const db = open(limits);
  const longDb = open({ statementMs: maintenanceTimeoutMs, lockMs: maintenanceTimeoutMs, inTransaction: true });
  // Takes the turn of a writer with the begin, and tells the others with the commit. The names need no quoting.
  const recordDb = open({
    ...limits,
    first: `select number from "${schema}".ends where name = 'sequence' for update`,
    last: `select pg_notify('${channel}', '')`,
  });
  const listeners = createListeners();
  const ticketListeners = createListeners<[TicketName | undefined]>();
  const turnLimit = { waitMs: statementTimeoutMs, error: () => meter.failed(tooManyWriters()) };
  const turns = createTurns(turnLimit);
  // Side by side, and few enough to leave connections to readers.
  const lanes = Array.from({ length: Math.max(1, Math.floor(maxConnections / 3)) }, () => createTurns(turnLimit));
  let nextLane = 0;
  const pageTurns = createTurns(turnLimit);
  const chains = nameChains();
  const writePage = createLogWriter(db, chains);
  // Its own, since compiled queries are kept by it: they name the schema of this store.
  const parts: SqlParts = { ...postgresParts };
  const writesOf = (tx: Sql): Writes => ({
    ...createSqlWrites(tx, parts),
    ...createChainWrites(tx, chains),
    ...createTicketChanges(tx, parts, channel),
    save: createRecordWriter(tx),
  });
  const reads = createSqlReads(db, parts);
  const noteClaims = createNoteClaims(db);
  const ticketTeller = createTicketTeller(db, parts, channel);
  let wakeUps: WakeUps | undefined;
  let isClosed = false;

  const notify = (tx: Sql, payload: string) => sql`select pg_notify(${channel}, ${payload})`.execute(tx);

  async function writeRecords<Result>(work: (tx: Writes) => Promise<Result>): Promise<Result> {
    const result = await transact(recordDb, (tx) => work(writesOf(tx)));
    listeners.tell();
    return result;
  }

  const lightDb = open({ ...limits, refusal: refusalState });
  const writeInOne = createRecordWriter(lightDb, channel);
  // Where a connection keeps no limits, a transaction sets them.
  const writeUnchanged: Writes["save"] = (savings) =>
    keepsLimits ? writeInOne(savings) : transact(lightDb, (tx) => createRecordWriter(tx, channel)(savings));
  const tryTogether = createLightWrites({
    reads,
    names: Object.keys(writesOf(db)),
    async saveUnchanged(savings) {
      requireOpen();
      const changes = await writeUnchanged(savings);
      listeners.tell();
      return changes;
    },
  });
  const writeTogether = createGroupedWrites(turns, tryTogether, writeRecords);

  /** One writer of this process at a time, so that waiting writers do not use up the connections that readers need. */
  function write<Result>(work: (tx: Writes) => Promise<Result>, { mayRunAgain = false }: RecordWriteOptions = {}): Promise<Result> {
    return mayRunAgain ? writeTogether(work) : turns.alone(() => writeRecords(work));
  }

  function writeAudit<Result>(work: (tx: Writes) => Promise<Result>, { isLong = false }: WriteOptions = {}): Promise<Result> {
    const lane = lanes[nextLane++ % lanes.length]!;
    return lane.alone(() => transact(isLong ? longDb : db, (tx) => work(writesOf(tx))));
  }

  /** Beside the records, as `writeAudit`. */
  function inLane<Result>(work: () => Promise<Result>): Promise<Result> {
    const lane = lanes[nextLane++ % lanes.length]!;
    return lane.alone(async () => {
      requireOpen();
      return work();
    });
  }

  async function writeLog(page: LogPage): Promise<void> {
    requireOpen();
    await pageTurns.alone(() => writePage(page));
  }

  function requireOpen(): void {
    if (isClosed) throw new StoreError("STORE_CLOSED", "The store was closed. Open it again.");
  }

  async function transact<Result>(on: Kysely<Tables>, work: (tx: Sql) => Promise<Result>): Promise<Result> {
    requireOpen();
    return on.transaction().execute(work);
  }

  function wakeUp(): void {
    wakeUps ??= createWakeUps({
      createClient: () => new pg.Client({ ...settings, connectionString: listenConnectionString, query_timeout: statementTimeoutMs }),
      channel,
      notify: (payload) => notify(db, payload),
      lastSequence: () => reads.lastSequence(),
      pollMs,
      onWake: listeners.tell,
      onTicket: ticketListeners.tell,
    });
  }

  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    const idle = async (): Promise<void> => undefined;
    await Promise.allSettled([turns, pageTurns, ...lanes].map((one) => one.alone(idle)));
    // A database that does not respond does not close its connections.
    await Promise.race([Promise.all([wakeUps?.close(), pool.end()]), sleep(statementTimeoutMs + graceMs, undefined, { ref: false })]);
  }

  try {
    await transact(longDb, async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext(${channel}))`.execute(tx);
      await openSchema(tx, schema, options.schema !== undefined);
      await migrate(tx, postgresParts);
    }).catch(refuseStart);
  } catch (error) {
    await close();
    throw error;
  }

  return {
    kind: "postgres",
    hasChains: true,
    ...reads,
    write,
    writeAudit,
    writeLog,
    claims: {
      claim: (note, options) => inLane(() => noteClaims.claim(note, options)),
      settle: (note, holder) => inLane(() => noteClaims.settle(note, holder)),
      drop: (note, holder) => inLane(() => noteClaims.drop(note, holder)),
    },
    ticketChanges: {
      addTicket: async (row, limit) =>
        (await inLane(() => ticketTeller.addIfRoom(row, limit))) ? "added" : writeAudit((tx) => tx.addTicket(row, limit)),
      replaceTicket: (row, version) => inLane(() => ticketTeller.replaceTicket(row, version)),
      removeTicket: (ticket) => inLane(() => ticketTeller.removeTicket(ticket)),
    },
    pagesAtOnce: 1,
    snapshot: (work) =>
      // With the limits of maintenance: a reader of the whole store may need a while for each page.
      transact(longDb, async (tx) => {
        await sql`set transaction isolation level repeatable read, read only`.execute(tx);
        return work(createSqlSnapshot(tx));
      }),
    onWake(listener) {
      wakeUp();
      return listeners.add(listener);
    },
    onTicket(listener) {
      wakeUp();
      return ticketListeners.add(listener);
    },
    sizeBytes: () => sizeOfSchema(db, schema),
    stats: () => ({
      kind: "postgres",
      wakeUps: wakeUps?.isProven === true ? "listen" : "polling",
      pool: { max: maxConnections, inUse: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount },
      listener: { connected: wakeUps?.isConnected === true },
      queries: meter.stats(),
    }),
    close,
  };
}

function ignore(): void {}

/** For the operator who opens the store: includes the error and the address of the database, which callers of an open store do not see. */
function refuseStart(thrown: unknown): never {
  const error = toConnectError(thrown);
  const { cause } = error;
  if (!(cause instanceof Error)) throw error;
  const fact = cause.message || (cause as { code?: string }).code;
  throw new StoreError(error.code, `The PostgreSQL store cannot be opened (${fact}). ${error.message}`, { cause });
}

function tooManyWriters(): StoreError {
  return new StoreError("STORE_UNAVAILABLE", "Others have been writing to the database for too long. Nothing was written; try again.");
}

/** Whole numbers come as numbers; ours never reach 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: "text" | "binary") =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig["getTypeParser"],
};
