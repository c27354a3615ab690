import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countTurns } from "@toolrack/testkit/turns";
import { sized } from "@toolrack/testkit/sized";
import { afterAll, describe, expect, it } from "vitest";
import { createCallLog } from "../src/calls/call-log.ts";
import { migrate } from "../src/engines/_sql/migrate.ts";
import { migrations } from "../src/engines/_sql/migrations.ts";
import { createQueries } from "../src/engines/sqlite/dialect.ts";
import { loadSqlite } from "../src/engines/sqlite/load.ts";
import { sqliteParts } from "../src/engines/sqlite/parts.ts";
import { createSqliteEngine } from "../src/engines/sqlite/sqlite.ts";
import { createSqliteStore } from "../src/store/sqlite.ts";
import { note, written } from "../src/testing/contract/_samples.ts";
import { engineContract } from "../src/testing/engine-contract.ts";
import { runChecks } from "./_contract.ts";

const folder = mkdtempSync(join(tmpdir(), "toolrack-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
const freshPath = (): string => join(folder, `${count++}.db`);

/** Those that write to the log, or read what was written there. */
const logGroups = new Set([
  "the call log and the audit",
  "calls that run",
  "the usage of tools",
  "the lease of a server",
  "first answers",
  "retention",
  "transactions of the engine",
  "the copy of a whole store",
  "writers at the same time",
  "a shared database",
  "secrets",
]);

describe("the SQLite store", () => {
  for (const [way, options] of Object.entries({ "in this thread": {}, "with a thread for its log": { pagesBeforeThread: 0 } })) {
    describe(way, () => {
      const openTwo = async () => {
        const path = freshPath();
        return [await createSqliteEngine({ path, ...options }), await createSqliteEngine({ path, ...options })] as const;
      };
      const checks = engineContract(() => createSqliteEngine({ path: ":memory:", ...options }), { openTwo });
      // The thread writes the log and nothing else.
      const isLog = ({ group }: { readonly group: string }): boolean =>
        way === "in this thread" || sized(0, 1) === 1 || logGroups.has(group);
      runChecks(checks.filter(isLog));
    });
  }

  const size = sized(1_500, 10_000);

  // row: H4
  it(`answers tag queries on ${size} records as a plain filter does`, async () => {
    const store = await createSqliteStore({ path: ":memory:" });
    const tagsOf = (index: number): string[] => ["all", `two:${index % 2}`, `seven:${index % 7}`, `rare:${index % 1_009}`];
    await store.transaction(async (tx) => {
      for (let index = 0; index < size; index++)
        written(await tx.put({ id: `r${index}`, schema_name: "note.v1", tags: tagsOf(index), context: {} }));
    });
    const queries: { allTags?: string[]; anyTags?: string[]; noneTags?: string[] }[] = [
      { allTags: ["two:1", "seven:3"] },
      { allTags: ["all", "rare:500"] },
      { anyTags: ["rare:1", "rare:2"], noneTags: ["two:0"] },
      { allTags: ["all"], anyTags: ["seven:1", "seven:2"], noneTags: ["two:1", "rare:8"] },
      { allTags: ["two:0", "seven:0", "rare:0"] },
      { noneTags: ["two:0", "seven:1"] },
    ];
    for (const { allTags = [], anyTags, noneTags = [] } of queries) {
      const wanted = Array.from({ length: size }, (_, index) => index).filter((index) => {
        const tags = tagsOf(index);
        return (
          allTags.every((tag) => tags.includes(tag)) &&
          (anyTags?.some((tag) => tags.includes(tag)) ?? true) &&
          !noneTags.some((tag) => tags.includes(tag))
        );
      });
      const found = await store.searchBreadcrumbs({ allTags, noneTags, ...(anyTags && { anyTags }) });
      expect(found.map(({ id }) => id)).toEqual(wanted.map((index) => `r${index}`));
    }
    await store.close();
  }, 240_000);

  it("finds everything as it was when it is opened again", async () => {
    const path = freshPath();
    const first = await createSqliteStore({ path });
    written(await first.put(note("a", { tags: ["x"] })));
    await first.close();
    const second = await createSqliteStore({ path, durability: "full" });
    expect(await second.get("a")).toMatchObject({ tags: ["x"], version: 1 });
    expect(await second.sequence()).toBe(1);
    await second.close();
  }, 240_000);

  it("is one complete file when it is closed, which can be copied alone", async () => {
    const path = join(folder, "closed.db");
    const store = await createSqliteStore({ path });
    written(await store.put(note("first")));
    await store.close();
    const copy = join(folder, "copy.db");
    copyFileSync(path, copy);
    const again = await createSqliteStore({ path: copy });
    expect(await again.get("first")).toBeDefined();
    await again.close();
  });

  it("leaves nothing behind of a migration that failed half-way, and takes it up again", async () => {
    const path = freshPath();
    const database = (await loadSqlite()).open(path, 1_000);
    const queries = createQueries(database);
    const broken = { name: "9998-broken", up: () => Promise.reject(new Error("the machine stopped")) };
    database.exec("begin immediate");
    await expect(migrate(queries, sqliteParts, [...migrations, broken])).rejects.toThrow("the machine stopped");
    database.exec("rollback");
    expect(database.prepare("select name from sqlite_master").all()).toEqual([]);
    database.close();
    const store = await createSqliteStore({ path });
    written(await store.put(note("a")));
    await store.close();
  });

  it("finds by their words the records of a file that an older version wrote", async () => {
    const path = freshPath();
    const now = await createSqliteStore({ path: ":memory:" });
    const database = (await loadSqlite()).open(path, 1_000);
    await migrate(createQueries(database), sqliteParts, migrations.slice(0, 5));
    database.exec("begin");
    const insert = database.prepare(
      `insert into breadcrumbs (position, owner, id, version, deleted, schema_name, visibility, created_by, has_grants, body)
       values (?, ?, ?, 1, ?, 'note.v1', 'team', ?, 0, ?)`,
    );
    const count = 1_100;
    const first = written(await now.put(note("r1")));
    for (let position = 1; position <= count; position++) {
      const record = { ...first, id: `r${position}`, title: `old ${position % 100}` };
      insert.run(position, record.owner, record.id, Number(position === 7), record.created_by, JSON.stringify(record));
    }
    database.exec(`update ends set number = ${count} where name = 'sequence'`);
    database.exec("commit");
    database.close();
    await now.close();
    const store = await createSqliteStore({ path });
    const found = async (text: string) => (await store.searchBreadcrumbs({ text })).map(({ id }) => id);
    expect(await found("old")).toHaveLength(count - 1);
    expect(await found("old r7")).not.toContain("r7");
    expect(await found("old r1099")).toEqual(["r1099"]);
    await store.close();
  });

  it("refuses a file that a newer version changed, and a file that cannot be opened", async () => {
    const path = freshPath();
    await (await createSqliteStore({ path })).close();
    const database = (await loadSqlite()).open(path, 1_000);
    database.exec("insert into migrations values ('9999-from-the-future', '')");
    database.close();
    await expect(createSqliteStore({ path })).rejects.toThrow(/newer version/);
    await expect(createSqliteStore({ path: join(folder, "none", "a.db") })).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });

  it("answers a clear, retryable error when another process keeps the file locked, and does not stand still meanwhile", async () => {
    const path = freshPath();
    const store = await createSqliteStore({ path, busyTimeoutMs: 500 });
    const other = (await loadSqlite()).open(path, 0);
    other.exec("begin immediate");
    const counted = countTurns();
    await expect(store.put(note("a"))).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", retryable: true });
    expect(counted()).toBeGreaterThan(10);
    other.exec("rollback");
    other.close();
    written(await store.put(note("a")));
    await store.close();
  });

  it("still knows that a call runs whose end could not be written, also when others that began with it end", async () => {
    const path = freshPath();
    const store = await createSqliteStore({ path, busyTimeoutMs: 50 });
    const calls = createCallLog(store, { server: "one" });
    const start = (callId: string) => ({ callId, tool: "t", input: {}, caller: {}, startedAt: 5 });
    const end = (callId: string) =>
      calls.record({ ...start(callId), result: { ok: true, content: "", meta: { callId, tool: "t", durationMs: 1 } } });
    await Promise.all(["a", "b", "c"].map((name) => calls.begin!(start(name))));
    const other = (await loadSqlite()).open(path, 0);
    other.exec("begin immediate");
    await expect(end("a")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    other.exec("rollback");
    other.close();
    await end("b");
    expect((await calls.running()).map(({ callId }) => callId).sort()).toEqual(["a", "c"]);
    expect(await calls.abandon("one")).toBe(2);
    await store.close();
  });

  it("refuses to work after it was closed", async () => {
    const store = await createSqliteStore({ path: ":memory:" });
    await store.close();
    await store.close();
    await expect(store.put(note("a"))).rejects.toMatchObject({ code: "STORE_CLOSED" });
  });
});
