import crypto, { randomBytes } from "node:crypto";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { anchorAudit, createAnchoring } from "../../src/audit/anchor.ts";
import { addToAudit, listAudit, pruneAudit } from "../../src/audit/audit.ts";
import { type AuditCheck, verifyAudit } from "../../src/audit/verify.ts";
import { createCallLog } from "../../src/calls/call-log.ts";
import { copyStore } from "../../src/copy/copy-store.ts";
import { createLink, linkLines, tipOf, toContent } from "../../src/engine/chain.ts";
import { keyAudit } from "../../src/secrets/audit-key.ts";
import { createKeys } from "../../src/secrets/keys.ts";
import { insideOf } from "../../src/store/create-store.ts";
import { createPostgresStore } from "../../src/store/postgres.ts";
import { createSqliteStore } from "../../src/store/sqlite.ts";
import type { BreadcrumbStore } from "../../src/store/store.ts";

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => {
  await server?.stop();
});

const keys = createKeys({ current: Buffer.alloc(32, 5) });
type Sound = Extract<AuditCheck, { ok: true }>;

async function openTwo(): Promise<{ readonly stores: readonly [BreadcrumbStore, BreadcrumbStore]; readonly sql: pg.Client }> {
  const schema = `chains_${randomBytes(6).toString("hex")}`;
  const open = () => createPostgresStore({ connectionString: server.connectionString, schema, maxConnections: 3 });
  const stores = [await open(), await open()] as const;
  const sql = new pg.Client({ connectionString: server.connectionString });
  await sql.connect();
  await sql.query(`set search_path to ${schema}`);
  afterThisTest(async () => {
    await sql.end();
    for (const store of stores) await store.close();
  });
  return { stores, sql };
}

/** Lines of calls and of other deeds, in turns, by both servers. */
async function write(stores: readonly BreadcrumbStore[], rounds: number, name = "c"): Promise<void> {
  const logs = stores.map((store) => createCallLog(store));
  for (let round = 0; round < rounds; round++)
    for (const [index, store] of stores.entries()) {
      const callId = `${name}-${index}-${round}`;
      const result = { ok: true, content: "", meta: { callId, tool: "t", durationMs: 1 } } as const;
      await logs[index]!.record({ callId, tool: "t", input: {}, caller: {}, startedAt: 5, result });
      await addToAudit(store, [{ kind: "note", subject: "s", body: round }]);
    }
}

/** As a server of an earlier version: reads the end under its lock, links the lines to it with their numbers, and moves it. */
async function writeAsBefore(sql: pg.Client, count: number): Promise<void> {
  await sql.query("begin");
  const { number, hash } = (await sql.query("select number, hash from ends where name = 'audit-last' for update")).rows[0];
  const entry = { at: 5, owner: "local", kind: "note", agent: "old", subject: "s", body: "1" };
  const lines = linkLines(
    Array.from({ length: count }, () => toContent(entry)),
    { number: Number(number), place: 0, hash },
    createLink(crypto, "main", undefined),
  );
  for (const line of lines)
    await sql.query(
      `insert into audit (number, at, owner, kind, agent, subject, call_id, ok, code, duration_ms, body, principal, previous, hash, chain, key_id)
       values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16)`,
      line.slice(0, 16) as unknown[],
    );
  const end = tipOf(lines);
  await sql.query("update ends set number = $1, hash = $2 where name = 'audit-last'", [end.number, end.hash]);
  await sql.query("commit");
}

