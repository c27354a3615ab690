import type { CompiledQuery, QueryResult } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { createQueryMeter } from "../../src/engine/stats.ts";
import { searchKeysOf } from "../../src/engine/search-keys.ts";
import type { Writes } from "../../src/engine/engine.ts";
import { compiledFor, compiledOnce } from "../../src/engines/_sql/compiled.ts";
import { createBodyReader } from "../../src/engines/_sql/parsed-once.ts";
import { type Sql, tableNames } from "../../src/engines/_sql/tables.ts";
import { createSqlWrites } from "../../src/engines/_sql/writes.ts";
import { migrate } from "../../src/engines/_sql/migrate.ts";
import { migrations } from "../../src/engines/_sql/migrations.ts";
import { postgresParts } from "../../src/engines/postgres/parts.ts";
import { createQueries } from "../../src/engines/sqlite/dialect.ts";
import { loadSqlite, type SqliteDatabase } from "../../src/engines/sqlite/load.ts";
import { sqliteParts } from "../../src/engines/sqlite/parts.ts";
import type { Breadcrumb } from "../../src/record/breadcrumb.ts";
import { fakePostgres } from "./_fake-postgres.ts";

const meter = createQueryMeter();
const database = (await loadSqlite()).open(":memory:", 1_000);
const queries = createQueries(database, meter);
await migrate(queries, sqliteParts);
const tx = createSqlWrites(queries, sqliteParts);
afterAll(() => database.close());

const record = (id: string, tags: readonly string[] = []): Breadcrumb =>
  ({
    owner: "o",
    id,
    schema_name: "note.v1",
    title: id,
    tags,
    context: {},
    version: 1,
    visibility: "team",
    created_by: "a",
  }) as unknown as Breadcrumb;
const line = [1, 0, "o", "k", "a", "s", null, null, null, null, "{}", "", "", "h", "main", "", 0] as const;
const job = {
  owner: "o",
  kind: "k",
  caller: "c",
  subject: "s",
  origin: "here",
  tries: 1,
  delays: "[]",
  payload: "{}",
  createdAt: 1,
  state: "waiting",
  dueAt: 1,
  attempt: 0,
  failed: 0,
  lostBy: [],
  holder: "",
  beat: 0,
  cancelling: false,
} as const;
const jobRow = (id: string) =>
  ({
    ...job,
    id,
    key: undefined,
    startedAt: undefined,
    endedAt: undefined,
    progress: undefined,
    result: undefined,
    error: undefined,
  }) as const;
const ticket = {
  owner: "o",
  kind: "task",
  name: "t",
  version: 1,
  group: "g",
  holder: "",
  isOpen: true,
  createdAt: 1,
  endsAt: 9,
  body: "",
} as const;
const session = { owner: "o", session: "s", at: 1 } as const;

/** How many statements the work took. */
async function countOf(work: () => Promise<unknown>): Promise<number> {
  const before = meter.stats().count;
  await work();
  return meter.stats().count - before;
}

