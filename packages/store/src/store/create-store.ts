import { AsyncLocalStorage } from "node:async_hooks";
import { setMaxListeners } from "node:events";
import type { Clock } from "@toolrack/core/node";
import { type Actor, localActor, readActor } from "../access.ts";
import type { EngineStats } from "../engine/stats.ts";
import type { Change, Engine, Reads, RecordWriteOptions } from "../engine/engine.ts";
import { StoreError } from "../errors.ts";
import { defaultLimits, type RecordLimits } from "../record/limits.ts";
import { type AuditKeys, createAuditKeys } from "./audit-keys.ts";
import { quietClock } from "./clock.ts";
import { createExpiry } from "./expiry.ts";
import { readChanges } from "./feed.ts";
import { createReader } from "./reader.ts";
import { createSharedChanges, type SharedChanges } from "./shared-changes.ts";
import type { BreadcrumbStore } from "./store.ts";
import { createUnit, type Unit } from "./unit.ts";
import { createWriter } from "./writer.ts";

/** Options of every store. */
export interface StoreOptions {
  /** Who uses the store. @default the owner of the machine, as a curator */
  readonly actor?: Actor;
  /** Where the time comes from. @default the machine's clock */
  readonly clock?: Clock;
  /** Contexts above this size are refused. @default 1_048_576 */
  readonly maxContextBytes?: number;
}

/** A store on an engine: adds roles, schemas, revisions, the catalog and expiry. */
export function createStore(engine: Engine, options: StoreOptions = {}): BreadcrumbStore {
  const clock = options.clock ?? quietClock;
  const limits: RecordLimits = { maxContextBytes: options.maxContextBytes ?? defaultLimits.maxContextBytes };
  const expiry = createExpiry(engine, clock);
  const closed = new AbortController();
  setMaxListeners(0, closed.signal); // each feed listens
  let closing: Promise<void> | undefined;
  let lastWritten = 0;
  const self = {};
  const auditKeys = createAuditKeys();
  const shared = createSharedChanges(engine);

  const inOwnUnit = async <Result>(work: (unit: Unit) => Promise<Result>, options?: RecordWriteOptions): Promise<Result> => {
    if (transactions.getStore()?.has(self) === true) {
      throw new StoreError(
        "QUERY_INVALID",
        "A transaction is under way here. Write with the store that it hands you: any other would wait for its end.",
      );
    }
    if (closing !== undefined) throw new StoreError("STORE_CLOSED", "The store was closed. Open it again.");
    let endsSometime = false;
    /** Its number is known after the commit. */
    let last: Change | undefined;
    const committed: (() => void)[] = [];
    const result = await engine.write(async (tx) => {
      endsSometime = false;
      last = undefined;
      committed.length = 0;
      const save: typeof tx.save = async (savings) => {
        endsSometime ||= savings.some(({ expiresAt }) => expiresAt !== undefined);
        const changes = await tx.save(savings);
        last = changes.at(-1) ?? last;
        return changes;
      };
      const unit = createUnit({ ...tx, save }, clock.now(), (action) => void committed.push(action));
      const done = await work(unit);
      await unit.finish();
      return done;
    }, options);
    lastWritten = Math.max(lastWritten, (last as Change | undefined)?.sequence ?? 0);
    if (endsSometime) expiry.reschedule();
    for (const action of committed) action();
    return result;
  };

  async function close(): Promise<void> {
    closed.abort();
    await expiry.close();
    await engine.close();
  }

  function view(actor: Actor, reads: Reads, unit: Unit | undefined): BreadcrumbStore {
    const inUnit: typeof inOwnUnit = unit === undefined ? inOwnUnit : (work) => work(unit);
    const store: BreadcrumbStore = {
      actor,
      as: (other) => view(readActor(other), reads, unit),
      ...createReader({ actor, reads, now: () => clock.now(), inUnit }),
      // What it does is decided by what it reads, each time anew.
      ...createWriter(actor, limits, (work) => inUnit(work, { mayRunAgain: true })),
      changes(changesOptions = {}) {
        if (unit !== undefined) throw new StoreError("QUERY_INVALID", "Changes are followed outside of a transaction.");
        return readChanges(engine, actor, changesOptions, { shared, closed: closed.signal });
      },
      transaction: (work) => inUnit((inner) => duringTransaction(self, () => work(view(actor, inner.tx, inner)))),
      close: () => (closing ??= close()),
      [Symbol.asyncDispose]: () => store.close(),
    };
    engines.set(store, { engine, unit, inUnit, clock, auditKeys, shared, closed: closed.signal, lastWritten: () => lastWritten });
    return store;
  }

  expiry.reschedule();
  return view(readActor(options.actor ?? localActor), engine, undefined);
}

/**
 * The stores that have a transaction under way here. There is one for the process: every further AsyncLocalStorage would cost time with each
 * promise that anybody makes, also after its store was closed.
 */
const transactions = new AsyncLocalStorage<ReadonlySet<object>>();

function duringTransaction<Result>(store: object, work: () => Result): Result {
  return transactions.run(new Set([...(transactions.getStore() ?? []), store]), work);
}

export type { AuditKeys } from "./audit-keys.ts";

/** What the audit, secrets and the call log need of a store. */
export interface StoreInside {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly auditKeys: AuditKeys;
  /** What all feeds read through. */
  readonly shared: SharedChanges;
  /** Comes when the store is closed. */
  readonly closed: AbortSignal;
  /** The transaction that the store is part of. */
  readonly unit: Unit | undefined;
  /** The number of the newest change that was written through this store. */
  lastWritten(): number;
  inUnit<Result>(work: (unit: Unit) => Promise<Result>): Promise<Result>;
}

const engines = new WeakMap<BreadcrumbStore, StoreInside>();

/** Throws for a store that `createStore` did not make. */
export function insideOf(store: BreadcrumbStore): StoreInside {
  const inside = engines.get(store);
  if (inside === undefined)
    throw new StoreError(
      "STORE_UNAVAILABLE",
      "This store supports records only. Use a store that createStore, createMemoryStore, createSqliteStore or createPostgresStore returned.",
    );
  return inside;
}

/** Numbers of the store's database for metrics: connections, durations of queries, how changes of other servers arrive. */
export function storeStats(store: BreadcrumbStore): EngineStats {
  return insideOf(store).engine.stats();
}