describe("the chains of several servers", () => {
  it("are one for each server and kind of writer, numbered together in the order of the commits, and verify", async () => {
    const { stores } = await openTwo();
    await keyAudit(stores[0], keys);
    await keyAudit(stores[1], keys);
    await Promise.all([write([stores[0]], 10, "a"), write([stores[1]], 10, "b")]);
    expect(await anchorAudit(stores[0])).toBe(true);
    expect(await anchorAudit(stores[1])).toBe(false);
    const check = (await verifyAudit(stores[1])) as Sound;
    expect(check).toMatchObject({ ok: true, rows: 42, keyed: 42, chains: { count: 5, anchors: 1 } });
    expect((await listAudit(stores[0], { limit: 100 })).map(({ number }) => number).toReversed()).toEqual(
      Array.from({ length: 41 }, (_, index) => index + 1),
    );
    expect(await verifyAudit(stores[0], { since: check.last })).toMatchObject({ ok: true });
  });

  it("are stated as soon as any server adds a line, and cost no transaction while none does", async () => {
    const { stores } = await openTwo();
    const state = createAnchoring(stores[0]);
    const transactions = vi.spyOn(insideOf(stores[0]).engine, "writeAudit");
    await write(stores, 1);
    expect([await state(), await state()]).toEqual([true, false]);
    transactions.mockClear();
    for (let look = 0; look < 20; look++) expect(await state()).toBe(false);
    expect(transactions).not.toHaveBeenCalled();
    await write([stores[1]], 1, "later");
    expect(await state()).toBe(true);
    transactions.mockClear();
    for (let look = 0; look < 100; look++) expect(await state()).toBe(false);
    expect(transactions.mock.calls).toHaveLength(2);
    expect(await verifyAudit(stores[1])).toMatchObject({ ok: true, chains: { anchors: 2 } });
  });

  it("go on after a page whose outcome is unknown, and after retention forgot the chain", async () => {
    const { stores, sql } = await openTwo();
    await write(stores, 2);
    const chain = String((await sql.query("select chain from audit where kind = 'call' order by number desc limit 1")).rows[0].chain);
    // What a page leaves that was committed while its answer was lost.
    await sql.query("begin");
    await sql.query(
      `insert into audit select 9, at, owner, kind, agent, subject, call_id, ok, code, duration_ms, body, hash, repeat('0', 64), chain, key_id,
       principal, place + 1 from audit where chain = $1 order by place desc limit 1`,
      [chain],
    );
    await sql.query("update audit_chains set last_place = last_place + 1, last_hash = repeat('0', 64) where chain = $1", [chain]);
    await sql.query("update ends set number = 9 where name = 'audit-last'");
    await sql.query("commit");
    await write(stores, 1, "d");
    const places = await sql.query("select place, previous from audit where chain = $1 order by place", [chain]);
    expect(places.rows.map(({ place }) => Number(place))).toEqual([1, 2, 3, 4]);
    expect(places.rows.at(-1).previous).toBe("0".repeat(64));
    await pruneAudit(stores[0], { maxRows: 0 });
    await write(stores, 1, "e");
    expect(await verifyAudit(stores[1])).toMatchObject({ ok: true, rows: 4 });
  });

  it("of which old lines were removed begin where a signed line says", async () => {
    const { stores, sql } = await openTwo();
    for (const store of stores) await keyAudit(store, keys);
    await write(stores, 5);
    await anchorAudit(stores[0]);
    await pruneAudit(stores[1], { maxRows: 9 });
    expect(await verifyAudit(stores[0])).toMatchObject({ ok: true, rows: 10, begin: { anchor: {} } });
    await sql.query("update audit_chains set first_hash = repeat('1', 64) where first_place > 0");
    expect(await verifyAudit(stores[0])).toMatchObject({ ok: false });
  });

  it("stand beside lines that a server of an earlier version adds to the one chain that it knows", async () => {
    const { stores, sql } = await openTwo();
    await writeAsBefore(sql, 3);
    await write(stores, 2);
    await writeAsBefore(sql, 2);
    await Promise.all([write(stores, 5, "x"), writeAsBefore(sql, 4)]);
    await keyAudit(stores[0], keys);
    await keyAudit(stores[1], keys);
    await write(stores, 1, "y");
    await anchorAudit(stores[1]);
    expect(await verifyAudit(stores[0])).toMatchObject({ ok: true, rows: 43, keyed: 6, chains: { count: 6 } });
    await sql.query("delete from audit where number = 2");
    expect(await verifyAudit(stores[0])).toMatchObject({ ok: false, number: 2 });
  });

  const renumber = `create temp table shifted as select row_number() over (order by number) as after, number as before from audit;
    update audit set number = -after from shifted where number = before; update audit set number = -number;
    update ends set number = (select max(number) from audit) where name = 'audit-last'; drop table shifted;`;
  const moveEnds = `update audit_chains as c set last_place = line.place, last_hash = line.hash
      from (select distinct on (chain) chain, place, hash from audit where place > 0 order by chain, place desc) as line where line.chain = c.chain;
    delete from audit_chains as c where not exists (select 1 from audit where audit.chain = c.chain);`;
  const deeds: Record<string, string> = {
    "a line edited": "update audit set body = '7' where chain = $chain and place = 2",
    "a line removed": "delete from audit where chain = $chain and place = 2",
    "a line removed, and all numbered anew": `delete from audit where chain = $chain and place = 2; ${renumber}`,
    "the end cut off, all numbered anew, and the ends moved": `delete from audit where chain = $chain and place >= 4; ${renumber} ${moveEnds}`,
    "the whole chain removed, all numbered anew, and forgotten": `delete from audit where chain = $chain; ${renumber} ${moveEnds}`,
    "two lines exchanged": `update audit set place = case place when 2 then -3 else -2 end where chain = $chain and place in (2, 3);
      update audit set place = -place where place < 0`,
    "a line moved behind its successor, by exchange with one of another chain": `create temp table swapped as
        select a.number as one, b.number as two from audit a, audit b where a.chain = $chain and a.place = 2 and b.chain <> $chain
        and b.number > (select number from audit where chain = $chain and place = 3) order by b.number limit 1;
      update audit set number = -number where number in (select one from swapped union select two from swapped);
      update audit set number = case -number when one then two else one end from swapped where number < 0; drop table swapped;`,
  };

  // fault 11
  it("are found to be edited where a line that states them, or that gave the audit its key, is no longer one", async () => {
    const { stores, sql } = await openTwo();
    await write(stores, 1);
    for (const store of stores) await keyAudit(store, keys);
    await write(stores, 1);
    await anchorAudit(stores[0]);
    for (const kind of ["audit-anchor", "audit-keyed"]) {
      const { number, body } = (await sql.query("select number, body from audit where kind = $1", [kind])).rows[0] as Record<
        string,
        unknown
      >;
      for (const damaged of [
        "no JSON",
        "null",
        "5",
        "[]",
        '{"ends":5}',
        '{"ends":[null]}',
        '{"chains":5}',
        '{"chains":{"ends":[5]}}',
        '{"first":null}',
      ]) {
        await sql.query("update audit set body = $1 where number = $2", [damaged, number]);
        expect(await verifyAudit(stores[1]), `${kind} ${damaged}`).toMatchObject({ ok: false, number: Number(number) });
      }
      await sql.query("update audit set body = $1 where number = $2", [body, number]);
    }
    expect(await verifyAudit(stores[1])).toMatchObject({ ok: true });
  });

  // fault 11
  describe("are found to be changed by what was stated of them alone", () => {
    /** Removes the line before the anchor, gives its number to the line behind the anchor, and moves the ends. */
    const exchange = `delete from audit where number = (select number - 1 from audit where kind = 'audit-anchor');
      update audit set number = (select number - 1 from audit where kind = 'audit-anchor') where number = (select max(number) from audit);
      update ends set number = (select max(number) from audit), hash = coalesce((select hash from audit where chain = 'main' order by number desc limit 1), '')
      where name = 'audit-last'; ${moveEnds}`;

    /** One anchor, and one line behind it. */
    async function openAnchored({ hasMain } = { hasMain: false }) {
      const { stores, sql } = await openTwo();
      await write(hasMain ? [stores[0]] : stores, 2);
      if (hasMain) await writeAsBefore(sql, 2);
      await anchorAudit(stores[0]);
      await addToAudit(stores[hasMain ? 1 : 0], [{ kind: "note", subject: "s", body: 1 }]);
      expect(await verifyAudit(stores[0])).toMatchObject({ ok: true, chains: { anchors: 1 } });
      return { store: stores[0], sql };
    }

    /** A line of a chain that no server has. */
    async function insertForged(sql: pg.Client, number: number, what = { kind: "note", body: "1" }): Promise<void> {
      const entry = { at: 5, owner: "local", agent: "x", subject: "s", ...what };
      const [line] = linkLines([toContent(entry)], { number: number - 1, place: 0, hash: "" }, createLink(crypto, "forged", undefined));
      await sql.query(
        `insert into audit (number, at, owner, kind, agent, subject, call_id, ok, code, duration_ms, body, principal, previous, hash, chain, key_id, place)
         values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17)`,
        [number, ...line!.slice(1, 17)] as unknown[],
      );
      await sql.query("update ends set number = (select max(number) from audit) where name = 'audit-last'");
    }

    it.each(["no JSON", "null", '{"log":null}', '{"log":5}', '{"log":{"size":"x"}}'])(
      "where a line that states the log of definitions says %s",
      async (body) => {
        const { store, sql } = await openAnchored();
        const { number } = ((await verifyAudit(store)) as Sound).last;
        await insertForged(sql, number + 1, { kind: "definition-log", body });
        await sql.query(`insert into audit_chains (chain, first_place, first_hash, last_place, last_hash)
          select chain, 0, '', place, hash from audit where chain = 'forged'`);
        expect(await verifyAudit(store)).toMatchObject({ ok: false, number: number + 1 });
      },
    );

    it("where a line was added to a chain that is not among them", async () => {
      const { store, sql } = await openAnchored();
      await insertForged(sql, ((await verifyAudit(store)) as Sound).last.number + 1);
      const reason = expect.stringContaining("its chain is not among the chains of the audit") as string;
      expect(await verifyAudit(store)).toMatchObject({ ok: false, reason });
    });

    it("where a chain was put before the line that gave the audit its key", async () => {
      const { stores, sql } = await openTwo();
      await write(stores, 1);
      await keyAudit(stores[0], keys);
      const { last } = (await verifyAudit(stores[0])) as Sound;
      await sql.query("update audit set number = number + 1 where number = $1", [last.number]);
      await insertForged(sql, last.number);
      await sql.query(`insert into audit_chains (chain, first_place, first_hash, last_place, last_hash)
        select chain, 0, '', place, hash from audit where chain = 'forged'`);
      const reason = expect.stringContaining("confirms every line before it, and not this one") as string;
      expect(await verifyAudit(stores[0])).toMatchObject({ ok: false, reason });
    });

    it("where a later line takes the number of the last one of a chain", async () => {
      const { store, sql } = await openAnchored();
      await sql.query(exchange);
      const reason = expect.stringMatching(
        /line \d+ states that it was line \d+ of the chain .* the chain was cut, or rewritten/,
      ) as string;
      expect(await verifyAudit(store)).toMatchObject({ ok: false, reason });
    });

    it("where it takes that of the last one of the chain of earlier versions", async () => {
      const { store, sql } = await openAnchored({ hasMain: true });
      await sql.query(exchange);
      const reason = expect.stringContaining('states another end of the chain "main"') as string;
      expect(await verifyAudit(store)).toMatchObject({ ok: false, reason });
    });

    it("where the last line is gone, and its chain still says that it was there", async () => {
      const { store, sql } = await openAnchored();
      await sql.query(`delete from audit where number = (select max(number) from audit);
        update ends set number = (select max(number) from audit) where name = 'audit-last'`);
      const reason = expect.stringContaining("does not end with the line that was written last to it") as string;
      expect(await verifyAudit(store)).toMatchObject({ ok: false, reason });
    });

    it("where a line of the chain of earlier versions has a place, which no hash covers", async () => {
      const { store, sql } = await openAnchored({ hasMain: true });
      await sql.query("update audit set place = 7 where number = (select max(number) from audit where chain = 'main')");
      const reason = expect.stringContaining("it has not the place in its chain that follows") as string;
      expect(await verifyAudit(store)).toMatchObject({ ok: false, reason });
    });
  });

  it("are found to be edited, cut or removed, whichever chain it is, in the database and in a copy of it", async () => {
    const { stores, sql } = await openTwo();
    for (const store of stores) await keyAudit(store, keys);
    await write(stores, 5);
    await anchorAudit(stores[0]);
    await write(stores, 1, "later");
    await anchorAudit(stores[1]);
    expect(await verifyAudit(stores[0])).toMatchObject({ ok: true, chains: { anchors: 2 } });
    await sql.query(
      "create table kept as table audit; create table kept_chains as table audit_chains; create table kept_ends as table ends",
    );
    const chains = (await sql.query("select chain, count(*) from audit where chain <> 'anchors' group by chain order by chain")).rows;
    expect(chains).toHaveLength(4);
    for (const { chain } of chains)
      for (const [deed, statements] of Object.entries(deeds)) {
        await sql.query(statements.replaceAll("$chain", `'${String(chain)}'`));
        const check = await verifyAudit(stores[0]);
        expect(check, `${deed}: ${String(chain)}`).toMatchObject({ ok: false, reason: expect.stringMatching(/^Line \d+ of the audit: /) });
        await sql.query(
          "truncate audit, audit_chains, ends; insert into audit table kept; insert into audit_chains table kept_chains; insert into ends table kept_ends",
        );
      }
    const offline = await createSqliteStore({ path: ":memory:" });
    afterThisTest(() => offline.close());
    expect((await copyStore(stores[0], offline, { keys })).audit).toMatchObject({ ok: true, chains: { count: 5, anchors: 2 } });
    // The copy goes on with the one chain that a file has.
    await addToAudit(offline, [{ kind: "note", subject: "s", body: 1 }]);
    await keyAudit(offline, keys);
    expect(await verifyAudit(offline)).toMatchObject({ ok: true, chains: { count: 6 } });
    await sql.query(deeds["the end cut off, all numbered anew, and the ends moved"]!.replaceAll("$chain", `'${String(chains[0].chain)}'`));
    const cut = await createSqliteStore({ path: ":memory:" });
    afterThisTest(() => cut.close());
    expect((await copyStore(stores[0], cut, { keys })).audit).toMatchObject({ ok: false });
  });
});
