import { closeSync, copyFileSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasPart } from "@toolrack/core/testing";
import { canMount, createSmallDisk, type SmallDisk } from "@toolrack/testkit/small-disk";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { addToAudit } from "../src/audit/audit.ts";
import { createCallLog } from "../src/calls/call-log.ts";
import { toStoreError } from "../src/engines/sqlite/errors.ts";
import { loadSqlite } from "../src/engines/sqlite/load.ts";
import { storeStats } from "../src/store/create-store.ts";
import { createSqliteStore, type SqliteStoreOptions } from "../src/store/sqlite.ts";
import type { BreadcrumbStore } from "../src/store/store.ts";
import { expectOutage } from "./_outages.ts";
import { note, written } from "../src/testing/contract/_samples.ts";

const folder = mkdtempSync(join(tmpdir(), "toolrack-sqlite-outages-"));
const opened: BreadcrumbStore[] = [];
const disks: SmallDisk[] = [];
let count = 0;

async function open(path: string, options: Partial<SqliteStoreOptions> = {}): Promise<BreadcrumbStore> {
  const store = await createSqliteStore({ path, ...options });
  opened.push(store);
  return store;
}

function smallDisk(size: string): SmallDisk {
  const disk = createSmallDisk(size);
  disks.push(disk);
  return disk;
}

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  for (const disk of disks.splice(0)) disk.remove();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const long = "a long text ".repeat(2_000);

/** Until one fails. */
async function repeat(work: (index: number) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < 1_000; index++) await work(index);
}

describe("a SQLite file that cannot be used", () => {
  const mayMount = hasPart("the right to mount", canMount);

  it.skipIf(!mayMount).each([
    ["written by itself", Number.POSITIVE_INFINITY],
    ["written by a thread", 0],
  ])(
    "SQ1: says that its disk is full, in every kind of write, and goes on when it has space again: a log %s",
    async (_, pagesBeforeThread) => {
      const disk = smallDisk("4m");
      const store = await open(join(disk.folder, "store.db"), { pagesBeforeThread });
      const calls = createCallLog(store, { server: "one" });
      written(await store.put(note("a")));
      disk.fill();
      await expectOutage(
        repeat((index) => store.put(note(`n${index}`, { context: { long } }))),
        "STORE_FULL",
      );
      await expectOutage(
        repeat(() => addToAudit(store, [{ kind: "k", subject: "s", body: long }])),
        "STORE_FULL",
      );
      await expectOutage(
        repeat(async (index) => calls.begin!({ callId: `c${index}`, tool: "t", input: { long }, caller: {}, startedAt: 5 })),
        "STORE_FULL",
      );
      expect(await store.get("a")).toBeDefined();
      disk.free();
      written(await store.put(note("b", { context: { long } })));
      await calls.begin!({ callId: "later", tool: "t", input: {}, caller: {}, startedAt: 5 });
      expect((await calls.running()).map(({ callId }) => callId)).toContain("later");
      expect(storeStats(store)).toMatchObject({ kind: "sqlite", wakeUps: "file", queries: { lastFailure: { code: "STORE_FULL" } } });
    },
  );

  it.skipIf(!mayMount)("SQ2: is refused when it is opened in a folder that is read-only, with the reason", async () => {
    const disk = smallDisk("4m");
    const path = join(disk.folder, "store.db");
    const elsewhere = join(folder, `${count++}.db`);
    await (await createSqliteStore({ path: elsewhere })).close();
    copyFileSync(elsewhere, path);
    disk.remount("ro");
    await expect(createSqliteStore({ path })).rejects.toMatchObject({ code: "STORE_READ_ONLY", status: 503 });
    await expect(createSqliteStore({ path: join(disk.folder, "other.db") })).rejects.toMatchObject({ code: "STORE_READ_ONLY" });
    disk.remount("rw");
    await open(path);
  });

  it.each([
    [8, "STORE_READ_ONLY"],
    [778, "STORE_UNAVAILABLE"], // SQLITE_IOERR_WRITE
    [14, "STORE_UNAVAILABLE"],
    [26, "STORE_DAMAGED"],
    [19, "STORE_FAILED"],
  ] as const)("SQ2: turns SQLite's code %s into %s", async (errcode, code) => {
    const cause = Object.assign(new Error("/tmp/store.db: said SQLite"), { code: "ERR_SQLITE_ERROR", errcode });
    const error = await expectOutage(Promise.reject(toStoreError(cause) as Error), code);
    expect(error.cause).toBe(cause);
  });

  it("SQ3: says that it is damaged and what to do, and not that the same may be tried again", async () => {
    const path = join(folder, `${count++}.db`);
    const store = await open(path);
    for (let index = 0; index < 50; index++) written(await store.put(note(`n${index}`, { context: { long } })));
    await store.close();
    const pages = Math.floor(statSync(path).size / 4_096);
    const damage = (from: number): void => {
      const file = openSync(path, "r+");
      for (let page = from; page < pages; page++) writeSync(file, Buffer.alloc(4_096, 0xa5), 0, 4_096, page * 4_096);
      closeSync(file);
    };
    damage(Math.floor(pages / 2));
    const again = await open(path);
    const failed = await expectOutage(
      repeat((index) => again.history(`n${index % 50}`)),
      "STORE_DAMAGED",
    );
    damage(1);
    await expect(createSqliteStore({ path })).rejects.toMatchObject({ code: "STORE_DAMAGED", retryable: false });
    expect(failed.retryable).toBe(false);
    expect(failed.message).toMatch(/restore a backup/);
  });

  it("SQ4: costs everybody who waits the same time when another process keeps it locked", async () => {
    const path = join(folder, `${count++}.db`);
    const store = await open(path, { busyTimeoutMs: 200 });
    const other = (await loadSqlite()).open(path, 0);
    other.exec("begin immediate");
    const waiting = Array.from({ length: 5 }, (_, index) => store.put(note(`n${index}`)));
    await Promise.all(waiting.map((work) => expectOutage(work, "STORE_UNAVAILABLE")));
    other.exec("rollback");
    other.close();
    written(await store.put(note("a")));
  });
});