describe("the statements of an engine", () => {
  it.each<[string, () => Promise<unknown>]>([
    ["no records", () => tx.save([])],
    ["no revisions", () => tx.addChanges([])],
    ["no lines of the audit", () => tx.addAudit([])],
    ["no notes", () => tx.saveNotes([])],
    ["no names of notes", () => tx.removeNotes("o", "running", [])],
    ["no jobs", () => tx.addJobs([])],
    ["no jobs to change", () => tx.changeJobs("o", [], { beat: 1 }, { state: "running" })],
    ["no tickets", () => tx.addTickets([])],
    ["no names of tickets", () => tx.ticketMarks("o", "task", [])],
    ["no messages", () => tx.addSessionMessages([])],
    ["nothing for an inbox", () => tx.addInboxMessages([])],
    ["no entries of the log", () => tx.appendLog([])],
    ["no entries to look up", () => tx.logNodes([])],
    ["no old changes", () => tx.dropChanges([])],
    ["no ended records", () => tx.dropEnded([])],
  ])("are none for %s", async (_, work) => {
    expect(await countOf(work)).toBe(0);
  });

  it("are one where there turned out to be nothing to remove", async () => {
    expect(await countOf(() => tx.trimTickets("o", "task", 5, 9))).toBe(1);
    expect(await countOf(() => tx.trimSessions("o", 5, 9))).toBe(1);
    expect(await countOf(() => tx.replaceTicket({ ...ticket, version: 2 }, 1))).toBe(1);
    expect(await countOf(() => tx.removeTicket(ticket))).toBe(1);
  });

  it("are six for a record with new tags, one more where it loses some, and one less where it gets none", async () => {
    const save = (own: Breadcrumb, tagsBefore: readonly string[], position: number | undefined) =>
      tx.save([
        {
          type: position === undefined ? "created" : "updated",
          record: own,
          ...searchKeysOf({ record: own, deleted: false }),
          position,
          tagsBefore,
          expiresAt: undefined,
          readsLeft: undefined,
        },
      ]);
    // A number, the revision, the head, the tags, and two for the words.
    expect(await countOf(() => save(record("a", ["x", "y"]), [], undefined))).toBe(6);
    expect(await countOf(() => save({ ...record("a", ["x", "z"]), version: 2 }, ["x", "y"], 1))).toBe(7);
    expect(await countOf(() => save({ ...record("a", ["x", "z"]), version: 3 }, ["x", "z"], 1))).toBe(5);
    expect(
      await tx.page({
        actor: { owner: "o", agent: "a", roles: ["curator"] },
        schemaName: undefined,
        allTags: ["y"],
        anyTags: [],
        noneTags: [],
        terms: [],
        after: 0,
        limit: 9,
        now: 0,
      }),
    ).toEqual([]);
  });

  it("leave a record that was written here to its readers, who need not parse it, as a copy", async () => {
    const noted: [number, string, Breadcrumb][] = [];
    const bodies = { ...createBodyReader(), note: (...one: [number, string, Breadcrumb]) => void noted.push(one) };
    const own = record("noted");
    const saving = { type: "created", record: own, identity: undefined, position: undefined, tagsBefore: [], terms: [] } as const;
    const [change] = await createSqlWrites(queries, sqliteParts, bodies).save([{ ...saving, expiresAt: undefined, readsLeft: undefined }]);
    expect(noted).toEqual([[change!.sequence, JSON.stringify(own), own]]);
    expect(noted[0]![2]).not.toBe(own);
  });

  it("take eight rows at once, and the rest by another one", async () => {
    const rows = Array.from({ length: 17 }, (_, index) => ({ ...session, seq: index + 1, body: `${index}` }));
    expect(await countOf(() => tx.addSessionMessages(rows.slice(0, 7)))).toBe(1);
    expect(await countOf(() => tx.addSessionMessages(rows.slice(7, 15)))).toBe(1);
    expect(await countOf(() => tx.addSessionMessages([...rows.slice(15), ...rows.map((row) => ({ ...row, session: "r" }))]))).toBe(2);
    expect(await tx.sessionMessages("o", "s", 0, 99)).toEqual(rows);
    expect(await tx.sessionMessages("o", "r", 0, 99)).toEqual(rows.map((row) => ({ ...row, session: "r" })));
  });

  it("tell other processes of tickets that changed, and not of those that did not", async () => {
    const told = async (): Promise<number> =>
      (await queries.selectFrom("ends").select("number").where("name", "=", "tickets").executeTakeFirstOrThrow()).number;
    const before = await told();
    const limit = { most: 9, now: 0 };
    expect(await tx.addTicket(ticket, limit)).toBe("added");
    expect(await tx.addTicket(ticket, limit)).toBe("taken");
    expect(await told()).toBe(before + 1);
    await tx.replaceTicket({ ...ticket, version: 2 }, 5);
    expect(await told()).toBe(before + 1);
    await tx.replaceTicket({ ...ticket, version: 2 }, 1);
    await tx.removeTicket({ ...ticket, name: "other" });
    expect(await told()).toBe(before + 2);
    await tx.removeTicket(ticket);
    expect(await told()).toBe(before + 3);
  });

  it("keep a ticket that is closed while its group has room", async () => {
    const limit = { most: 9, now: 0 };
    await tx.addTicket({ ...ticket, name: "closed", isOpen: false }, limit);
    await tx.addTicket({ ...ticket, name: "next" }, limit);
    expect((await tx.tickets("o", "task", {}, 9)).map(({ name }) => name)).toEqual(["closed", "next"]);
  });
});

