import type { PostgresPool, PostgresPoolClient } from "kysely";
import type { Pool, PoolClient, QueryResult } from "pg";
import { StoreError } from "../../errors.ts";
import type { QueryMeter } from "../_stats.ts";
import { isConnectionLost, toStoreError } from "./errors.ts";

export interface StatementLimits {
  readonly statementMs: number;
  readonly lockMs: number;
  /** Whether each transaction sets its limits itself, since the connection does not have them. */
  readonly inTransaction: boolean;
}

/**
 * The connections of a pool, with limits for what is asked of them and with errors that callers may be shown. A connection that broke, or on
 * which an answer is overdue, is closed when it is handed back, and what is left of its transaction fails at once.
 */
export function limitPool(pool: Pool, limits: StatementLimits, meter: QueryMeter): PostgresPool {
  const known = new WeakMap<PoolClient, PostgresPoolClient>();
  return {
    async connect() {
      if (pool.ending) throw new StoreError("STORE_CLOSED", "The store was closed. Open it again.");
      let client: PoolClient;
      try {
        client = await pool.connect();
      } catch (error) {
        throw meter.failed(toStoreError(error, "connect"));
      }
      let limited = known.get(client);
      if (limited === undefined) known.set(client, (limited = limitClient(client, limits, meter)));
      return limited;
    },
    end: () => pool.end(),
  };
}

/** The server ends a statement itself where it can; this much later the client gives up on it. */
export const graceMs = 1_000;

function limitClient(client: PoolClient, limits: StatementLimits, meter: QueryMeter): PostgresPoolClient {
  const begin = limits.inTransaction ? `begin;${settings(limits)}` : "begin";
  const query_timeout = limits.statementMs + graceMs;
  let lost: StoreError | undefined;

  async function query(text: string, values: readonly unknown[]): Promise<QueryResult> {
    if (lost !== undefined) {
      if (text === "rollback") return nothing;
      throw lost;
    }
    const startedAt = performance.now();
    try {
      return await client.query({ text: text === "begin" ? begin : text, values: values as unknown[], query_timeout } as { text: string });
    } catch (error) {
      const clear = meter.failed(toStoreError(error, "query"));
      if (isConnectionLost(error)) lost = clear;
      throw clear;
    } finally {
      meter.done(startedAt);
    }
  }
  return {
    query: query as unknown as PostgresPoolClient["query"],
    release: () => client.release(lost !== undefined),
  };
}

const nothing = { command: "ROLLBACK", rowCount: 0, rows: [] } as unknown as QueryResult;

/** For the transaction alone: behind a pooler, the connection is somebody else's afterwards. */
function settings({ statementMs, lockMs }: StatementLimits): string {
  return (
    `set local statement_timeout = ${statementMs};set local lock_timeout = ${lockMs};` +
    `set local idle_in_transaction_session_timeout = ${statementMs}`
  );
}
