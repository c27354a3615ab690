import { type BreadcrumbStore, createCallLog, createLeases, createPostgresStore, createPresence } from "@toolrack/store";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { createDatabase } from "@toolrack/testkit/databases";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AbandonedCalls, followAbandoned } from "../../../src/rack/calls/abandoned.ts";
import { createLease, type OwnLease } from "../../../src/rack/cluster/lease.ts";

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.stop());

const times = { beatMs: 40, silentMs: 600 };

interface Looking {
  readonly store: BreadcrumbStore;
  readonly lease: OwnLease;
  readonly abandoned: AbandonedCalls;
  /** How often it looked, and how often it reported. */
  readonly counts: { looks: number; beats: number };
}

async function look(connectionString: string, given = times): Promise<Looking> {
  const store = await createPostgresStore({ connectionString });
  afterThisTest(() => store.close());
  const lease = createLease(store, () => ({}));
  await lease.arrive();
  const counts = { looks: 0, beats: 0 };
  const abandoned = followAbandoned({
    store,
    lease,
    calls: createCallLog(store, { server: lease }),
    approvals: { abandon: async () => [], servers: () => [] },
    tasks: { abandon: async () => 0, servers: async () => [] },
    programs: { abandon: async () => 0, servers: () => [] },
    log: { debug() {}, info() {}, warn() {}, error() {} },
    times: given,
    onStoreFailed: (error) => {
      throw error;
    },
    onEnd: () => undefined,
    onLost: () => undefined,
    onSwept: async () => void (counts.looks += 1),
    onBeat: async () => void (counts.beats += 1),
  });
  afterThisTest(() => abandoned.close());
  return { store, lease, abandoned, counts };
}

describe("servers of one database", () => {
  it("leave it to one of them to look for what others left behind, and another one takes over", async () => {
    const database = await createDatabase(postgres);
    // A busy machine may hold up a server for longer than a short lease lasts: then the other one takes over, rightly.
    const slow = { beatMs: 2_000, silentMs: 30_000 };
    const both = [await look(database, slow), await look(database, slow)];
    await until(() => both.every(({ counts }) => counts.beats >= 3));
    expect(both.map(({ counts }) => counts.looks > 0).sort()).toEqual([false, true]);
    const [first, second] = both.toSorted((a, b) => b.counts.looks - a.counts.looks);
    await first!.abandoned.close();
    await until(() => second!.counts.looks > 0);
  });

  it("end the calls of one on another machine in the time that was set, also if that one was the one who looked", async () => {
    const database = await createDatabase(postgres);
    const one = await look(database);
    await until(() => one.counts.looks > 0);
    await one.abandoned.close();
    // Of another machine: whether its process is there cannot be seen from here.
    const gone = createCallLog(one.store, { server: "elsewhere" });
    await createPresence(one.store).report("elsewhere");
    await gone.begin!({ callId: "call-1", tool: "t", input: {}, caller: {}, startedAt: 5 });
    const leases = createLeases(one.store);
    await until(async () => (await leases.acquire("sweep", "elsewhere", 2 * times.beatMs)) !== undefined);
    const two = await look(database);
    await until(async () => (await gone.show("call-1"))?.ok === false);
    expect(await gone.show("call-1")).toMatchObject({ ok: false, code: "ABORTED" });
    expect((await createPresence(two.store).list()).map(({ name }) => name)).toEqual([two.lease.name]);
  });

  it("each end the calls of a process of their own machine that is gone, whoever looks", async () => {
    const database = await createDatabase(postgres);
    const store = await createPostgresStore({ connectionString: database });
    afterThisTest(() => store.close());
    await createLeases(store).acquire("sweep", "paused", 600_000);
    const other = await look(database);
    // No process has this number.
    const name = `${other.lease.name.split("-")[0]}-${2 ** 22 + 1}-0123456789ab`;
    const gone = createCallLog(store, { server: name });
    await createPresence(store).report(name);
    await gone.begin!({ callId: "call-2", tool: "t", input: {}, caller: {}, startedAt: 5 });
    await until(async () => (await gone.show("call-2"))?.ok === false);
    expect(other.counts.looks).toBe(0);
  });
});