describe("a prepared statement of SQLite", () => {
  /** Whether a statement is prepared anew is told by `prepared`. */
  function fake() {
    const prepared: string[] = [];
    const own: SqliteDatabase = {
      exec: () => undefined,
      close: () => undefined,
      prepare: (sql) => {
        prepared.push(sql);
        return { all: () => [{ sql }], run: () => ({ changes: 2 }), columns: () => (sql.startsWith("select") ? [1] : []) };
      },
    };
    const db = createQueries(own, createQueryMeter());
    const run = (sql: string, ...parameters: unknown[]): Promise<QueryResult<unknown>> =>
      db.executeQuery({ sql, parameters, query: { kind: "RawNode" } } as unknown as CompiledQuery);
    return { prepared, run };
  }

  it("is prepared once, and again when five hundred others came in between", async () => {
    const { prepared, run } = fake();
    for (let index = 0; index < 500; index++) await run(`select ${index}`);
    await run("select 0");
    expect(prepared).toHaveLength(500);
    await run("select 500");
    await run("select 500");
    expect(prepared).toHaveLength(501);
    await run("select 0");
    expect(prepared).toHaveLength(502);
  });

  it("answers rows, or how many it changed", async () => {
    const { run } = fake();
    expect(await run("select 1")).toEqual({ rows: [{ sql: "select 1" }] });
    expect(await run("delete")).toEqual({ rows: [], numAffectedRows: 2n });
  });
});

describe("a query that is compiled", () => {
  function fake() {
    const ran: unknown[] = [];
    const db = {
      executeQuery: async ({ sql, parameters }: CompiledQuery) => (ran.push([sql, parameters]), { rows: [sql] }),
    } as unknown as Sql;
    let compiled = 0;
    const compile = (): CompiledQuery<string> =>
      ({ sql: `query ${++compiled}`, parameters: ["placeholder"] }) as unknown as CompiledQuery<string>;
    return { ran, db, compile };
  }

  it("is compiled when it first runs, once, and gets its values each time", async () => {
    const { ran, db, compile } = fake();
    const run = compiledOnce(db, compile);
    expect([await run([1]), await run([2])]).toEqual([["query 1"], ["query 1"]]);
    expect(ran).toEqual([
      ["query 1", [1]],
      ["query 1", [2]],
    ]);
  });

  it("is compiled once for each store and each name, whoever runs it", async () => {
    const { db, compile } = fake();
    const [store, other] = [{}, {}];
    const of = (one: object, name: string) => compiledFor(db, one, name, compile)([]);
    expect([await of(store, "a"), await of(store, "a"), await of(store, "b"), await of(store, "b")]).toEqual([
      ["query 1"],
      ["query 1"],
      ["query 2"],
      ["query 2"],
    ]);
    expect([await of(other, "a"), await of(store, "a")]).toEqual([["query 3"], ["query 1"]]);
  });
});

