import type { PostgresPool, PostgresPoolClient } from "kysely";
import type { Pool, PoolClient, QueryResult } from "pg";
import { StoreError } from "../../errors.ts";
import type { QueryMeter } from "../../engine/stats.ts";
import { isConnectionLost, overdue, toConnectError, toStoreError } from "./errors.ts";

export interface StatementLimits {
  readonly statementMs: number;
  readonly lockMs: number;
  /** Whether each transaction sets its limits itself, since the connection does not have them. */
  readonly inTransaction: boolean;
  /** A statement that begins each transaction, in the same round trip. */
  readonly first?: string;
  /** A statement that ends each transaction that is committed, in the same round trip. */
  readonly last?: string;
  /** The SQLSTATE by which our own statements refuse to write: no failure of the database. */
  readonly refusal?: string;
}

/**
 * The connections of a pool, with time limits, and with errors that callers may see. A connection that broke, or on
 * which an answer is overdue, is closed, and what is left of its transaction fails at once.
 */
export function limitPool(pool: Pool, limits: StatementLimits, meter: QueryMeter): PostgresPool {
  const known = new WeakMap<PoolClient, PostgresPoolClient>();
  const watch = createWatch(limits.statementMs + graceMs);
  return {
    async connect() {
      if (pool.ending) throw new StoreError("STORE_CLOSED", "The store was closed. Open it again.");
      let client: PoolClient;
      try {
        client = await pool.connect();
      } catch (error) {
        throw meter.failed(toConnectError(error));
      }
      let limited = known.get(client);
      if (limited === undefined) known.set(client, (limited = limitClient(client, limits, meter, watch)));
      return limited;
    },
    end: () => pool.end(),
  };
}

/** The server ends a statement itself where it can; this much later the client gives up on it. */
export const graceMs = 1_000;

function limitClient(client: PoolClient, limits: StatementLimits, meter: QueryMeter, watch: Watch): PostgresPoolClient {
  const begin = ["begin", ...(limits.inTransaction ? [settings(limits)] : []), ...(limits.first === undefined ? [] : [limits.first])].join(
    ";",
  );
  const commit = limits.last === undefined ? "commit" : `${limits.last};commit`;
  let lost: StoreError | undefined;
  const asked: Asked = {
    at: performance.now(),
    giveUp() {
      lost = overdue();
      // With a query under way this closes the socket at once, and the query fails.
      client.end().catch(() => undefined);
    },
  };

  function query(text: string, values: unknown[]): Promise<QueryResult> {
    if (lost !== undefined) return text === "rollback" ? Promise.resolve(nothing) : Promise.reject(lost);
    asked.at = performance.now();
    watch.add(asked);
    return client.query(text === "begin" ? begin : text === "commit" ? commit : text, values).then(
      (result) => {
        watch.remove(asked);
        meter.done(asked.at);
        return result;
      },
      (error: unknown) => {
        watch.remove(asked);
        meter.done(asked.at);
        const clear = lost ?? toStoreError(error);
        if (limits.refusal === undefined || (error as { code?: string }).code !== limits.refusal) meter.failed(clear);
        if (isConnectionLost(error)) lost = clear;
        // What begins a transaction may fail after it was begun, and then nobody else rolls it back.
        if (text === "begin" && lost === undefined && limits.first !== undefined)
          return query("rollback", []).then(() => Promise.reject(clear));
        throw clear;
      },
    );
  }
  return {
    query: query as unknown as PostgresPoolClient["query"],
    release: () => client.release(lost !== undefined),
  };
}

const nothing = { command: "ROLLBACK", rowCount: 0, rows: [] } as unknown as QueryResult;

/** For the transaction alone: behind a pooler, another client gets the connection afterwards. */
function settings({ statementMs, lockMs }: StatementLimits): string {
  return (
    `set local statement_timeout = ${statementMs};set local lock_timeout = ${lockMs};` +
    `set local idle_in_transaction_session_timeout = ${statementMs}`
  );
}

interface Asked {
  /** When, by `performance.now()`. */
  at: number;
  giveUp(): void;
}

interface Watch {
  add(asked: Asked): void;
  remove(asked: Asked): void;
}

/** Checks at intervals for overdue queries: a timer for every query would cost more than the rest of this file. */
function createWatch(limitMs: number): Watch {
  const waiting = new Set<Asked>();
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    timer = undefined;
    const latest = performance.now() - limitMs;
    for (const asked of waiting) {
      if (asked.at > latest) continue;
      waiting.delete(asked);
      asked.giveUp();
    }
    if (waiting.size > 0) schedule();
  };
  const schedule = (): void => {
    timer ??= setTimeout(look, lookMs).unref();
  };
  return {
    add(asked) {
      waiting.add(asked);
      schedule();
    },
    remove: (asked) => void waiting.delete(asked),
  };
}

const lookMs = 250;
