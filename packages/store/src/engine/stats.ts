import type { StoreError } from "../errors.ts";

/** What an engine can say about itself at any moment, without asking the database. */
export interface EngineStats {
  readonly kind: "memory" | "sqlite" | "postgres";
  /**
   * How it hears of changes that other servers made: "listen" (PostgreSQL's LISTEN, and a message to itself arrived), "polling" (it asks the
   * database again and again), "file" (it watches the file's counter), "memory" (there are no others).
   */
  readonly wakeUps: "listen" | "polling" | "file" | "memory";
  /** Connections to the database; absent where there is no pool. */
  readonly pool?: PoolStats;
  /** Whether the connection that listens is there; absent where there is none. */
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
  /** The last failure as the database told it, for the log: it may name addresses and paths. */
  readonly lastFailure?: { readonly at: number; readonly code: string; readonly reason: string };
}

export interface QueryMeter {
  /** Takes the time, from `performance.now()`, at which a query began. */
  done(startedAt: number): void;
  /** Notes a failure, and answers it. */
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
      let place = 0;
      while (place < bounds.length && ms > bounds[place]! * 1_000) place++;
      buckets[place]! += 1;
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
