import { afterThisTest } from "@toolrack/testkit/cleanup";
import { recordTimers } from "@toolrack/testkit/record-timers";
import pg from "pg";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createQueryMeter } from "../../../src/engine/stats.ts";
import { limitPool, type StatementLimits } from "../../../src/engines/postgres/limited-pool.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  afterThisTest(() => vi.useRealTimers());
});

/** A connection that answers what the test tells it to. */
function fakeClient() {
  const waiting: { resolve(result: unknown): void; reject(error: unknown): void }[] = [];
  const client = {
    asked: [] as [text: string, values: unknown[]][],
    ends: 0,
    isStuck: false,
    released: [] as unknown[],
    query(text: string, values: unknown[]) {
      client.asked.push([text, values]);
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    /** As the driver: what is under way fails. */
    end() {
      client.ends += 1;
      if (!client.isStuck) for (const one of waiting.splice(0)) one.reject(new Error("Connection terminated"));
      return Promise.reject(new Error("it was gone already"));
    },
    release: (isGone: unknown) => void client.released.push(isGone),
    answer: (result: unknown) => waiting.shift()!.resolve(result),
    refuse: (error: unknown) => waiting.shift()!.reject(error),
  };
  return client;
}

async function open(limits: Partial<StatementLimits> = {}) {
  const client = fakeClient();
  const meter = createQueryMeter();
  const pool = { ending: false, connect: async () => client, end: vi.fn(async () => undefined) };
  const limited = limitPool(pool as unknown as pg.Pool, { statementMs: 2_000, lockMs: 700, inTransaction: false, ...limits }, meter);
  const connection = await limited.connect();
  const query = (text: string, values: unknown[] = []): Promise<unknown> => connection.query(text, values) as Promise<unknown>;
  return { client, meter, pool, limited, connection, query };
}

function state(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError("refused", 1, "error"), { code });
}

const settings = "set local statement_timeout = 2000;set local lock_timeout = 700;set local idle_in_transaction_session_timeout = 2000";

