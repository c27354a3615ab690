import { stat } from "node:fs/promises";
import { StoreError } from "../../errors.ts";
import { createQueryMeter } from "../../engine/stats.ts";
import { createListeners } from "../_listeners.ts";
import { migrate } from "../_sql/migrate.ts";
import type { SqlParts } from "../_sql/parts.ts";
import { createBodyReader } from "../_sql/parsed-once.ts";
import { createSqlReads } from "../_sql/reads.ts";
import { createSqlSnapshot } from "../_sql/snapshot.ts";
import { createSqlWrites } from "../_sql/writes.ts";
import { writeLogPage } from "../../engine/write-log-page.ts";
import type { Engine, Snapshot, Writes } from "../../engine/engine.ts";
import type { TicketName } from "../../engine/tickets.ts";
import { begin, rollback } from "./begin.ts";
import { createQueries } from "./dialect.ts";
import { busyError, toOpenError, toStoreError } from "./errors.ts";
import { loadSqlite, type SqliteDriver } from "./load.ts";
import { createMemoryFile } from "./memory-file.ts";
import { createPageWriter, type PageWriter } from "./page-writer.ts";
import { noteTickets } from "./note-tickets.ts";
import { sqliteParts } from "./parts.ts";
import { createTurns } from "../../queue/turns.ts";
import { type FileWatch, watchFile } from "./watch.ts";

export interface SqliteEngineOptions {
  /** The file to open; ":memory:" is a database in memory that is gone when the store is closed. */
  readonly path: string;
  /** How long a writer waits for another process. @default 5_000 */
  readonly busyTimeoutMs?: number;
  /** "full" also survives a power failure in the middle of a write; "normal" survives every crash of the process. @default "normal" */
  readonly durability?: "normal" | "full";
  /**
   * After so many pages of the call log, a separate thread writes them, so that busy servers do not wait for the file. 0 starts the thread at
   * once, Infinity never starts it. @default 100
   */
  readonly pagesBeforeThread?: number;
}

/** One file, shared by any number of processes on one machine. Writers take turns, readers never wait. */
export async function createSqliteEngine(options: SqliteEngineOptions): Promise<Engine> {
  return openSqliteEngine(await loadSqlite(), options);
}

