import { randomBytes } from "node:crypto";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAnswers } from "../../src/answers/answers.ts";
import { createCallLog } from "../../src/calls/call-log.ts";
import { createPresence } from "../../src/presence/presence.ts";
import { createStore, storeStats } from "../../src/store/create-store.ts";
import { createPostgresEngine, type PostgresEngineOptions } from "../../src/engines/postgres/postgres.ts";
import type { Engine } from "../../src/engine/engine.ts";
import type { Note } from "../../src/engine/notes.ts";
import { createPostgresStore } from "../../src/store/postgres.ts";
import type { BreadcrumbStore } from "../../src/store/store.ts";
import { newTicket } from "../../src/testing/contract/_ticket.ts";
import { createTickets } from "../../src/tickets/tickets.ts";
import { note, written } from "../../src/testing/contract/_samples.ts";

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
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

describe("the PostgreSQL engine", () => {
  async function openEngine(options: Partial<PostgresEngineOptions> = {}): Promise<Engine> {
    const schema = `engine_${randomBytes(6).toString("hex")}`;
    const engine = await createPostgresEngine({ connectionString: server.connectionString, schema, ...options });
    afterThisTest(() => engine.close());
    return engine;
  }
  const noteOf = (name: string, more: Partial<Note> = {}): Note => ({
    owner: "o",
    kind: "answer",
    name,
    holder: "s",
    endsAt: 50,
    body: "{}",
    ...more,
  });
  const plain = { lease: undefined, now: 10, most: 9, prefix: undefined };
  const page = { lines: [], key: undefined, owner: "o", removed: [], saved: [] };
  const row = { ...newTicket(), owner: "o" };

  it("says what it is, and what it uses", async () => {
    const engine = await openEngine({ maxConnections: 4 });
    expect([engine.kind, engine.hasChains, engine.pagesAtOnce]).toEqual(["postgres", true, 1]);
    const { queries, ...stats } = engine.stats();
    expect(stats).toEqual({
      kind: "postgres",
      wakeUps: "polling",
      pool: { max: 4, inUse: 0, idle: 1, waiting: 0 },
      listener: { connected: false },
    });
    expect(queries).toMatchObject({ failed: 0 });
    await engine.write((tx) => tx.save([]));
    expect(await engine.lastSequence()).toBe(0);
  });

  it("claims a note once, under a lease that is held, and settles and drops what the holder has", async () => {
    const engine = await openEngine();
    const { claim, settle, drop } = engine.claims!;
    const lease = { owner: "o", name: "server" };
    expect(await claim(noteOf("a"), { ...plain, lease })).toBe("lost");
    expect(await engine.note("o", "answer", "a")).toBeUndefined();
    await engine.writeAudit((tx) => tx.noteSighting("o", { name: "server", seenAt: 1, info: "{}" }));
    expect(await claim(noteOf("a", { endsAt: 50.9 }), { ...plain, lease })).toBe("claimed");
    expect(await engine.note("o", "answer", "a")).toEqual(noteOf("a"));
    expect(await claim(noteOf("a", { body: "new" }), plain)).toBe("taken");
    expect(await settle(noteOf("a", { holder: "", endsAt: undefined, body: "done" }), "other")).toBe(false);
    expect(await settle(noteOf("a", { holder: "", endsAt: undefined, body: "done" }), "s")).toBe(true);
    expect(await engine.note("o", "answer", "a")).toEqual(noteOf("a", { holder: "", endsAt: undefined, body: "done" }));
    expect(await claim(noteOf("b"), plain)).toBe("claimed");
    expect([await drop(noteOf("b"), "other"), await drop(noteOf("b"), "s"), await drop(noteOf("b"), "s")]).toEqual([false, true, false]);
  });

  it("drops what expired, and the first to expire of too many, with a claim that succeeds", async () => {
    const engine = await openEngine();
    const free = (name: string, endsAt: number): Note => noteOf(name, { holder: "", endsAt });
    await engine.writeAudit((tx) => tx.saveNotes([free("x1", 20), free("x2", 40), free("x3", 30), free("y1", 25), free("x0", 10)]));
    const names = async (): Promise<string[]> => (await engine.notes("o", "answer", 99)).map(({ name }) => name);
    expect(await engine.claims!.claim(noteOf("x1"), { ...plain, now: 10.9, most: 1, prefix: "x" })).toBe("taken");
    expect(await names()).toEqual(["x0", "x1", "x2", "x3", "y1"]);
    expect(await engine.claims!.claim(noteOf("x4"), { ...plain, now: 10.9, most: 2, prefix: "x" })).toBe("claimed");
    expect(await names()).toEqual(["x2", "x3", "x4", "y1"]);
    expect(await engine.claims!.claim(noteOf("z"), { ...plain, most: 0 })).toBe("claimed");
    expect(await names()).toEqual(["x2", "x3", "x4", "y1", "z"]);
  });

  it("tells its own listeners of records at once, whether or not messages arrive", async () => {
    const engine = await openEngine({ listenConnectionString: "postgres://postgres@127.0.0.1:9/postgres", pollMs: 3_600_000 });
    let woken = 0;
    const stop = engine.onWake(() => (woken += 1));
    await engine.write(async () => undefined);
    expect(woken).toBe(1);
    const store = createStore(engine);
    written(await store.put(note("a"))); // without a transaction
    expect(woken).toBe(2);
    stop();
    await engine.write(async () => undefined);
    expect(woken).toBe(2);
  });

  it("tells of a ticket by its name, until that is not wanted any more", async () => {
    const engine = await openEngine({ pollMs: 3_600_000 });
    const told: unknown[] = [];
    const stop = engine.onTicket((ticket) => told.push(ticket?.name));
    await until(() => engine.stats().wakeUps === "listen");
    told.length = 0;
    await engine.writeAudit((tx) => tx.addTicket({ ...row, name: "in-transaction" }, { most: 9, now: 0 }));
    await engine.ticketChanges!.addTicket({ ...row, name: "alone" }, { most: 9, now: 0 });
    expect(await engine.ticketChanges!.addTicket({ ...row, name: "alone" }, { most: 9, now: 0 })).toBe("taken");
    await engine.ticketChanges!.removeTicket({ ...row, name: "alone" });
    await until(() => told.length >= 3);
    expect(told).toEqual(["in-transaction", "alone", "alone"]);
    stop();
    await engine.ticketChanges!.removeTicket({ ...row, name: "in-transaction" });
    await engine.writeAudit((tx) => tx.lockNotes());
    expect(told).toHaveLength(3);
  });

  it("gives up the turn of a writer after the time of a statement", async () => {
    const engine = await openEngine({ statementTimeoutMs: 1_000 });
    let end = (): void => undefined;
    const hanging = engine.write(() => new Promise<void>((resolve) => (end = resolve))).catch(() => undefined);
    await expect(engine.write(async () => 1)).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: "Others have been writing to the database for too long. Nothing was written; try again.",
    });
    expect(engine.stats().queries.lastFailure?.reason).toMatch(/^Others have been writing/);
    end();
    await hanging;
  });

  it("waits for what is under way when it is closed, and refuses everything afterwards", async () => {
    const engine = await openEngine();
    let [isDone, isClosed] = [false, false];
    let end: (() => void) | undefined;
    const writing = engine.writeAudit(() => new Promise<void>((resolve) => (end = resolve))).then(() => (isDone = true));
    await until(() => end !== undefined);
    const closing = engine.close().then(() => (isClosed = true));
    expect(isClosed).toBe(false);
    end!();
    await closing;
    expect(isDone).toBe(true);
    await writing;
    await engine.close();
    const refused = [
      () => engine.write(async () => 1),
      () => engine.write((tx) => tx.head("o", "a"), { mayRunAgain: true }),
      () => engine.writeAudit(async () => 1),
      () => engine.writeAudit(async () => 1, { isLong: true }),
      () => engine.writeLog(page),
      () => engine.snapshot(async () => 1),
      () => engine.lastSequence(),
      () => engine.claims!.claim(noteOf("a"), plain),
      () => engine.claims!.settle(noteOf("a"), "s"),
      () => engine.claims!.drop(noteOf("a"), "s"),
      () => engine.ticketChanges!.addTicket(row, { most: 1, now: 0 }),
      () => engine.ticketChanges!.replaceTicket(row, 1),
      () => engine.ticketChanges!.removeTicket(row),
    ];
    for (const work of refused)
      await expect((async () => work())()).rejects.toMatchObject({ code: "STORE_CLOSED", message: "The store was closed. Open it again." });
  });

  it("names the reason and the fact to who opens it in vain", async () => {
    const opening = createPostgresEngine({ connectionString: "postgres://postgres@127.0.0.1:9/postgres" });
    await expect(opening).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message:
        "The PostgreSQL store cannot be opened (connect ECONNREFUSED 127.0.0.1:9). No connection to the database can be opened. Try again in a moment.",
      cause: { code: "ECONNREFUSED" },
    });
  });
});
