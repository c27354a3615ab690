import { hasPart } from "@toolrack/core/testing";
import { isPgBouncerThere, startPgBouncer, type TestPgBouncer } from "@toolrack/testkit/pgbouncer";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresEngine, type PostgresEngineOptions } from "../src/engines/postgres/postgres.ts";
import { storeStats } from "../src/store/create-store.ts";
import { createPostgresStore, type PostgresStoreOptions } from "../src/store/postgres.ts";
import type { BreadcrumbStore } from "../src/store/store.ts";
import { expectOutage } from "./_outages.ts";
import { note, take, written } from "../src/testing/contract/_samples.ts";
import { engineContract } from "../src/testing/engine-contract.ts";
import { runChecks } from "./_contract.ts";
import { createSchemas } from "./_schemas.ts";

let server: TestPostgres;
let pooler: TestPgBouncer;
/** Ignores what it does not know instead of refusing it. */
let silent: TestPgBouncer;
let count = 0;
const freshSchema = (): string => `pooled_${process.pid}_${Date.now().toString(36)}_${count++}`;

/** These contain every kind of statement. */
const shortGroups = new Set([
  "transactions of the engine",
  "records",
  "writers at the same time",
  "the feed",
  "presence",
  "calls that run",
  "the lease of a server",
  "first answers",
  "a shared database",
]);

const isThere = hasPart("pgbouncer", isPgBouncerThere);

describe.skipIf(!isThere)("a store behind PgBouncer in transaction mode", () => {
  beforeAll(async () => {
    server = await startPostgres();
    pooler = await startPgBouncer(server.connectionString);
    silent = await startPgBouncer(server.connectionString, [
      "ignore_startup_parameters = options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout",
    ]);
  });
  afterAll(async () => {
    await pooler?.stop();
    await silent?.stop();
    await server?.stop();
  });

  const open = (options: Partial<PostgresStoreOptions> = {}): Promise<BreadcrumbStore> =>
    createPostgresStore({ connectionString: pooler.connectionString, schema: freshSchema(), maxConnections: 5, ...options });

  const openEngine = (options: Partial<PostgresEngineOptions>) =>
    createPostgresEngine({ connectionString: pooler.connectionString, maxConnections: 5, ...options });
  const schemas = createSchemas(
    () => server,
    freshSchema,
    (schema) => openEngine({ schema }),
  );
  const heard = createSchemas(
    () => server,
    freshSchema,
    (schema) => openEngine({ schema, listenConnectionString: server.connectionString }),
  );
  afterAll(async () => {
    await schemas.close();
    await heard.close();
  });
  const checks = engineContract(async () => (await schemas.open(1))[0]!, {
    async openTwo() {
      const [one, other] = await heard.open(2);
      return [one!, other!];
    },
  });
  // The whole contract through the pooler takes long, and says little more: npm run test:long -- stores.
  const isLong = process.env["TOOLRACK_LONG"] === "1";
  runChecks(checks.filter(({ group }) => isLong || shortGroups.has(group)));

  it("PB1: knows that LISTEN does not work there, and hears of changes by asking", async () => {
    const schema = freshSchema();
    const [here, there] = [await open({ schema, pollMs: 50 }), await open({ schema, pollMs: 50 })];
    const seen = take(there, 3);
    for (const id of ["a", "b", "c"]) written(await here.put(note(id)));
    expect((await seen).map(({ record }) => record.id)).toEqual(["a", "b", "c"]);
    await expect.poll(() => storeStats(there).listener).toEqual({ connected: true });
    expect(storeStats(there).wakeUps).toBe("polling");
    for (const store of [here, there]) await store.close();
  });

  it("PB2: hears of changes over a direct connection, and says so", async () => {
    const options = { schema: freshSchema(), listenConnectionString: server.connectionString, pollMs: 3_600_000 };
    const [here, there] = [await open(options), await open(options)];
    const seen = take(there, 2);
    await expect.poll(() => storeStats(there).wakeUps).toBe("listen");
    for (const id of ["a", "b"]) written(await here.put(note(id)));
    expect((await seen).map(({ record }) => record.id)).toEqual(["a", "b"]);
    for (const store of [here, there]) await store.close();
  });

  it("PB3: puts every table into its schema, also where the pooler ignores the settings of a connection", async () => {
    for (const { connectionString } of [pooler, silent]) {
      const schema = freshSchema();
      const store = await open({ connectionString, schema });
      written(await store.put(note("a")));
      await store.close();
      const client = new pg.Client({ connectionString: server.connectionString });
      await client.connect();
      const { rows } = await client.query("select table_schema from information_schema.tables where table_name = 'breadcrumbs'");
      expect(rows.map((row: { table_schema: string }) => row.table_schema)).toContain(schema);
      expect(rows.map((row: { table_schema: string }) => row.table_schema)).not.toContain("public");
      await client.end();
    }
  });

  it("PB4: has limits for its transactions, and leaves none on connections that others use afterwards", async () => {
    for (const { connectionString } of [pooler, silent]) {
      const schema = freshSchema();
      const store = await open({ connectionString, schema, statementTimeoutMs: 5_000, lockTimeoutMs: 150 });
      const client = new pg.Client({ connectionString: server.connectionString });
      await client.connect();
      await client.query("begin");
      await client.query(`lock table ${schema}.ends in access exclusive mode`);
      expect((await expectOutage(store.put(note("a")), "STORE_UNAVAILABLE")).message).toMatch(/locked/);
      await client.query("rollback");
      written(await store.put(note("a")));
      const others = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const other = new pg.Client({ connectionString });
          await other.connect();
          const { rows } = await other.query<{ lock_timeout: string }>(
            "select current_setting('lock_timeout') as lock_timeout, pg_sleep(0.05)",
          );
          await other.end();
          return rows[0]!.lock_timeout;
        }),
      );
      expect(new Set(others)).toEqual(new Set(["0"]));
      await client.end();
      await store.close();
    }
  });
});

describe("a store whose tables an earlier version put elsewhere", () => {
  // A server that is not ours may have anything in its schema "public".
  it.skipIf(process.env["DATABASE_URL"])("PB5: is not begun anew: it says where they are, and goes on with them when told to", async () => {
    const own = await startPostgres();
    const options = { connectionString: own.connectionString };
    const before = await createPostgresStore({ ...options, schema: "public" });
    written(await before.put(note("a")));
    await before.close();
    const client = new pg.Client(options);
    await client.connect();
    await client.query("create schema toolrack"); // as the earlier version left it
    await expect(createPostgresStore(options)).rejects.toMatchObject({
      code: "STORE_INCOMPATIBLE",
      message: expect.stringMatching(/"public".*store\.schema/) as string,
    });
    const after = await createPostgresStore({ ...options, schema: "public" });
    expect(await after.get("a")).toBeDefined();
    await after.close();
    const anew = await createPostgresStore({ ...options, schema: "toolrack" });
    expect(await anew.get("a")).toBeUndefined();
    await anew.close();
    await (await createPostgresStore(options)).close(); // there is no doubt any more
    await client.end();
    await own.stop();
  });
});
