import type { StoreError } from "../errors.ts";

/** What an engine knows about itself without asking the database. */
export interface EngineStats {
  readonly kind: string;
  /**
   * How it learns of changes by other processes: "listen" (PostgreSQL's LISTEN, verified by a message to itself), "polling" (it asks the
   * database at intervals), "file" (it watches the counter in the file), "memory" (no other process can change anything).
   */
  readonly wakeUps: "listen" | "polling" | "file" | "memory";
  /** Connections to the database; absent where there is no pool. */
  readonly pool?: PoolStats;
  /** Whether the LISTEN connection is up; absent where none is used. */
  readonly listener?: { readonly connected: boolean };
  readonly queries: QueryStats;
}

export interface PoolStats {
  readonly max: number;
  readonly inUse: number;
  readonly idle: number;
  /** Requests that wait for a connection. */
  readonly waiting: number;
}

/** Since the engine was opened; the numbers only rise. */
export interface QueryStats {
  readonly count: number;
  readonly failed: number;
  /** The sum of all durations. */
  readonly seconds: number;
  /** How many took at most `bounds[index]` and longer than the bound before; the last one holds those above all bounds. */
  readonly buckets: readonly number[];
  /** In seconds. */
  readonly bounds: readonly number[];
  /** The last error of the database, for the log: it may name addresses and paths. */
  readonly lastFailure?: { readonly at: number; readonly code: string; readonly reason: string };
}

/** Counts the queries of an engine for `stats()`. */
export interface QueryMeter {
  /** Takes the time, from `performance.now()`, at which a query began. */
  done(startedAt: number): void;
  /** Counts a failure, and returns it. */
  failed(error: StoreError): StoreError;
  stats(): QueryStats;
}

const bounds: readonly number[] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createQueryMeter(): QueryMeter {
  const buckets = Array.from({ length: bounds.length + 1 }, () => 0);
  let count = 0;
  let failed = 0;
  let sumMs = 0;
  let lastFailure: QueryStats["lastFailure"];
  return {
    done(startedAt) {
      const ms = performance.now() - startedAt;
      let index = 0;
      while (index < bounds.length && ms > bounds[index]! * 1_000) index++;
      buckets[index]! += 1;
      count += 1;
      sumMs += ms;
    },
    failed(error) {
      failed += 1;
      const { cause } = error;
      lastFailure = { at: Date.now(), code: error.code, reason: cause instanceof Error ? cause.message : error.message };
      return error;
    },
    stats: () => ({ count, failed, seconds: sumMs / 1_000, buckets: [...buckets], bounds, ...(lastFailure && { lastFailure }) }),
  };
}
