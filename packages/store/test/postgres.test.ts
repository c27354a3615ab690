import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { until, untilLater } from "@toolrack/testkit/until";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCallLog } from "../src/calls/call-log.ts";
import { migrate } from "../src/engines/_sql/migrate.ts";
import { migrations } from "../src/engines/_sql/migrations.ts";
import type { Tables } from "../src/engines/_sql/tables.ts";
import { postgresParts } from "../src/engines/postgres/parts.ts";
import { createPostgresEngine } from "../src/engines/postgres/postgres.ts";
import { createPostgresStore } from "../src/store/postgres.ts";
import { newTicket } from "../src/testing/contract/_ticket.ts";
import { note, written } from "../src/testing/contract/_samples.ts";
import { engineContract } from "../src/testing/engine-contract.ts";
import { createTickets } from "../src/tickets/tickets.ts";
import { runChecks } from "./_contract.ts";
import { createSchemas } from "./_schemas.ts";

let server: TestPostgres;
let count = 0;

/** A name that no other run on the same server has. */
const freshSchema = (): string => `test_${process.pid}_${Date.now().toString(36)}_${count++}`;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => {
  await server?.stop();
});

describe("the PostgreSQL store", () => {
  const open = (schema: string) => createPostgresStore({ connectionString: server.connectionString, schema, maxConnections: 5 });

  const openEngine = (schema: string) => createPostgresEngine({ connectionString: server.connectionString, schema, maxConnections: 5 });
  const schemas = createSchemas(() => server, freshSchema, openEngine);
  afterAll(() => schemas.close());

  runChecks(
    engineContract(async () => (await schemas.open(1))[0]!, {
      async openTwo() {
        const [one, other] = await schemas.open(2);
        return [one!, other!];
      },
    }),
  );

  it("goes on where somebody else sends messages over its channel, which every user of the database may", async () => {
    const schema = freshSchema();
    const [here, there] = [await open(schema), await open(schema)];
    const tickets = createTickets(here);
    const task = newTicket();
    await tickets.add(task);
    let told = 0;
    const stop = tickets.watch("task", task.name, 1, () => (told += 1));
    const stranger = new pg.Client({ connectionString: server.connectionString });
    await stranger.connect();
    const messages = ["{", "null", "5", "[]", '[null,"task","one"]', '["local","__proto__","one"]', '["local","task",{"toString":1}]'];
    for (const message of messages) await stranger.query("select pg_notify($1, $2)", [`toolrack_${schema}`, `ticket:${message}`]);
    await stranger.end();
    await createTickets(there).replace({ ...task, version: 2 });
    await until(() => told > 0);
    stop();
    for (const store of [here, there]) await store.close();
  });

  it("leaves nothing behind of a migration that failed half-way, and takes it up again", async () => {
    const schema = freshSchema();
    const pool = new pg.Pool({ connectionString: server.connectionString, options: `-c search_path=${schema}` });
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
    const tables = () => pool.query("select table_name from information_schema.tables where table_schema = $1", [schema]);
    await pool.query(`create schema ${schema}`);
    const broken = { name: "9998-broken", up: () => Promise.reject(new Error("the machine stopped")) };
    const migrating = db.transaction().execute((tx) => migrate(tx, postgresParts, [...migrations, broken]));
    await expect(migrating).rejects.toThrow("the machine stopped");
    expect((await tables()).rows).toEqual([]);
    await db.destroy();
    const stores = await Promise.all([open(schema), open(schema)]); // two that find it so at the same time
    written(await stores[0].put(note("a")));
    expect((await stores[1].get("a"))?.version).toBe(1);
    for (const store of stores) await store.close();
  });

  it("refuses a database schema whose name could be anything else", async () => {
    await expect(open('x"; drop schema public; --')).rejects.toMatchObject({ code: "QUERY_INVALID" });
  });

  it("answers a clear, retryable error when no server is there", async () => {
    const store = createPostgresStore({ connectionString: "postgres://postgres@127.0.0.1:9/postgres" });
    await expect(store).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", retryable: true });
  });

  it("gives up also a call whose begin a server that was killed left to be committed", async () => {
    const schema = freshSchema();
    const store = await open(schema);
    const calls = createCallLog(store);
    const client = new pg.Client({ connectionString: server.connectionString, options: `-c search_path=${schema}` });
    await client.connect();
    await client.query("begin");
    const body = JSON.stringify([{ callId: "late", tool: "t", startedAt: 5, caller: {}, input: {} }]);
    await client.query("insert into notes values ($1, 'running', 'n', 'dead', null, $2)", [store.actor.owner, body]);
    let isOver = false;
    const abandoning = calls.abandon("dead").finally(() => (isOver = true));
    const blocked = "select 1 from pg_stat_activity where $1 = any (pg_blocking_pids(pid))";
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    await until(async () => (await client.query(blocked, [rows[0]!.pid])).rows.length > 0, "It does not wait for the other.");
    expect(isOver).toBe(false);
    await client.query("commit");
    expect(await abandoning).toBe(1);
    expect(await calls.show("late")).toMatchObject({ ok: false, code: "ABORTED" });
    await client.end();
    await store.close();
  });

  it("goes on after a restart under load: writers succeed or may retry, readers miss and repeat nothing", async () => {
    if (server.restart === undefined) return; // The server behind DATABASE_URL is not ours to restart.
    const store = await open(freshSchema());
    const controller = new AbortController();
    const seen: string[] = [];
    const sequences: number[] = [];
    const reading = (async () => {
      for await (const { sequence, record } of store.changes({ since: 0, signal: controller.signal })) {
        sequences.push(sequence);
        seen.push(record.id);
      }
    })();
    const acknowledged: string[] = [];
    let isOver = false;
    let refused = 0;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let index = 0; !isOver; index++) {
        const id = `w${writer}-${index}`;
        try {
          written(await store.put(note(id)));
          acknowledged.push(id);
        } catch (error) {
          expect(error).toMatchObject({ code: "STORE_UNAVAILABLE", retryable: true });
          refused += 1;
          await untilLater(20); // As a client that tries again would: trying without a pause costs the test more than the restart.
        }
      }
    });
    const moreWritten = async (): Promise<void> => {
      const before = acknowledged.length;
      await until(() => acknowledged.length > before + 5, "Nothing was written.");
    };
    await moreWritten();
    await server.restart("SIGINT");
    await moreWritten();
    await server.restart("SIGQUIT");
    await moreWritten();
    isOver = true;
    await Promise.all(writers);
    // A connection that the restart cut may say so only when it is used again.
    let last = 0;
    await until(async () => (last = await store.sequence().catch(() => 0)) > 0, "The server did not come back.");
    await until(() => sequences.length >= last, "Not every change was read.");
    controller.abort();
    await reading;
    expect(refused).toBeGreaterThan(0);
    expect(acknowledged.length).toBeGreaterThan(10);
    expect(sequences).toEqual(Array.from({ length: last }, (_, index) => index + 1));
    expect(acknowledged.filter((id) => !seen.includes(id))).toEqual([]);
    await store.close();
  });
});