describe("a connection with limits", () => {
  it("passes statements and answers on, and counts them with their time", async () => {
    const { client, meter, query, connection } = await open();
    const answer = query("select $1", [1]);
    await vi.advanceTimersByTimeAsync(400);
    client.answer({ rows: [{ one: 1 }] });
    expect(await answer).toEqual({ rows: [{ one: 1 }] });
    expect(client.asked).toEqual([["select $1", [1]]]);
    expect(meter.stats()).toMatchObject({ count: 1, failed: 0, seconds: 0.4 });
    connection.release();
    expect(client.released).toEqual([false]);
  });

  it.each<[Partial<StatementLimits>, begin: string, commit: string]>([
    [{}, "begin", "commit"],
    [{ inTransaction: true }, `begin;${settings}`, "commit"],
    [{ first: "select 1" }, "begin;select 1", "commit"],
    [{ inTransaction: true, first: "select 1", last: "select 2" }, `begin;${settings};select 1`, "select 2;commit"],
  ])("begins and ends a transaction in one message each: %j", async (limits, begin, commit) => {
    const { client, query } = await open(limits);
    for (const text of ["begin", "select 5", "commit"]) {
      const answer = query(text);
      client.answer({ rows: [] });
      await answer;
    }
    expect(client.asked.map(([text]) => text)).toEqual([begin, "select 5", commit]);
  });

  it("stays of use after a statement that the server refused, and tells of the refusal", async () => {
    const { client, meter, query, connection } = await open();
    const cause = state("23505");
    const refused = expect(query("insert")).rejects.toMatchObject({ code: "STORE_FAILED", cause });
    client.refuse(cause);
    await refused;
    expect(meter.stats()).toMatchObject({ count: 1, failed: 1, lastFailure: { code: "STORE_FAILED", reason: "refused" } });
    const next = query("select 1");
    client.answer("next");
    expect(await next).toBe("next");
    connection.release();
    expect(client.released).toEqual([false]);
  });

  it("counts no failure where a statement of ours refuses to write, and every other one", async () => {
    const { client, meter, query } = await open({ refusal: "22012" });
    for (const [code, failed] of [
      ["22012", 0],
      ["23505", 1],
    ] as const) {
      const refused = expect(query("insert")).rejects.toMatchObject({ code: "STORE_FAILED" });
      client.refuse(state(code));
      await refused;
      expect(meter.stats().failed).toBe(failed);
    }
  });

  it("is given back as broken when it broke; until then each statement fails as the first did, and a rollback is done", async () => {
    const { client, meter, query, connection } = await open();
    const broken = query("select 1").catch((error: unknown) => error);
    client.refuse(new Error("read ECONNRESET"));
    expect(await broken).toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(await query("select 2").catch((error: unknown) => error)).toBe(await broken);
    expect(await query("rollback")).toEqual({ command: "ROLLBACK", rowCount: 0, rows: [] });
    expect(client.asked.map(([text]) => text)).toEqual(["select 1"]);
    expect(meter.stats()).toMatchObject({ count: 1, failed: 1 });
    connection.release();
    expect(client.released).toEqual([true]);
  });

  it("rolls back what it began where the statement after the begin fails", async () => {
    const { client, query } = await open({ first: "select lock" });
    const failed = expect(query("begin")).rejects.toMatchObject({ message: expect.stringContaining("locked") });
    client.refuse(state("55P03"));
    await vi.advanceTimersByTimeAsync(0);
    client.answer({ rows: [] });
    await failed;
    expect(client.asked.map(([text]) => text)).toEqual(["begin;select lock", "rollback"]);
  });

  it.each<[string, Partial<StatementLimits>, text: string, error: Error]>([
    ["nothing follows the begin", {}, "begin", state("55P03")],
    ["it is no begin", { first: "select lock" }, "select 1", state("55P03")],
    ["the connection is lost", { first: "select lock" }, "begin", new Error("read ECONNRESET")],
  ])("leaves the rollback to others where %s", async (_, limits, text, error) => {
    const { client, query } = await open(limits);
    const failed = expect(query(text)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    client.refuse(error);
    await failed;
    expect(client.asked).toHaveLength(1);
  });

  it("gives up on an answer a second after the server should have, and closes the connection", async () => {
    const { client, meter, query, connection } = await open();
    const late = query("select 1").catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(2_999);
    expect(client.ends).toBe(0);
    await vi.advanceTimersByTimeAsync(251);
    expect(client.ends).toBe(1);
    expect(await late).toMatchObject({ code: "STORE_UNAVAILABLE", message: expect.stringContaining("did not answer in time") });
    expect(await query("select 2").catch((error: unknown) => error)).toBe(await late);
    expect(meter.stats()).toMatchObject({ count: 1, failed: 1 });
    connection.release();
    expect(client.released).toEqual([true]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(client.ends).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("closes a connection once, also where that helps nothing", async () => {
    const { client, query } = await open();
    client.isStuck = true;
    void query("select 1");
    await vi.advanceTimersByTimeAsync(10_000);
    expect([client.ends, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it("looks for overdue answers four times a second while it waits for one, and not at all otherwise", async () => {
    const { client, query } = await open();
    const timers = recordTimers("setTimeout");
    for (const isRefused of [false, true]) {
      timers.mockClear();
      const answer = query("select 1").catch(() => undefined);
      await vi.advanceTimersByTimeAsync(1_100);
      expect(timers).toHaveBeenCalledTimes(5);
      for (const { value } of timers.mock.results) expect((value as NodeJS.Timeout).hasRef()).toBe(false);
      if (isRefused) client.refuse(state("23505"));
      else client.answer({ rows: [] });
      await answer;
      await vi.advanceTimersByTimeAsync(10_000);
      expect(vi.getTimerCount()).toBe(0);
    }
    expect(client.ends).toBe(0);
  });

  it("gives each statement its whole time, also beside others", async () => {
    const { client, query } = await open();
    for (let index = 0; index < 3; index++) {
      const answer = query(`select ${index}`);
      await vi.advanceTimersByTimeAsync(2_000);
      client.answer(index);
      expect(await answer).toBe(index);
    }
    expect(client.ends).toBe(0);
  });
});

describe("a pool with limits", () => {
  it("knows a connection again", async () => {
    const { limited, connection } = await open();
    expect(await limited.connect()).toBe(connection);
  });

  it("says that it is closed, and asks for no connection any more", async () => {
    const { pool, limited } = await open();
    await limited.end();
    expect(pool.end).toHaveBeenCalledOnce();
    const connect = vi.spyOn(pool, "connect");
    pool.ending = true;
    await expect(limited.connect()).rejects.toMatchObject({ code: "STORE_CLOSED", message: "The store was closed. Open it again." });
    expect(connect).not.toHaveBeenCalled();
  });

  it("counts a connection that cannot be opened as a failure", async () => {
    const { pool, limited, meter } = await open();
    const cause = new Error("connect ECONNREFUSED");
    pool.connect = () => Promise.reject(cause);
    await expect(limited.connect()).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: "No connection to the database can be opened. Try again in a moment.",
      cause,
    });
    expect(meter.stats()).toMatchObject({ count: 0, failed: 1 });
  });
});
