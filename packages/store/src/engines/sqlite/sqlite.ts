import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StoreError } from "../../errors.ts";
import { createListeners } from "../_listeners.ts";
import { createMutex } from "../_mutex.ts";
import { migrate } from "../_sql/migrate.ts";
import { createSqlReads } from "../_sql/reads.ts";
import { createSqlWrites } from "../_sql/writes.ts";
import type { Engine, Writes } from "../engine.ts";
import { begin } from "./begin.ts";
import { createQueries } from "./dialect.ts";
import { openSqlite } from "./load.ts";
import { sqliteParts } from "./parts.ts";
import { type FileWatch, watchFile } from "./watch.ts";

export interface SqliteEngineOptions {
  /** File to open; ":memory:" is a file of its own that goes when the store is closed. */
  readonly path: string;
  /** How long a writer waits for another process. @default 5_000 */
  readonly busyTimeoutMs?: number;
  /** "full" also survives a power failure in the middle of a write; "normal" survives every crash of the process. @default "normal" */
  readonly durability?: "normal" | "full";
}

/** One file, shared by any number of processes of a machine. Writers take turns, readers never wait. */
export async function createSqliteEngine({ path, busyTimeoutMs = 5_000, durability = "normal" }: SqliteEngineOptions): Promise<Engine> {
  const folder = path === ":memory:" ? await mkdtemp(join(tmpdir(), "toolrack-")) : undefined;
  const file = folder === undefined ? path : join(folder, "store.db");
  // A short wait inside the driver, which stands still for it; the long one is ours.
  const writer = await openSqlite(file, 5);
  const reader = await openSqlite(file, 1_000);
  const listeners = createListeners();
  const exclusively = createMutex();
  const writes = createQueries(writer);
  const tx = createSqlWrites(writes, sqliteParts);
  const reads = createSqlReads(createQueries(reader), sqliteParts);
  let watch: FileWatch | undefined;
  let isClosed = false;

  async function write<Result>(work: (tx: Writes) => Promise<Result>): Promise<Result> {
    const result = await writeAudit(work);
    listeners.tell();
    return result;
  }

  function writeAudit<Result>(work: (tx: Writes) => Promise<Result>): Promise<Result> {
    return exclusively(async () => {
      if (isClosed) throw new StoreError("STORE_CLOSED", "The store was closed. Open it again.");
      await begin(writer, busyTimeoutMs);
      let result: Result;
      try {
        result = await work(tx);
        writer.exec("commit");
      } catch (error) {
        writer.exec("rollback");
        throw error;
      }
      return result;
    });
  }

  async function prepare(): Promise<void> {
    writer.exec("pragma journal_mode = wal");
    writer.exec(`pragma synchronous = ${durability}`);
    writer.exec("pragma journal_size_limit = 67108864");
    await begin(writer, busyTimeoutMs);
    try {
      await migrate(writes, sqliteParts);
      writer.exec("commit");
    } catch (error) {
      writer.exec("rollback");
      throw error;
    }
  }

  async function close(): Promise<void> {
    if (isClosed) return;
    await exclusively(async () => void (isClosed = true));
    watch?.close();
    reader.close();
    writer.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  try {
    await prepare();
  } catch (error) {
    await close();
    throw error;
  }

  return {
    kind: "sqlite",
    ...reads,
    write,
    writeAudit,
    onWake(listener) {
      watch ??= watchFile(reader, listeners.tell);
      const remove = listeners.add(listener);
      watch.setAwaited(true);
      return () => {
        remove();
        watch?.setAwaited(listeners.count > 0);
      };
    },
    close,
  };
}
