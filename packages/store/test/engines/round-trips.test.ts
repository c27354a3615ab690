import { randomBytes } from "node:crypto";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAnswers } from "../../src/answers/answers.ts";
import { createCallLog } from "../../src/calls/call-log.ts";
import { createPresence } from "../../src/presence/presence.ts";
import { storeStats } from "../../src/store/create-store.ts";
import { createPostgresStore } from "../../src/store/postgres.ts";
import type { BreadcrumbStore } from "../../src/store/store.ts";
import { newTicket } from "../../src/testing/contract/_ticket.ts";
import { createTickets } from "../../src/tickets/tickets.ts";
import { note, written } from "../../src/testing/contract/_samples.ts";

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
}, 120_000);
afterAll(async () => {
  await server?.stop();
});

async function open(): Promise<BreadcrumbStore> {
  const schema = `trips_${randomBytes(6).toString("hex")}`;
  const store = await createPostgresStore({ connectionString: server.connectionString, schema });
  afterThisTest(() => store.close());
  const before = storeStats(store).queries.count;
  await until(() => storeStats(store).queries.count > before); // it has looked for what expires
  return store;
}

async function openBoth(): Promise<readonly [BreadcrumbStore, BreadcrumbStore]> {
  const schema = `trips_${randomBytes(6).toString("hex")}`;
  const openOne = async (): Promise<BreadcrumbStore> => {
    const store = await createPostgresStore({ connectionString: server.connectionString, schema });
    afterThisTest(() => store.close());
    return store;
  };
  return [await openOne(), await openOne()];
}

/** How many messages to the database it took: the engine counts each that it waits for. */
async function tripsOf(store: BreadcrumbStore, work: () => Promise<unknown>): Promise<number> {
  const before = storeStats(store).queries.count;
  await work();
  return storeStats(store).queries.count - before;
}

describe("round trips to PostgreSQL", () => {
  it("are two for a record: what is there, and what is written if that is still so", async () => {
    const store = await open();
    expect(await tripsOf(store, async () => written(await store.put(note("a", { tags: ["one", "two"] }))))).toBe(2);
    expect(await tripsOf(store, async () => written(await store.put(note("a", { version: 1, tags: ["two", "three"] }))))).toBe(2);
    expect(await tripsOf(store, async () => written(await store.remove("a")))).toBe(2);
  });

  it("are two for many records that are written at the same time", async () => {
    const store = await open();
    const put = async (index: number): Promise<void> => void written(await store.put(note(`n${index}`)));
    const trips = await tripsOf(store, () => Promise.all(Array.from({ length: 32 }, (_, index) => put(index))));
    expect(trips).toBe(2);
    expect(await store.sequence()).toBe(32);
  });

  it("give each of many that are written together its own outcome, also where one is refused", async () => {
    const store = await open();
    written(await store.put(note("held")));
    const outcomes = await Promise.allSettled([
      store.put(note("a")),
      store.put(note("held")), // is there already
      store.put({ ...note("tool-catalog") }), // cannot be written
      store.as({ owner: "local", agent: "x", roles: ["emitter"] }).put(note("held", { version: 1 })), // is another's
      store.put(note("b")),
      store.put(note("a", { version: 1 })), // sees the first one
    ]);
    expect(outcomes.map((one) => (one.status === "rejected" ? one.reason.code : one.value.ok || one.value.code))).toEqual([
      true,
      "conflict",
      "FORBIDDEN",
      "FORBIDDEN",
      true,
      true,
    ]);
    expect(await store.sequence()).toBe(4);
  });

  it("lose no write where servers change one record at the same time, and count no failure of the database", async () => {
    const [one, other] = await openBoth();
    written(await one.put(note("a")));
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : other).mergeContext("a", { [`k${index}`]: index })),
    );
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    const { version, context } = (await one.get("a"))!;
    expect(version).toBe(21);
    expect(Object.keys(context).filter((key) => key.startsWith("k"))).toHaveLength(20);
    expect(await other.sequence()).toBe(21);
    expect(storeStats(one).queries.failed + storeStats(other).queries.failed).toBe(0);
  });

  it("are two for a request with a key: one to claim it, under the lease of its server, and one for the answer", async () => {
    const store = await open();
    await createPresence(store).report("one");
    const lease = { owner: store.actor.owner, name: "one", lost: async () => undefined };
    const answers = createAnswers(store, { server: lease });
    const ask = (key: string) => answers.once({ key, caller: "ann", request: { key }, make: async () => `answer to ${key}` });
    await ask("first"); // looks at all keys, too
    expect(await tripsOf(store, () => ask("second"))).toBe(2);
    expect(await ask("second")).toEqual({ outcome: "answered", isFirst: false, value: "answer to second" });
    await createPresence(store).leave("one");
    await expect(
      createAnswers(store, { server: { ...lease, lost: () => Promise.reject(new Error("gone")) } }).once({
        key: "a",
        request: 1,
        make: async () => 1,
      }),
    ).rejects.toThrow("gone");
  });

  it("is one for each change of a ticket, with the message to those who wait for it", async () => {
    const store = await open();
    const tickets = createTickets(store);
    expect(await tripsOf(store, () => tickets.add(newTicket(), 100))).toBe(1);
    expect(await tripsOf(store, () => tickets.replace(newTicket({ version: 2 })))).toBe(1);
    expect(await tripsOf(store, () => tickets.get("task", "one"))).toBe(1);
    expect(await tripsOf(store, () => tickets.remove("task", "one"))).toBe(1);
  });

  it("is one for a page of calls, with its lines, their chain, the notes of running calls and the lease", async () => {
    const store = await open();
    const calls = createCallLog(store, { server: "one" });
    const start = { callId: "c", tool: "t", input: {}, caller: {}, startedAt: 5 };
    expect(await tripsOf(store, () => calls.begin!(start))).toBe(1);
    const result = { ok: true, content: "", meta: { callId: "c", tool: "t", durationMs: 1 } } as const;
    expect(await tripsOf(store, () => calls.record({ ...start, result }))).toBe(1);
  });
});