/** The same with this driver. */
export async function openSqliteEngine(driver: SqliteDriver, options: SqliteEngineOptions): Promise<Engine> {
  const { path, busyTimeoutMs = 5_000, durability = "normal", pagesBeforeThread = 100 } = options;
  const inMemory = path === ":memory:" ? createMemoryFile() : undefined;
  const file = inMemory?.path ?? path;
  // A short wait inside the driver, which blocks the thread; longer waits are asynchronous.
  const writer = driver.open(file, 5);
  const reader = driver.open(file, 1_000);
  const listeners = createListeners();
  const ticketListeners = createListeners<[TicketName | undefined]>();
  const meter = createQueryMeter();
  const turns = createTurns({ waitMs: busyTimeoutMs, error: () => meter.failed(busyError(busyTimeoutMs, undefined)) });
  const writes = createQueries(writer, meter);
  const bodies = createBodyReader();
  // Its own, since compiled queries are kept by it.
  const parts: SqlParts = { ...sqliteParts };
  const { tx, takeChanged } = noteTickets(createSqlWrites(writes, parts, bodies));
  const reads = createSqlReads(createQueries(reader, meter), parts, bodies);
  let watch: FileWatch | undefined;
  let log: PageWriter | undefined;
  let isClosed = false;

  async function write<Result>(work: (tx: Writes) => Promise<Result>): Promise<Result> {
    const result = await writeAudit(work);
    listeners.tell();
    return result;
  }

  async function writeAudit<Result>(work: (tx: Writes) => Promise<Result>): Promise<Result> {
    const { result, changed } = await turns.alone(async () => {
      takeChanged(); // of a transaction that failed
      return { result: await transact(() => work(tx)), changed: takeChanged() };
    });
    for (const ticket of changed) ticketListeners.tell(ticket);
    return result;
  }

  async function transact<Result>(work: () => Promise<Result>): Promise<Result> {
    if (isClosed) throw new StoreError("STORE_CLOSED", "The store was closed. Open it again.");
    await begin(writer, busyTimeoutMs);
    try {
      const result = await work();
      commit();
      return result;
    } catch (error) {
      rollback(writer);
      throw error;
    }
  }

  /** A separate connection, whose first query fixes the moment it sees; no writer waits for it. */
  async function snapshot<Result>(work: (snapshot: Snapshot) => Promise<Result>): Promise<Result> {
    if (isClosed) throw new StoreError("STORE_CLOSED", "The store was closed. Open it again.");
    const own = driver.open(file, 1_000);
    try {
      own.exec("begin");
      own.prepare("select number from ends").all();
      return await work(createSqlSnapshot(createQueries(own)));
    } finally {
      rollback(own); // closing does not end the transaction while its statements are open
      own.close();
    }
  }

  function commit(): void {
    const startedAt = performance.now();
    try {
      writer.exec("commit");
    } catch (thrown) {
      const error = toStoreError(thrown);
      throw StoreError.is(error) ? meter.failed(error) : error;
    } finally {
      meter.done(startedAt);
    }
  }

  function watchFor(add: () => () => void): () => void {
    watch ??= watchFile(reader, listeners.tell, () => ticketListeners.tell(undefined));
    const remove = add();
    watch.setAwaited(listeners.count > 0);
    return () => {
      remove();
      watch?.setAwaited(listeners.count > 0);
    };
  }

  async function prepare(): Promise<void> {
    // The folder for temporary files may be read-only or too small.
    for (const database of [writer, reader]) database.exec("pragma temp_store = memory");
    writer.exec("pragma journal_mode = wal");
    writer.exec(`pragma synchronous = ${durability}`);
    writer.exec("pragma journal_size_limit = 67108864");
    // Many records at once change the same pages of the indexes again and again: those stay in memory, and are moved into the file less often.
    writer.exec("pragma cache_size = -16000");
    writer.exec("pragma wal_autocheckpoint = 4000");
    await transact(() => migrate(writes, sqliteParts));
    inMemory?.keepEmpty(writer);
  }

  /** So that a closed store is one complete file. Another process that reads it may be in the way: the rest stays beside the file. */
  function moveIntoFile(): void {
    try {
      writer.exec("pragma wal_checkpoint(truncate)");
    } catch (thrown) {
      if (!StoreError.is(toStoreError(thrown))) throw thrown;
    }
  }

  async function close(): Promise<void> {
    if (isClosed) return;
    await turns.alone(async () => void (isClosed = true));
    watch?.close();
    await log?.close();
    reader.close();
    // SQLite itself moves the rest into the file when it closes it: for one that is removed, nobody needs to wait for the disk.
    if (inMemory === undefined) moveIntoFile();
    else writer.exec("pragma synchronous = off");
    writer.close();
    inMemory?.remove();
  }

  try {
    await prepare();
    log = await createPageWriter({
      pagesBeforeThread,
      turns,
      async startThread(onEnd) {
        const { startLogThread } = await import("./log-thread.ts");
        return startLogThread(writes, { path: file, driver: driver.name, durability, busyTimeoutMs }, onEnd);
      },
      writeHere: (page) => transact(() => writeLogPage(tx, page)),
    });
  } catch (error) {
    await close();
    throw toOpenError(file, error);
  }

  return {
    kind: "sqlite",
    hasChains: false,
    ...reads,
    write,
    writeAudit,
    writeLog: log.write,
    get pagesAtOnce() {
      return log.pagesAtOnce;
    },
    snapshot,
    onWake: (listener) => watchFor(() => listeners.add(listener)),
    onTicket: (listener) => watchFor(() => ticketListeners.add(listener)),
    sizeBytes: async () => (await sizeOf(file)) + (await sizeOf(`${file}-wal`)),
    stats: () => ({ kind: "sqlite", wakeUps: "file", queries: meter.stats() }),
    close,
  };
}

/** Nothing is left beside a file that nobody writes to. */
async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  return found?.size ?? 0;
}
