import { Kysely, type PostgresPool } from "kysely";
import { describe, expect, it } from "vitest";
import type { LineContent, LinkedLine } from "../../../src/engine/audit.ts";
import type { LogPage } from "../../../src/engine/log.ts";
import { createChainWrites, createLogWriter, nameChains } from "../../../src/engines/postgres/chains.ts";
import { createNoteClaims } from "../../../src/engines/postgres/claim-notes.ts";
import { logPageParameters } from "../../../src/engines/postgres/log-page.ts";
import { postgresParts } from "../../../src/engines/postgres/parts.ts";
import { QualifiedDialect } from "../../../src/engines/postgres/qualified-dialect.ts";
import { createRecordWriter } from "../../../src/engines/postgres/save-records.ts";
import { openSchema } from "../../../src/engines/postgres/schema.ts";
import { createTicketChanges, createTicketTeller } from "../../../src/engines/postgres/tell-tickets.ts";
import type { Tables } from "../../../src/engines/_sql/tables.ts";
import { fakePostgres } from "../_fake-postgres.ts";

const content: LineContent = [1, "o", "call", "a", "s", null, 1, null, 2.5, "{}", "p"];
const lineOf = (place: number, previous: string, hash: string): LinkedLine => [0, ...content, previous, hash, "own", "k", place];

describe("the parameters of a page of the log", () => {
  it("are its lines with the ends of the chain before and after, its lease, and its notes", () => {
    const page = { owner: "o", removed: ["n"], saved: [] };
    expect(logPageParameters({ ...page, lines: [] })).toEqual(["[]", 0, "", 0, "", 0, "", null, null, "o", ["n"], "[]"]);
    const lines = [lineOf(5, "h4", "h5"), lineOf(6, "h5", "h6")];
    const note = { owner: "o", kind: "running", name: "m", holder: "s", endsAt: 7, body: "{}" } as const;
    const saved = [note, { ...note, name: "e", endsAt: undefined }];
    expect(logPageParameters({ ...page, lines, saved, lease: { owner: "l", name: "s1" } })).toEqual([
      JSON.stringify(lines.map((line) => line.slice(1))),
      2,
      "own",
      4,
      "h4",
      6,
      "h6",
      "l",
      "s1",
      "o",
      ["n"],
      JSON.stringify([
        ["o", "running", "m", "s", 7, "{}"],
        ["o", "running", "e", "s", null, "{}"],
      ]),
    ]);
  });
});

describe("the writer of pages to PostgreSQL", () => {
  const page: LogPage = { lines: [content], key: undefined, owner: "o", removed: [], saved: [] };
  const done = { isHeld: true, isDone: true };

  /** Answers pages in this order; a question for the end of the chain gets `tip`. */
  function start(outcomes: (typeof done | Error)[], tip: readonly unknown[] = [{ place: 7, hash: "h7" }]) {
    const { db, asked } = fakePostgres(({ sql }) => {
      if (sql.startsWith("select")) return tip;
      const outcome = outcomes.shift()!;
      if (outcome instanceof Error) throw outcome;
      return [outcome];
    });
    const write = createLogWriter(db, { calls: "own", others: "own+" });
    /** Of each statement: where the page begins, or "tip". */
    const steps = () => asked.splice(0).map(({ sql, parameters }) => (sql.startsWith("select") ? "tip" : [parameters[3], parameters[4]]));
    const lastHash = (): unknown => asked.at(-1)!.parameters[6];
    return { write, steps, lastHash, asked };
  }

  it("begins a chain without a question, and goes on where the last page ended", async () => {
    const { write, steps, lastHash } = start([done, done, done]);
    await write(page);
    const first = lastHash();
    expect(steps()).toEqual([[0, ""]]);
    await write({ ...page, lines: [] });
    expect(steps()).toEqual([[0, ""]]); // moves no end
    await write(page);
    expect(steps()).toEqual([[1, first]]);
  });

  it("asks for the end of the chain after a failure, since the page may be written", async () => {
    const failure = new Error("the connection broke");
    const { write, steps } = start([failure, done]);
    await expect(write(page)).rejects.toBe(failure);
    steps();
    await write(page);
    expect(steps()).toEqual(["tip", [7, "h7"]]);
  });

  it("begins anew where retention forgot the chain", async () => {
    const { write, steps } = start([new Error("the connection broke"), done], []);
    await expect(write(page)).rejects.toThrow();
    steps();
    await write(page);
    expect(steps()).toEqual(["tip", [0, ""]]);
  });

  it("tries again from the end where the chain has another", async () => {
    const { write, steps } = start([{ isHeld: true, isDone: false }, done]);
    await write(page);
    expect(steps()).toEqual([[0, ""], "tip", [7, "h7"]]);
  });

  it("says which lease is lost, and still knows the end of the chain", async () => {
    const { write, steps, asked } = start([{ isHeld: false, isDone: false }, done]);
    await expect(write({ ...page, lease: { owner: "l", name: "s1" } })).rejects.toMatchObject({ code: "LEASE_LOST", server: "s1" });
    expect(asked[0]!.parameters.slice(7, 9)).toEqual(["l", "s1"]);
    steps();
    await write(page);
    expect(steps()).toEqual([[0, ""]]);
  });
});

