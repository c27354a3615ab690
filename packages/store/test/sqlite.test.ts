import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { migrate } from "../src/engines/_sql/migrate.ts";
import { migrations } from "../src/engines/_sql/migrations.ts";
import { createQueries } from "../src/engines/sqlite/dialect.ts";
import { openSqlite } from "../src/engines/sqlite/load.ts";
import { sqliteParts } from "../src/engines/sqlite/parts.ts";
import { createSqliteStore } from "../src/store/sqlite.ts";
import { note, written } from "./contract/_samples.ts";
import { storeContract } from "./contract/contract.ts";
import { sharedContract } from "./contract/shared.ts";

const folder = mkdtempSync(join(tmpdir(), "toolrack-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
const freshPath = (): string => join(folder, `${count++}.db`);

describe("the SQLite store", () => {
  storeContract((options) => createSqliteStore({ path: ":memory:", ...options }));

  sharedContract(async () => {
    const path = freshPath();
    return [await createSqliteStore({ path }), await createSqliteStore({ path })];
  });

  it("finds everything as it was when it is opened again", async () => {
    const path = freshPath();
    const first = await createSqliteStore({ path });
    written(await first.put(note("a", { tags: ["x"] })));
    await first.close();
    const second = await createSqliteStore({ path, durability: "full" });
    expect(await second.get("a")).toMatchObject({ tags: ["x"], version: 1 });
    expect(await second.sequence()).toBe(1);
    await second.close();
  });

  it("leaves nothing behind of a migration that failed half-way, and takes it up again", async () => {
    const path = freshPath();
    const database = await openSqlite(path, 1_000);
    const queries = createQueries(database);
    const broken = { name: "0003-broken", up: () => Promise.reject(new Error("the machine stopped")) };
    database.exec("begin immediate");
    await expect(migrate(queries, sqliteParts, [...migrations, broken])).rejects.toThrow("the machine stopped");
    database.exec("rollback");
    expect(database.prepare("select name from sqlite_master").all()).toEqual([]);
    database.close();
    const store = await createSqliteStore({ path });
    written(await store.put(note("a")));
    await store.close();
  });

  it("refuses a file that a newer version changed, and a file that cannot be opened", async () => {
    const path = freshPath();
    await (await createSqliteStore({ path })).close();
    const database = await openSqlite(path, 1_000);
    database.exec("insert into migrations values ('9999-from-the-future', '')");
    database.close();
    await expect(createSqliteStore({ path })).rejects.toThrow(/newer version/);
    await expect(createSqliteStore({ path: join(folder, "none", "a.db") })).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });

  it("answers a clear, retryable error when another process keeps the file locked, and does not stand still meanwhile", async () => {
    const path = freshPath();
    const store = await createSqliteStore({ path, busyTimeoutMs: 100 });
    const other = await openSqlite(path, 0);
    other.exec("begin immediate");
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    await expect(store.put(note("a"))).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", retryable: true });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(3);
    other.exec("rollback");
    other.close();
    written(await store.put(note("a")));
    await store.close();
  });

  it("refuses to work after it was closed", async () => {
    const store = await createSqliteStore({ path: ":memory:" });
    await store.close();
    await store.close();
    await expect(store.put(note("a"))).rejects.toMatchObject({ code: "STORE_CLOSED" });
  });
});
