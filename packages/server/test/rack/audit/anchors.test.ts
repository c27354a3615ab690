import { addToAudit, type BreadcrumbStore, createLeases, createMemoryStore, createPostgresStore, verifyAudit } from "@toolrack/store";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { createDatabase } from "@toolrack/testkit/databases";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keepAnchors } from "../../../src/rack/audit/anchors.ts";

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.stop());

const never = 2 ** 31 - 1;
const onStoreFailed = (error: unknown): never => {
  throw error;
};

async function openOn(connectionString: string): Promise<BreadcrumbStore> {
  const store = await createPostgresStore({ connectionString });
  afterThisTest(() => store.close());
  return store;
}

const write = (store: BreadcrumbStore, subject: string): Promise<void> => addToAudit(store, [{ kind: "note", subject, body: 1 }]);

async function anchorsOf(store: BreadcrumbStore): Promise<number> {
  const check = await verifyAudit(store);
  return check.ok ? check.chains.anchors : Number.NaN;
}

describe("the anchors of an audit with several chains", () => {
  it("are stated while a server runs, and state nothing where nothing was added", async () => {
    const store = await openOn(await createDatabase(postgres));
    const stop = keepAnchors({ store, server: { name: "one" }, onStoreFailed, everyMs: 20 });
    await write(store, "a");
    await until(async () => (await anchorsOf(store)) === 1);
    await write(store, "b");
    await until(async () => (await anchorsOf(store)) === 2);
    await stop();
    expect(await anchorsOf(store)).toBe(2);
  });

  it("are stated once more by a server that stops, which leaves the lease to the next one", async () => {
    const store = await openOn(await createDatabase(postgres));
    const stop = keepAnchors({ store, server: { name: "one" }, onStoreFailed, everyMs: never });
    await write(store, "a");
    expect(await anchorsOf(store)).toBe(0);
    await stop();
    expect(await anchorsOf(store)).toBe(1);
    expect(await createLeases(store).acquire("audit-anchor", "two", 1_000)).toBeDefined();
  });

  it("are not stated by a server while another one has the lease", async () => {
    const store = await openOn(await createDatabase(postgres));
    await createLeases(store).acquire("audit-anchor", "other", 600_000);
    const stop = keepAnchors({ store, server: { name: "one" }, onStoreFailed, everyMs: never });
    await write(store, "a");
    await stop();
    expect(await anchorsOf(store)).toBe(0);
  });
});

describe("an audit with one chain", () => {
  it("has no anchors, and nobody takes a lease for them", async () => {
    const store = await createMemoryStore();
    afterThisTest(() => store.close());
    const stop = keepAnchors({ store, server: { name: "one" }, onStoreFailed, everyMs: 1 });
    await write(store, "a");
    await stop();
    expect(await anchorsOf(store)).toBe(0);
    expect(await createLeases(store).acquire("audit-anchor", "two", 1_000)).toMatchObject({ token: 1 });
  });
});
