import { chownSync } from "node:fs";
import { hasPart } from "@toolrack/core/testing";
import { type PostgresFaults, startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { canMount, createSmallDisk } from "@toolrack/testkit/small-disk";
import pg from "pg";
import { until } from "@toolrack/testkit/until";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { addToAudit } from "../src/audit/audit.ts";
import { storeStats } from "../src/store/create-store.ts";
import { createPostgresStore, type PostgresStoreOptions } from "../src/store/postgres.ts";
import type { BreadcrumbStore } from "../src/store/store.ts";
import { expectOutage } from "./_outages.ts";
import { note, written } from "../src/testing/contract/_samples.ts";

let server: TestPostgres;
let admin: pg.Pool;
let count = 0;
const opened: BreadcrumbStore[] = [];
const freshSchema = (): string => `outage_${process.pid}_${count++}`;

async function open(options: Partial<PostgresStoreOptions> = {}): Promise<BreadcrumbStore> {
  const store = await createPostgresStore({ connectionString: server.connectionString, schema: freshSchema(), ...options });
  opened.push(store);
  return store;
}

/** As a user of its own, which can be locked out. */
async function openAs(user: string): Promise<BreadcrumbStore> {
  await admin.query(`create role ${user} login`);
  await admin.query(`grant create on database postgres to ${user}`);
  return open({ connectionString: server.connectionString.replace("postgres@", `${user}@`) });
}

/** Until the database is there again. */
async function untilWritten(store: BreadcrumbStore, id: string): Promise<void> {
  await until(() =>
    store.put(note(id)).then(
      (put) => Boolean(written(put)),
      () => false,
    ),
  );
}

beforeAll(async () => {
  server = await startPostgres();
  admin = new pg.Pool({ connectionString: server.connectionString });
  admin.on("error", () => undefined);
  admin.on("connect", (client) => client.on("error", () => undefined));
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});
afterAll(async () => {
  await admin.end();
  await server.stop();
});

// The server behind DATABASE_URL is not ours to break.
describe.skipIf(process.env["DATABASE_URL"])("a PostgreSQL that cannot work", () => {
  const faults = (): PostgresFaults => server.faults!;

  it.each(["SIGINT", "SIGKILL"] as const)(
    "PG1: is answered with 503 while it is away (%s), and used again when it is back",
    async (signal) => {
      const store = await open();
      written(await store.put(note("a")));
      await faults().end(signal);
      const asked = [store.put(note("b")), store.get("a"), store.sequence(), addToAudit(store, [{ kind: "k", subject: "s", body: 1 }])];
      for (const error of await Promise.all(asked.map((work) => expectOutage(work, "STORE_UNAVAILABLE"))))
        expect(error.retryable).toBe(true);
      await expectOutage(store.put(note("c")), "STORE_UNAVAILABLE");
      await faults().start();
      await untilWritten(store, "d");
      expect(await store.get("b")).toBeUndefined();
      expect(storeStats(store).queries.lastFailure?.code).toBe("STORE_UNAVAILABLE");
    },
  );

  it("PG2: costs nobody more than a stated time when it hangs, and gets its connections back afterwards", async () => {
    const store = await open({ statementTimeoutMs: 300, lockTimeoutMs: 200, connectTimeoutMs: 300, maxConnections: 3 });
    written(await store.put(note("a")));
    await Promise.all([store.get("a"), store.get("a"), store.get("a")]);
    faults().pause();
    try {
      const waiting = [...Array.from({ length: 8 }, (_, index) => store.put(note(`b${index}`))), store.get("a"), store.get("a")];
      await Promise.all(waiting.map((work) => expectOutage(work, "STORE_UNAVAILABLE")));
    } finally {
      faults().resume();
    }
    await untilWritten(store, "c");
    await expect.poll(() => storeStats(store).pool).toMatchObject({ inUse: 0, waiting: 0 });
  });

  it("PG3: waits for a lock of another no longer than it may, and holds nothing afterwards", async () => {
    const schema = freshSchema();
    const store = await open({ schema, statementTimeoutMs: 5_000, lockTimeoutMs: 150 });
    written(await store.put(note("a")));
    const other = await admin.connect();
    await other.query("begin");
    await other.query(`lock table ${schema}.ends in access exclusive mode`);
    await expectOutage(store.put(note("b")), "STORE_UNAVAILABLE");
    await expectOutage(store.sequence(), "STORE_UNAVAILABLE");
    await other.query("rollback");
    other.release();
    written(await store.put(note("b")));
    expect(storeStats(store).pool).toMatchObject({ inUse: 0 });
  });

  it("PG3: ends a statement that takes too long, also inside of a transaction", async () => {
    const schema = freshSchema();
    const store = await open({ schema, statementTimeoutMs: 300, lockTimeoutMs: 60_000 });
    written(await store.put(note("a")));
    const other = await admin.connect();
    await other.query("begin");
    await other.query(`lock table ${schema}.ends in access exclusive mode`);
    expect((await expectOutage(store.put(note("b")), "STORE_UNAVAILABLE")).message).toMatch(/in time/);
    await expectOutage(store.sequence(), "STORE_UNAVAILABLE");
    await other.query("rollback");
    other.release();
    written(await store.put(note("b")));
  });

  it("PG3: waits longer for another server that migrates the tables", async () => {
    const schema = freshSchema();
    const other = await admin.connect();
    const lock = [`toolrack_${schema}`];
    await other.query("select pg_advisory_lock(hashtext($1))", lock);
    const opening = open({ schema, statementTimeoutMs: 100, lockTimeoutMs: 100 });
    const waitsLong = "select 1 from pg_locks where locktype = 'advisory' and not granted and waitstart < now() - interval '400 ms'";
    await until(async () => (await admin.query(waitsLong)).rows.length > 0, "It did not wait for longer than its limits.");
    await other.query("select pg_advisory_unlock(hashtext($1))", lock);
    other.release();
    expect(await (await opening).sequence()).toBe(0);
  });

  it("PG4: lets go of a lock whose holder stands still", async () => {
    const schema = freshSchema();
    const [still, other] = [await open({ schema, statementTimeoutMs: 1_000 }), await open({ schema })];
    let goOn = (): void => undefined;
    let holding = Promise.resolve();
    await new Promise<void>((resolve, reject) => {
      holding = still.transaction(async (tx) => {
        written(await tx.put(note("held")));
        resolve();
        await new Promise<void>((go) => (goOn = go));
        written(await tx.put(note("more")));
      });
      holding.catch(reject);
    });
    await untilWritten(other, "free");
    goOn();
    await expectOutage(holding, "STORE_UNAVAILABLE");
    expect(await other.get("held")).toBeUndefined();
  });

  it("PG5: says that it accepts no writes, and still answers reads", async () => {
    const store = await open();
    written(await store.put(note("a")));
    const setReadOnly = async (value: "on" | "off"): Promise<void> => {
      await admin.query(`alter system set default_transaction_read_only = ${value}`);
      await admin.query("select pg_reload_conf()");
    };
    await setReadOnly("on");
    try {
      let tries = 0;
      await expect.poll(() => store.put(note(`b${tries++}`)).catch((error: { code: string }) => error.code)).toBe("STORE_READ_ONLY");
      await expectOutage(store.put(note("b")), "STORE_READ_ONLY");
      expect(await store.get("a")).toBeDefined();
    } finally {
      await setReadOnly("off");
    }
    await untilWritten(store, "c");
  });

  it("PG6: says so when there are too many clients, when the user may not sign in any more, and when a connection is cut", async () => {
    const user = `outage_user_${process.pid}_${count}`;
    const store = await openAs(user);
    written(await store.put(note("a")));
    await admin.query(`alter role ${user} connection limit 1`);
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => store.get("a")));
    const failed = results.find(({ status }) => status === "rejected") as PromiseRejectedResult;
    await expectOutage(Promise.reject(failed.reason as Error), "STORE_UNAVAILABLE");
    await admin.query(`alter role ${user} connection limit -1 nologin`);
    await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = $1", [user]);
    await expectOutage(store.get("a"), "STORE_UNAVAILABLE");
    await expectOutage(store.put(note("b")), "STORE_UNAVAILABLE");
    await admin.query(`alter role ${user} login`);
    await untilWritten(store, "c");
    await expectOutage(
      store.transaction(async (tx) => {
        written(await tx.put(note("cut")));
        await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = $1", [user]);
        await tx.put(note("never"));
      }),
      "STORE_UNAVAILABLE",
    );
    await untilWritten(store, "d");
    expect(await store.get("cut")).toBeUndefined();
  });

  it.skipIf(!hasPart("the right to mount", canMount))("PG7: says that its disk is full, and goes on when it has space again", async () => {
    const disk = createSmallDisk("8m");
    try {
      const { user } = faults();
      if (user !== undefined) chownSync(disk.folder, user.uid, user.gid);
      await admin.query(`create tablespace small location '${disk.folder}'`);
      await admin.query("create database small tablespace = pg_default");
      await admin.query("alter database small set default_tablespace = small");
      const store = await open({ connectionString: server.connectionString.replace(/\/postgres$/, "/small") });
      written(await store.put(note("a")));
      disk.fill();
      const long = Array.from({ length: 4_000 }, (_, index) => Math.sin(index).toString(36)).join(" ");
      await expectOutage(
        (async () => {
          for (let index = 0; index < 200; index++) await store.put(note(`n${index}`, { context: { long } }));
        })(),
        "STORE_FULL",
      );
      await expectOutage(
        (async () => {
          for (let index = 0; index < 200; index++) await addToAudit(store, [{ kind: "k", subject: "s", body: long }]);
        })(),
        "STORE_FULL",
      );
      expect(await store.get("a")).toBeDefined();
      disk.free();
      written(await store.put(note("b", { context: { long } })));
      await store.close();
      await admin.query("drop database small with (force)");
      await admin.query("drop tablespace small");
    } finally {
      disk.remove();
    }
  });
});
