import { join } from "node:path";
import { hasPart } from "@toolrack/core/testing";
import { createMemoryStore } from "@toolrack/store";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { createDatabase } from "@toolrack/testkit/databases";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { startOwnPostgres, startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { canMount, createSmallDisk } from "@toolrack/testkit/small-disk";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Rack } from "../../../src/rack/rack.ts";
import { createReadiness, type Readiness, type ReadinessOptions, type ReadinessReport } from "../../../src/rack/cluster/readiness.ts";

const key = Buffer.alloc(32, 1).toString("base64");

/** The first report for which this is so. */
async function reportWhen(rack: Rack, isSo: (report: ReadinessReport) => boolean): Promise<ReadinessReport> {
  let report = await rack.readiness.check();
  await until(async () => isSo((report = await rack.readiness.check())), "The readiness did not change.");
  return report;
}

/** Of a store in memory that has its master key, with these options. */
function readinessOf(options: Partial<ReadinessOptions>): Readiness {
  const nothing = (): undefined => undefined;
  return createReadiness({
    store: createMemoryStore(),
    servers: { name: "one" },
    masterKey: { check: async () => ({}) as never, explain: nothing },
    sources: () => [],
    file: undefined,
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    ...options,
  });
}

describe("a server on SQLite", () => {
  it.skipIf(!hasPart("the right to mount", canMount))(
    "is not ready while its disk is full, and is again when there is room (needs the right to mount)",
    async () => {
      const disk = createSmallDisk("16m");
      afterThisTest(() => disk.remove());
      const { folder } = disk;
      const rack = await openTestRack({ folder, config: { store: { sqlite: "data/toolrack.db" } } });
      expect(await rack.readiness.check()).toMatchObject({ isReady: true, checks: { store: "ok" } });
      disk.fill();
      const full = await reportWhen(rack, ({ isReady }) => !isReady);
      expect(full.checks.store).not.toBe("ok");
      expect(full.problems.join(" ")).not.toContain(folder);
      expect(await rack.store.sequence()).toBeTypeOf("number");
      disk.free();
      await reportWhen(rack, ({ isReady }) => isReady);
    },
  );
});

describe("a server on PostgreSQL", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  async function admin<Result>(work: (client: pg.Client) => Promise<Result>, connectionString = server.connectionString): Promise<Result> {
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  async function freshDatabase(): Promise<{ readonly name: string; readonly url: string }> {
    const url = await createDatabase(server);
    return { name: new URL(url).pathname.slice(1), url };
  }

  it("is not ready while its database takes no writes, although it can be read", async () => {
    const { name, url } = await freshDatabase();
    const lines: [string, unknown][] = [];
    const note = (text: string, facts?: unknown): void => void lines.push([text, facts]);
    const log = { debug: () => undefined, info: note, warn: note, error: note };
    const rack = await openTestRack({ environment: { DATABASE_URL: url, TOOLRACK_MASTER_KEY: key }, config: {}, log });
    expect(await rack.readiness.check()).toMatchObject({ isReady: true });
    const setReadOnly = (isReadOnly: boolean): Promise<unknown> =>
      admin(async (client) => {
        await client.query(`alter database ${name} set default_transaction_read_only = ${isReadOnly ? "on" : "off"}`);
        await client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
      });
    await setReadOnly(true);
    const report = await reportWhen(rack, ({ isReady, checks }) => !isReady && checks.store === "read-only");
    expect(report).toMatchObject({ isReady: false, checks: { masterKey: "ok", migrations: "ok" } });
    expect(report.problems).toEqual([expect.stringContaining("not written to")]);
    await rack.readiness.check();
    expect(
      lines.filter(([text, facts]) => text.includes("The server is not ready") && JSON.stringify(facts).includes("read-only")),
    ).toHaveLength(1);
    await setReadOnly(false);
    await reportWhen(rack, ({ isReady }) => isReady);
    expect(lines.filter(([text]) => text.includes("ready again"))).toHaveLength(1);
  });

  it("stays ready, and is slow, while writes hang, and is asked once however many ask", async () => {
    const { url } = await freshDatabase();
    const rack = await openTestRack({ environment: { DATABASE_URL: url, TOOLRACK_MASTER_KEY: key }, config: {} });
    expect(await rack.readiness.check()).toMatchObject({ isReady: true });
    await admin(async (client) => {
      await client.query("begin");
      await client.query("lock table toolrack.presence in access exclusive mode");
      const report = await reportWhen(rack, ({ checks }) => checks.store !== "ok");
      expect(report).toMatchObject({ isReady: true, checks: { store: "slow" } });
      expect(report.problems).toEqual([expect.stringContaining("more than two seconds to answer")]);
      let asked = 0;
      const servers = {
        get name() {
          asked++;
          return "another";
        },
      };
      const readiness = readinessOf({ store: rack.store, servers });
      const reports = new Set<ReadinessReport>();
      await until(async () => {
        for (const one of await Promise.all(Array.from({ length: 100 }, () => readiness.check()))) reports.add(one);
        return reports.size === 3;
      });
      expect([...reports].map(({ checks }) => checks.store)).toEqual(["unavailable", "unavailable", "unavailable"]);
      // As long as it has not answered. The database gives a write up at some time.
      expect(asked).toBeLessThan(3);
      await client.query("rollback");
    }, url);
    await reportWhen(rack, ({ checks }) => checks.store === "ok");
  });

  it.skipIf(!hasPart("the right to mount", canMount))(
    "is not ready while the disk of the database is full, and is again when there is room (needs the right to mount)",
    async () => {
      const disk = createSmallDisk("160m");
      afterThisTest(() => disk.remove());
      const small = await startOwnPostgres({ folder: disk.folder });
      afterThisTest(() => small.stop());
      const rack = await openTestRack({ environment: { DATABASE_URL: small.connectionString }, config: {} });
      expect(await rack.readiness.check()).toMatchObject({ isReady: true });
      disk.fill();
      expect((await reportWhen(rack, ({ isReady }) => !isReady)).checks.store).toBe("full");
      disk.free();
      await reportWhen(rack, ({ isReady }) => isReady);
    },
  );

  it("goes on where a newer version brought the tables further, and is not ready where a step is missing", async () => {
    const { url } = await freshDatabase();
    const rack = await openTestRack({ environment: { DATABASE_URL: url, TOOLRACK_MASTER_KEY: key }, config: {} });
    await admin((client) => client.query("insert into toolrack.migrations values ('9999-newer', '')"), url);
    expect(await rack.readiness.check()).toMatchObject({ isReady: true, checks: { migrations: "newer" } });
    await admin(
      (client) =>
        client.query("delete from toolrack.migrations where name in (select name from toolrack.migrations order by name limit 2)"),
      url,
    );
    await reportWhen(rack, ({ isReady, checks }) => !isReady && checks.migrations === "missing");
  });
});

it.skipIf(process.platform !== "linux")("is not ready where its disk has no room left, although a row still fits", async () => {
  const readiness = (file: string) => readinessOf({ file }).check();
  expect(await readiness(join(temporaryFolder(), "a.db"))).toMatchObject({ isReady: true, checks: { store: "ok" } });
  // A file system that says that no block of it is free.
  expect(await readiness("/proc/a.db")).toMatchObject({ isReady: false, checks: { store: "full" } });
});