describe("lines in a transaction of PostgreSQL", () => {
  it("are added to the chain of this engine, or another, whose end is locked", async () => {
    const { db, asked } = fakePostgres(({ sql }) =>
      sql.startsWith("select") ? [{ place: 7, hash: "h7" }] : [{ isHeld: true, isDone: true }],
    );
    const { chainTip, appendAudit, lockAudit } = createChainWrites(db, { calls: "own", others: "own+" });
    expect(await chainTip()).toEqual({ chain: "own+", number: 0, place: 7, hash: "h7" });
    expect(await chainTip("other")).toEqual({ chain: "other", number: 0, place: 7, hash: "h7" });
    expect(asked.splice(0).map(({ sql, parameters }) => [sql.endsWith("for update"), ...parameters])).toEqual([
      [true, "own+"],
      [true, "other"],
    ]);
    expect(await appendAudit([])).toBe(true);
    expect(asked).toEqual([]);
    expect(await appendAudit([lineOf(8, "h7", "h8")])).toBe(true);
    expect(asked.splice(0)[0]!.parameters.slice(1)).toEqual([1, "own", 7, "h7", 8, "h8", null, null, "", [], "[]"]);
    await lockAudit();
    await lockAudit({ withPages: true });
    expect(asked.map(({ parameters }) => parameters)).toEqual([["audit-first"], ["audit-first", "audit-last"]]);
    for (const { sql } of asked) expect(sql).toMatch(/order by "name" for update$/);
  });

  it("are refused where the chain has another end", async () => {
    const { db } = fakePostgres(() => [{ isHeld: true, isDone: false }]);
    expect(await createChainWrites(db, nameChains()).appendAudit([lineOf(8, "h7", "h8")])).toBe(false);
  });

  it("have chains that no other engine has", () => {
    const [one, other] = [nameChains(), nameChains()];
    expect(one.calls).toMatch(/^[\w-]{16}$/);
    expect(one.others).toBe(`${one.calls}+`);
    expect(other.calls).not.toBe(one.calls);
  });
});

describe("claims of notes in PostgreSQL", () => {
  const note = { owner: "o", kind: "answer", name: "n", holder: "s", endsAt: 5.9, body: "{}" } as const;

  it("are one statement each, with all that they depend on", async () => {
    const outcomes: unknown[] = [
      { isHeld: true, isClaimed: true },
      { isHeld: true, isClaimed: false },
      { isHeld: false, isClaimed: false },
    ];
    const { db, asked } = fakePostgres(() => [outcomes.shift()]);
    const { claim } = createNoteClaims(db);
    expect(await claim(note, { lease: { owner: "l", name: "s1" }, now: 7.9, most: 3, prefix: "n" })).toBe("claimed");
    expect(await claim({ ...note, endsAt: undefined }, { lease: undefined, now: 7, most: 3, prefix: undefined })).toBe("taken");
    expect(await claim(note, { lease: undefined, now: 7, most: 3, prefix: "" })).toBe("lost");
    expect(asked.map(({ parameters }) => parameters)).toEqual([
      ["o", "answer", "n", "s", 5, "{}", "l", "s1", 7, "n", "n\u007f", 3],
      ["o", "answer", "n", "s", null, "{}", null, null, 7, null, null, 3],
      ["o", "answer", "n", "s", 5, "{}", null, null, 7, "", "\u007f", 3],
    ]);
  });
});

describe("words in PostgreSQL", () => {
  it("are saved by one statement, and removed by another, where there are any", async () => {
    const { db, asked } = fakePostgres();
    const save = postgresParts.createWordWriter(db);
    await save([]);
    expect(asked).toEqual([]);
    await save([
      { position: 1, terms: ["a", "b"] },
      { position: 2, terms: [] },
      { position: 3, terms: ["c"] },
    ]);
    expect(asked.splice(0).map(({ sql, parameters }) => [sql.split(" ", 1)[0], parameters])).toEqual([
      ["delete", [[2]]],
      [
        "insert",
        [
          JSON.stringify([
            [1, ["a", "b"]],
            [3, ["c"]],
          ]),
        ],
      ],
    ]);
    await save([{ position: 4, terms: ["d"] }]);
    await save([{ position: 5, terms: [] }]);
    expect(asked.map(({ sql }) => sql.split(" ", 1)[0])).toEqual(["insert", "delete"]);
  });

  it("are asked for whole or by their beginning, in one parameter, as lists are", async () => {
    const { db } = fakePostgres();
    const terms = [
      { word: "whole", isWhole: true },
      { word: "beg", isWhole: false },
    ];
    expect(postgresParts.indexedWords(terms, 9).compile(db).parameters).toEqual(["'whole' & 'beg':*", 9]);
    const { rowHasWords, wholeNumbers, textList, textsParameter, rowParameters } = postgresParts;
    expect(db.selectFrom("words").where(rowHasWords(terms)).select("position").compile().parameters).toEqual(["'whole' & 'beg':*"]);
    expect([wholeNumbers([1, 2]).compile(db), textList(["a"]).compile(db)].map(({ sql, parameters }) => [sql, parameters])).toEqual([
      ["(select unnest($1::bigint[]))", [[1, 2]]],
      ["(select unnest($1::text[]))", [["a"]]],
    ]);
    expect([textsParameter(["a"]), rowParameters([[1, "a"]], 1)]).toEqual([["a"], ['[[1,"a"]]']]);
  });
});