describe("the bodies of changes that are kept", () => {
  const bodyOf = (letter: string): string => JSON.stringify(letter.repeat(499_998));

  it("are two million characters of the newest", () => {
    const { read } = createBodyReader();
    const first = ["a", "b", "c", "d"].map((letter, index) => read(index, bodyOf(letter)));
    expect(["a", "b", "c", "d"].map((letter, index) => read(index, bodyOf(letter)))).toEqual(first);
    const own = { read: "again" } as unknown as Breadcrumb;
    const reader = createBodyReader();
    for (const [index, letter] of ["a", "b", "c", "d"].entries()) reader.note(index, bodyOf(letter), own);
    reader.note(0, bodyOf("a"), own); // counts once, and is the newest now
    for (const [index, letter] of ["a", "b", "c", "d"].entries()) expect(reader.read(index, bodyOf(letter))).toBe(own);
    reader.note(4, bodyOf("e"), own);
    expect(reader.read(0, bodyOf("a"))).toBe(own);
    expect(reader.read(4, bodyOf("e"))).toBe(own);
    expect(reader.read(1, bodyOf("b"))).not.toBe(own);
    expect(reader.read(3, bodyOf("d"))).toBe(own);
  });
});

describe("values for PostgreSQL", () => {
  /** Table → column → type, as the migrations make them. */
  async function typesOfColumns(): Promise<Map<string, Map<string, string>>> {
    const { db, asked } = fakePostgres(({ sql }) => (sql.includes("returning") ? [{ number: 1 }] : []));
    for (const { up } of migrations) await up(db, postgresParts);
    const types = new Map<string, Map<string, string>>();
    for (const { sql } of asked) {
      const made = /^create table "(\w+)" \((.*)\)$/.exec(sql);
      const added = /^alter table "(\w+)" add column (.*)$/.exec(sql);
      const [, table, columns] = made ?? added ?? [];
      if (table === undefined || columns === undefined) continue;
      const own = types.get(table) ?? new Map<string, string>();
      types.set(table, own);
      for (const column of columns.split(", ")) {
        const [, name, type] = /^"?(\w+)"? (bigint|double precision|text|integer|tsvector)/.exec(column) ?? [];
        if (name !== undefined && type !== undefined) own.set(name, type);
      }
    }
    return types;
  }

  it("have the types of their columns", async () => {
    const types = await typesOfColumns();
    const { db, asked } = fakePostgres(({ sql }) => (sql.includes("returning") ? [{ number: 1 }] : []));
    const own: Writes = createSqlWrites(db, { ...postgresParts });
    await own.addChanges([{ sequence: 1, type: "created", record: record("a") }]);
    await own.addHeads([{ record: record("a", ["x"]), position: 1, deleted: false, expiresAt: undefined, readsLeft: undefined }]);
    await own.appendAudit([line]);
    await own.saveNotes([{ owner: "o", kind: "answer", name: "n", holder: "", endsAt: undefined, body: "" }]);
    await own.appendLog([{ index: 0, at: 1, owner: "o", kind: "k", source: "s", tool: "t", body: "", nodes: "" }]);
    await own.addJobs([jobRow("1")]);
    await own.addTickets([ticket]);
    await own.addSessionMessages([{ ...session, seq: 1, body: "" }]);
    await own.addInboxMessages([{ ...session, place: 1, content: "", fromKind: "k", fromId: undefined, source: undefined, taken: false }]);
    const put: string[] = [];
    for (const { sql } of asked) {
      const [, table, columns, values] = /^insert into "(\w+)" \(([^)]*)\) select (.*) from json_array_elements/.exec(sql) ?? [];
      if (table === undefined || table === "words") continue;
      put.push(table);
      const names = columns!.split(", ").map((name) => name.slice(1, -1));
      const casts = { bigint: "::bigint", integer: "::bigint", "double precision": "::double precision", text: "" } as Record<
        string,
        string
      >;
      const wanted = names.map((name, index) => `(item ->> ${index})${casts[types.get(table)!.get(name)!]}`);
      expect(`${table}: ${values}`).toBe(`${table}: ${wanted.join(", ")}`);
    }
    const tables = ["revisions", "breadcrumbs", "breadcrumb_tags", "audit", "notes", "definition_log", "jobs", "tickets"];
    expect(put).toEqual([...tables, "session_messages", "session_inbox"]);
  });

  it("are in tables that are all named with their schema", async () => {
    expect([...tableNames].toSorted()).toEqual([...(await typesOfColumns()).keys(), "migrations"].toSorted());
  });
});
