import crypto from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { recordTimers } from "@toolrack/testkit/record-timers";
import { afterAll, describe, expect, it, vi } from "vitest";
import { type LineContent, mainChain } from "../../src/engine/audit.ts";
import { createLink, linkLines, tipOf } from "../../src/engine/chain.ts";
import { leaseLostMark } from "../../src/engine/lease.ts";
import type { LogPage } from "../../src/engine/log.ts";
import type { Note } from "../../src/engine/notes.ts";
import { createQueryMeter } from "../../src/engine/stats.ts";
import { lineInsert, moveAuditEnd, readAuditEnd } from "../../src/engines/_sql/audit.ts";
import { insertStatement } from "../../src/engines/_sql/insert-rows.ts";
import { noteInsert, removeNotesByName } from "../../src/engines/_sql/notes.ts";
import { readLease } from "../../src/engines/_sql/presence.ts";
import { createQueries } from "../../src/engines/sqlite/dialect.ts";
import { logProgram } from "../../src/engines/sqlite/log-program.ts";
import { sqliteParts } from "../../src/engines/sqlite/parts.ts";
import { begin, rollback } from "../../src/engines/sqlite/begin.ts";
import { loadSqlite, type SqliteDatabase, type SqliteDriver } from "../../src/engines/sqlite/load.ts";
import { createPageWriter } from "../../src/engines/sqlite/page-writer.ts";
import { createSqliteEngine, openSqliteEngine } from "../../src/engines/sqlite/sqlite.ts";
import { watchFile } from "../../src/engines/sqlite/watch.ts";
import { createTurns } from "../../src/queue/turns.ts";
import { newTicket } from "../../src/testing/contract/_ticket.ts";