describe("records in PostgreSQL", () => {
  it("cost nothing where there are none", async () => {
    const { db, asked } = fakePostgres();
    expect(await createRecordWriter(db)([])).toEqual([]);
    expect(asked).toEqual([]);
  });
});

describe("tickets in PostgreSQL", () => {
  const row = {
    owner: "o",
    kind: "task",
    name: "n",
    version: 2,
    group: "g",
    holder: "h",
    isOpen: true,
    createdAt: 1.9,
    endsAt: 9.9,
    body: "{}",
  } as const;
  const message = 'ticket:["o","task","n"]';

  it("are changed and told of by one statement, which says whether there was anything to change", async () => {
    for (const isChanged of [true, false]) {
      const { db, asked } = fakePostgres(() => (isChanged ? [{}] : []));
      const { addIfRoom, replaceTicket, removeTicket } = createTicketTeller(db, { ...postgresParts }, "here");
      expect([await addIfRoom(row, { most: 3, now: 5.9 }), await replaceTicket(row, 1), await removeTicket(row)]).toEqual([
        isChanged,
        isChanged,
        isChanged,
      ]);
      expect(asked.map(({ parameters }) => parameters)).toEqual([
        ["o", "task", "n", 2, "g", "h", 1, 1, 9, "{}", 5, 3, message],
        [2, "g", "h", 1, 1, 9, "{}", "o", "task", "n", 1, message],
        ["o", "task", "n", message],
      ]);
      for (const { sql } of asked) expect(sql).toMatch(/select pg_notify\('here', \$\d+\) from changed$/);
    }
  });

  it("that need room are told of where they were added", async () => {
    for (const [isTaken, outcome] of [
      [false, "added"],
      [true, "taken"],
    ] as const) {
      const { db, asked } = fakePostgres(({ sql }) => {
        if (sql.includes("count(*)")) return [{ rows: 0 }];
        if (sql.startsWith("select")) return isTaken ? [{ ends_at: 99 }] : [];
        return sql.startsWith("insert") ? [{ version: 2 }] : [];
      });
      const changes = createTicketChanges(db, { ...postgresParts }, "here");
      expect(await changes.addTicket(row, { most: 3, now: 5 })).toBe(outcome);
      const told = asked.filter(({ sql }) => sql.includes("pg_notify")).map(({ parameters }) => parameters);
      expect(told).toEqual(isTaken ? [] : [["here", message]]);
    }
  });
});

describe("the names of tables in PostgreSQL", () => {
  const db = new Kysely<Tables & { elsewhere: { id: string } }>({ dialect: new QualifiedDialect({} as PostgresPool, "own") });

  it("are those of their schema, and columns are named by what the query calls the table", () => {
    expect(db.selectFrom("jobs").select("jobs.id").compile().sql).toBe('select "jobs"."id" from "own"."jobs"');
    expect(db.selectFrom("jobs as j").select(["j.id", "kind"]).compile().sql).toBe('select "j"."id", "kind" from "own"."jobs" as "j"');
    expect(db.withSchema("other").selectFrom("jobs").select("id").compile().sql).toBe('select "id" from "other"."jobs"');
    expect(db.selectFrom("elsewhere").select("id").compile().sql).toBe('select "id" from "elsewhere"');
    expect(db.schema.dropIndex("jobs_due").compile().sql).toBe('drop index "own"."jobs_due"');
    expect(db.schema.dropIndex("jobs_due").ifExists().compile().sql).toBe('drop index if exists "own"."jobs_due"');
  });
});

describe("the schema of a store", () => {
  it.each<[known: boolean, filled: boolean, elsewhere: boolean, isChosen: boolean, outcome: "made" | "there" | "refused"]>([
    [false, false, false, false, "made"],
    [true, false, false, false, "there"],
    [true, true, true, false, "there"],
    [true, false, true, false, "refused"],
    [false, false, true, false, "refused"],
    [false, false, true, true, "made"],
    [true, false, true, true, "there"],
  ])(
    "where it is known: %s, filled: %s, another one there: %s, and chosen: %s, is %s",
    async (known, filled, elsewhere, isChosen, outcome) => {
      const { db, asked } = fakePostgres(({ sql }) => (sql.startsWith("select") ? [{ known, filled, elsewhere }] : []));
      const opening = openSchema(db, "own", isChosen);
      if (outcome === "refused") await expect(opening).rejects.toMatchObject({ code: "STORE_INCOMPATIBLE" });
      else await opening;
      expect(asked.map(({ sql }) => sql).slice(1)).toEqual(outcome === "made" ? ['create schema "own"'] : []);
      expect(asked[0]!.parameters).toEqual(["own", "own.migrations"]);
    },
  );
});