const folder = mkdtempSync(join(tmpdir(), "toolrack-files-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("looking for changes of a file", () => {
  /** A file whose counters the test moves. */
  function start() {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    afterThisTest(() => vi.useRealTimers());
    const timers = recordTimers("setTimeout");
    const file = { commits: 1, sequence: 1, tickets: 1, isBroken: false, looks: 0 };
    const read = (sql: string): number => {
      if (file.isBroken) throw new Error("disk I/O error");
      if (sql.includes("data_version")) return (file.looks++, file.commits);
      return sql.includes("'sequence'") ? file.sequence : file.tickets;
    };
    const database = { prepare: (sql: string) => ({ all: () => [{ value: read(sql) }] }) } as unknown as SqliteDatabase;
    const told: string[] = [];
    const watch = watchFile(
      database,
      () => told.push("change"),
      () => told.push("ticket"),
    );
    file.looks = 0;
    const isHeld = (): boolean => (timers.mock.results.at(-1)!.value as NodeJS.Timeout).hasRef();
    return { file, told, watch, isHeld };
  }

  it("tells records and tickets from other lines, once for each change", () => {
    const { file, told } = start();
    vi.advanceTimersByTime(100);
    file.commits += 1; // lines of the audit
    vi.advanceTimersByTime(100);
    expect(told).toEqual([]);
    file.commits += 1;
    file.sequence += 1;
    vi.advanceTimersByTime(100);
    expect(told.splice(0)).toEqual(["change"]);
    file.commits += 1;
    file.tickets += 1;
    vi.advanceTimersByTime(100);
    expect(told.splice(0)).toEqual(["ticket"]);
    file.commits += 1;
    file.sequence += 1;
    file.tickets += 1;
    vi.advanceTimersByTime(100);
    expect(told).toEqual(["change", "ticket"]);
  });

  it("looks every 15 ms for about a second after a change, then every 50 ms", () => {
    const { file } = start();
    vi.advanceTimersByTime(66 * 15);
    expect(file.looks).toBe(66);
    vi.advanceTimersByTime(49);
    expect(file.looks).toBe(66);
    vi.advanceTimersByTime(1);
    expect(file.looks).toBe(67);
    file.commits += 1;
    vi.advanceTimersByTime(50);
    expect(file.looks).toBe(68);
    vi.advanceTimersByTime(66 * 15);
    expect(file.looks).toBe(68 + 66);
    vi.advanceTimersByTime(50);
    expect(file.looks).toBe(68 + 67);
  });

  it("goes on where the file cannot be read for a while, and misses nothing", () => {
    const { file, told } = start();
    file.isBroken = true;
    vi.advanceTimersByTime(100);
    file.sequence += 1; // the counter of commits may begin anew
    file.isBroken = false;
    vi.advanceTimersByTime(100);
    expect(told).toEqual(["change"]);
  });

  it("keeps the process while somebody waits, and only then", () => {
    const { watch, isHeld } = start();
    expect(isHeld()).toBe(false);
    watch.setAwaited(true);
    expect(isHeld()).toBe(true);
    vi.advanceTimersByTime(15);
    expect(isHeld()).toBe(true);
    watch.setAwaited(false);
    expect(isHeld()).toBe(false);
    vi.advanceTimersByTime(15);
    expect(isHeld()).toBe(false);
    watch.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the connections of a store", () => {
  /** A driver whose connections the test sees; `onExec` may fail. */
  async function watchConnections(onExec: (sql: string) => void = () => undefined) {
    const real = await loadSqlite();
    const all: SqliteDatabase[] = [];
    let closed = 0;
    const driver: SqliteDriver = {
      name: real.name,
      open(path, busyMs) {
        const database = real.open(path, busyMs);
        all.push(database);
        return {
          prepare: (sql) => database.prepare(sql),
          exec(sql) {
            onExec(sql);
            database.exec(sql);
          },
          close() {
            closed += 1;
            database.close();
          },
        };
      },
    };
    const pragma = (database: SqliteDatabase, name: string): unknown =>
      Object.values(database.prepare(`pragma ${name}`).all()[0] as Record<string, unknown>)[0];
    return { driver, all, closed: () => closed, pragma };
  }

  it("are two, with their settings, and one more for a snapshot; each is closed", async () => {
    const path = join(folder, "settings.db");
    const { driver, all, closed, pragma } = await watchConnections();
    const engine = await openSqliteEngine(driver, { path, durability: "full" });
    const [writer, reader] = all;
    expect(all).toHaveLength(2);
    const settings = [
      "busy_timeout",
      "temp_store",
      "journal_mode",
      "synchronous",
      "journal_size_limit",
      "cache_size",
      "wal_autocheckpoint",
    ];
    expect(settings.map((name) => pragma(writer!, name))).toEqual([5, 2, "wal", 2, 67_108_864, -16_000, 4_000]);
    expect(settings.slice(0, 2).map((name) => pragma(reader!, name))).toEqual([1_000, 2]);
    await engine.snapshot(async () => {
      expect(pragma(all[2]!, "busy_timeout")).toBe(1_000);
    });
    expect([all.length, closed()]).toEqual([3, 1]);
    await engine.close();
    await engine.close();
    expect([all.length, closed()]).toEqual([3, 3]);
    await expect(engine.snapshot(async () => 1)).rejects.toMatchObject({
      code: "STORE_CLOSED",
      message: "The store was closed. Open it again.",
    });
    await expect(engine.write(async () => 1)).rejects.toMatchObject({
      code: "STORE_CLOSED",
      message: "The store was closed. Open it again.",
    });
  });

  it("survive every crash of the process by default, and leave no folder behind where they were in memory", async () => {
    const { driver, all, pragma } = await watchConnections();
    const engine = await openSqliteEngine(driver, { path: ":memory:" });
    expect(pragma(all[0]!, "synchronous")).toBe(1);
    const [{ file }] = all[0]!.prepare("pragma database_list").all() as [{ file: string }];
    expect(existsSync(file)).toBe(true);
    await engine.close();
    expect(existsSync(join(file, ".."))).toBe(false);
  });

  it("in memory each begin with tables and without a row, whatever was written to the ones before", async () => {
    for (let round = 0; round < 3; round++) {
      const { driver, all } = await watchConnections();
      const engine = await openSqliteEngine(driver, { path: ":memory:" });
      const count = (table: string): unknown => all[1]!.prepare(`select count(*) as count from ${table}`).all()[0];
      expect(["breadcrumbs", "notes", "audit"].map(count)).toEqual([{ count: 0 }, { count: 0 }, { count: 0 }]);
      expect((await engine.auditEnds()).last.number).toBe(0);
      const saveNote = "insert into notes (owner, kind, name, holder, body) values ('o', 'k', 'n', 'h', '{}')";
      expect(all[0]!.prepare(saveNote).run().changes).toBe(1);
      expect(count("notes")).toEqual({ count: 1 });
      await engine.close();
    }
  });

  it("are closed where the store cannot be opened", async () => {
    const path = join(folder, "newer.db");
    const first = await createSqliteEngine({ path });
    await first.close();
    const own = (await loadSqlite()).open(path, 0);
    own.exec("insert into migrations values ('9999-later', '')");
    own.close();
    const { driver, all, closed } = await watchConnections();
    await expect(openSqliteEngine(driver, { path })).rejects.toMatchObject({ code: "STORE_INCOMPATIBLE" });
    expect([all.length, closed()]).toEqual([2, 2]);
  });

  it("count a commit as a query, and one that fails as a failure", async () => {
    let isFull = false;
    const { driver } = await watchConnections((sql) => {
      if (isFull && sql === "commit") throw Object.assign(new Error("disk full"), { code: "ERR_SQLITE_ERROR", errcode: 13 });
    });
    const engine = await openSqliteEngine(driver, { path: ":memory:" });
    const { count } = engine.stats().queries;
    await engine.writeAudit(async () => undefined);
    expect(engine.stats()).toMatchObject({ kind: "sqlite", wakeUps: "file", queries: { count: count + 1, failed: 0 } });
    isFull = true;
    await expect(engine.writeAudit(async () => undefined)).rejects.toMatchObject({ code: "STORE_FULL" });
    expect(engine.stats().queries).toMatchObject({ count: count + 2, failed: 1, lastFailure: { code: "STORE_FULL", reason: "disk full" } });
    isFull = false;
    await engine.close();
  });

  it("are looked at while somebody listens, which keeps the process for records alone, and not after they are closed", async () => {
    const engine = await createSqliteEngine({ path: ":memory:" });
    expect([engine.kind, engine.hasChains, engine.pagesAtOnce]).toEqual(["sqlite", false, 1]);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    afterThisTest(() => vi.useRealTimers());
    const timers = recordTimers("setTimeout");
    const isHeld = (): boolean => (timers.mock.results.at(-1)!.value as NodeJS.Timeout).hasRef();
    const stopTickets = engine.onTicket(() => undefined);
    expect([vi.getTimerCount(), isHeld()]).toEqual([1, false]);
    const stop = engine.onWake(() => undefined);
    expect([vi.getTimerCount(), isHeld()]).toEqual([1, true]);
    stopTickets();
    expect(isHeld()).toBe(true);
    stop();
    expect(isHeld()).toBe(false);
    await engine.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("wait for another writer of this process as long as they may", async () => {
    const engine = await createSqliteEngine({ path: ":memory:", busyTimeoutMs: 20 });
    let end = (): void => undefined;
    const hanging = engine.write(() => new Promise<void>((resolve) => (end = resolve)));
    await expect(engine.write(async () => 1)).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: "Another process has been writing to the database for 20 ms. Try again.",
    });
    expect(engine.stats().queries).toMatchObject({ failed: 1, lastFailure: { code: "STORE_UNAVAILABLE" } });
    end();
    await hanging;
    await engine.close();
  });

  it("tell nobody of the tickets of a transaction that was taken back", async () => {
    const engine = await createSqliteEngine({ path: ":memory:" });
    const told: unknown[] = [];
    const stop = engine.onTicket((ticket) => told.push(ticket?.name));
    const row = { ...newTicket(), owner: "o" };
    const failing = engine.writeAudit(async (tx) => {
      await tx.addTicket({ ...row, name: "back" }, { most: 9, now: 0 });
      throw new Error("taken back");
    });
    await expect(failing).rejects.toThrow("taken back");
    await engine.writeAudit((tx) => tx.addTicket({ ...row, name: "kept" }, { most: 9, now: 0 }));
    expect(told).toEqual(["kept"]);
    stop();
    await engine.close();
  });
});

describe("a transaction of SQLite", () => {
  const busy = Object.assign(new Error("database is locked"), { code: "ERR_SQLITE_ERROR", errcode: 5 });

  /** Locked by another for the first tries. */
  function locked(tries: number, error: Error = busy): { readonly database: SqliteDatabase; readonly asked: string[] } {
    const asked: string[] = [];
    const exec = (sql: string): void => {
      asked.push(sql);
      if (asked.length <= tries) throw error;
    };
    return { asked, database: { exec } as unknown as SqliteDatabase };
  }

  it("waits for others without blocking, and begins when they are done", async () => {
    const { database, asked } = locked(2);
    await begin(database, 5_000);
    expect(asked).toEqual(["begin immediate", "begin immediate", "begin immediate"]);
  });

  it("is given up after its time, or at once for any other error", async () => {
    const { database, asked } = locked(9);
    await expect(begin(database, 0)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", cause: busy });
    expect(asked).toHaveLength(1);
    const full = locked(9, Object.assign(new Error("full"), { code: "ERR_SQLITE_ERROR", errcode: 13 }));
    await expect(begin(full.database, 5_000)).rejects.toMatchObject({ code: "STORE_FULL" });
    expect(full.asked).toHaveLength(1);
  });

  it("is rolled back, also where a full disk ended it already", () => {
    const { database, asked } = locked(1);
    rollback(database);
    expect(asked).toEqual(["rollback"]);
  });
});

describe("the program of the log thread, run here", () => {
  /** Lines as the call log hands them over. */
  const lines = (count: number): LineContent[] =>
    Array.from({ length: count }, (_, index) => [index, "o", "call", "a", `s${index}`, null, 1, null, 2, "{}", ""]);

  let programs = 0;
  async function start() {
    const path = join(folder, `program-${programs++}.db`);
    const engine = await createSqliteEngine({ path });
    const database = (await loadSqlite()).open(path, 1_000);
    afterThisTest(async () => {
      database.close();
      await engine.close();
    });
    const db = createQueries(database, createQueryMeter());
    const insert = (atOnce: number): string => insertStatement(db, sqliteParts, "audit", lineInsert, atOnce).sql;
    const runs: string[] = [];
    const write = logProgram({
      database: {
        exec: (sql) => database.exec(sql),
        close: () => undefined,
        prepare(sql) {
          const statement = database.prepare(sql);
          return {
            all: (...values) => statement.all(...values),
            columns: () => statement.columns(),
            run: (...values) => (runs.push(sql.split(" ", 3).join(" ")), statement.run(...values)),
          };
        },
      },
      statements: {
        readEnd: readAuditEnd(db).sql,
        moveEnd: moveAuditEnd(db).sql,
        addLine: insert(1),
        addLines: insert(8),
        saveNote: insertStatement(db, sqliteParts, "notes", noteInsert, 1).sql,
        removeNotes: removeNotesByName(db, sqliteParts).sql,
        readLease: readLease(db, sqliteParts).sql,
      },
      linesAtOnce: 8,
      crypto,
      linkLines,
      tipOf,
      createLink,
      mainChain,
      leaseLostMark,
    });
    return { engine, write, runs };
  }
  const page: LogPage = { lines: [], key: undefined, owner: "o", removed: [], saved: [] };
  const note = (name: string, more: Partial<Note> = {}): Note => ({
    owner: "o",
    kind: "running",
    name,
    holder: "s",
    endsAt: undefined,
    body: "{}",
    ...more,
  });

  it("adds lines, eight at a time, to the chain where it ends, as any writer would", async () => {
    const { engine, write, runs } = await start();
    const other = await createSqliteEngine({ path: ":memory:" });
    afterThisTest(() => other.close());
    for (const count of [3, 17, 8]) {
      write({ ...page, lines: lines(count) });
      await other.writeLog({ ...page, lines: lines(count) });
    }
    expect(await engine.auditAfter(0, 99)).toEqual(await other.auditAfter(0, 99));
    expect(await engine.auditEnds()).toEqual(await other.auditEnds());
    expect(await engine.auditSize()).toMatchObject({ rows: 28 });
    expect(runs.filter((run) => run.startsWith("insert"))).toHaveLength(3 + 2 + 1 + 1);
  });

  it("removes and saves notes, and asks for nothing else where there is nothing else", async () => {
    const { engine, write, runs } = await start();
    write({ ...page, saved: [note("a", { endsAt: 5 }), note("b")] });
    expect(await engine.notes("o", "running", 9)).toEqual([note("a", { endsAt: 5 }), note("b")]);
    write({ ...page, removed: ["a", "x"], saved: [note("b", { body: "[]" })] });
    expect(await engine.notes("o", "running", 9)).toEqual([note("b", { body: "[]" })]);
    expect(runs).toHaveLength(4);
    write(page);
    expect(runs).toHaveLength(4);
  });

  it("writes nothing of a page whose lease is not held, or that fails half-way, and goes on", async () => {
    const { engine, write } = await start();
    const lease = { owner: "o", name: "s1" };
    expect(() => write({ ...page, lines: lines(1), saved: [note("a")], lease })).toThrow("LEASE_LOST s1");
    expect(() => write({ ...page, lines: lines(1), saved: [note("a", { body: null as unknown as string })] })).toThrow(/NOT NULL/);
    expect([await engine.auditAfter(0, 9), await engine.notes("o", "running", 9)]).toEqual([[], []]);
    await engine.writeAudit((tx) => tx.noteSighting("o", { name: "s1", seenAt: 1, info: "{}" }));
    write({ ...page, lines: lines(1), saved: [note("a")], lease });
    expect([(await engine.auditAfter(0, 9)).length, (await engine.notes("o", "running", 9)).length]).toEqual([1, 1]);
  });
});

describe("the writer of pages with a thread", () => {
  const page: LogPage = { lines: [], key: undefined, owner: "o", removed: [], saved: [] };

  it("starts it with the page that was agreed on, waits for it when it is closed, and closes it", async () => {
    const told: string[] = [];
    let isThere = (): void => undefined;
    const writer = await createPageWriter({
      pagesBeforeThread: 2,
      turns: createTurns(),
      startThread: async () => {
        told.push("start");
        await new Promise<void>((resolve) => (isThere = resolve));
        return { write: async () => void told.push("thread"), close: async () => void told.push("closed") };
      },
      writeHere: async () => void told.push("here"),
    });
    expect(writer.pagesAtOnce).toBe(1);
    await writer.write(page);
    expect(told.splice(0)).toEqual(["here"]);
    await writer.write(page);
    expect(told.splice(0)).toEqual(["start", "here"]);
    const closing = writer.close();
    isThere();
    await closing;
    expect(told).toEqual(["closed"]);
    expect(writer.pagesAtOnce).toBe(3);
  });

  it("has it from the beginning where it was asked for at once", async () => {
    const told: string[] = [];
    const writer = await createPageWriter({
      pagesBeforeThread: 0,
      turns: createTurns(),
      startThread: async () => ({ write: async () => void told.push("thread"), close: async () => void told.push("closed") }),
      writeHere: async () => void told.push("here"),
    });
    expect(writer.pagesAtOnce).toBe(3);
    await writer.write(page);
    await writer.close();
    expect(told).toEqual(["thread", "closed"]);
  });
});
