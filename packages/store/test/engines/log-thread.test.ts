import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Worker } from "node:worker_threads";
import { bundleProgram, removeProgram } from "@toolrack/testkit/child-server";
import { countTurns, turns } from "@toolrack/testkit/turns";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { listAudit } from "../../src/audit/audit.ts";
import { verifyAudit } from "../../src/audit/verify.ts";
import { insideOf } from "../../src/store/create-store.ts";
import { type CallLog, createCallLog } from "../../src/calls/call-log.ts";
import type { LogPage } from "../../src/engine/log.ts";
import { loadSqlite } from "../../src/engines/sqlite/load.ts";
import { createSqliteEngine } from "../../src/engines/sqlite/sqlite.ts";
import { createSqliteStore } from "../../src/store/sqlite.ts";
import type { BreadcrumbStore } from "../../src/store/store.ts";

const folder = mkdtempSync(join(tmpdir(), "toolrack-thread-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
const freshPath = (): string => join(folder, `${count++}.db`);

const threads: Worker[] = [];
process.on("worker", (worker) => void threads.push(worker));

async function openFresh(options: object): Promise<{ store: BreadcrumbStore; path: string }> {
  const path = freshPath();
  threads.length = 0;
  return { path, store: await createSqliteStore({ path, ...options }) };
}

const start = (callId: string) => ({ callId, tool: "t", input: { callId }, caller: { agent: "a" }, startedAt: 5 });
const call = async (calls: CallLog, callId: string): Promise<void> => {
  await calls.begin?.(start(callId));
  await calls.record({ ...start(callId), result: { ok: true, content: "", meta: { callId, tool: "t", durationMs: 1 } } });
};

describe("the thread that writes the log of a SQLite store", () => {
  it("is started by those who log much, who notice nothing of it", async () => {
    const { store } = await openFresh({ pagesBeforeThread: 5 });
    const calls = createCallLog(store, { server: "one" });
    await call(calls, "first");
    expect(threads).toHaveLength(0);
    for (let index = 0; index < 50; index++) await call(calls, `c${index}`);
    while (threads.length === 0 || (await idle(threads[0]!))) await call(calls, "while it starts");
    for (let index = 0; index < 50; index++) await call(calls, `d${index}`);
    expect(threads).toHaveLength(1);
    expect(await verifyAudit(store)).toMatchObject({ ok: true });
    expect((await calls.list({ limit: 50 })).map(({ callId }) => callId)).toEqual(
      Array.from({ length: 50 }, (_, index) => `d${49 - index}`),
    );
    expect(await calls.running()).toEqual([]);
    await store.close();
    expect(threads[0]!.threadId).toBe(-1);
  });

  it("is not there for those who do not want it", async () => {
    const { store } = await openFresh({ pagesBeforeThread: Number.POSITIVE_INFINITY });
    const calls = createCallLog(store);
    for (let index = 0; index < 150; index++) await call(calls, `c${index}`);
    expect(threads).toHaveLength(0);
    await store.close();
  });

  it("makes the chain that is made without it, with a key and without", async () => {
    const clock = { now: () => 1_000, after: () => () => undefined };
    const bytes = new Uint8Array(32).fill(7);
    for (const hasKey of [false, true]) {
      const hashes = await Promise.all(
        [0, Number.POSITIVE_INFINITY].map(async (pagesBeforeThread) => {
          const store = await createSqliteStore({ path: ":memory:", pagesBeforeThread, clock });
          const { auditKeys } = insideOf(store);
          if (hasKey) auditKeys.known.set("k", (auditKeys.current = { id: "k", bytes }));
          const calls = createCallLog(store);
          for (let index = 0; index < 3; index++) await call(calls, `c${index} "ÿ\n`);
          await Promise.all(Array.from({ length: 21 }, (_, index) => call(calls, `together ${index}`)));
          const lines = (await listAudit(store)).map(({ number, hash, keyId }) => ({ number, hash, keyId }));
          await store.close();
          return lines;
        }),
      );
      expect(new Set(hashes[0]!.map(({ keyId }) => keyId))).toEqual(new Set([hasKey ? "k" : ""]));
      expect(hashes[0]).toHaveLength(24);
      expect(hashes[0]).toEqual(hashes[1]);
    }
  });

  it("takes turns with the writers of records, and with another process", async () => {
    const { store, path } = await openFresh({ pagesBeforeThread: 0 });
    const other = await createSqliteStore({ path, pagesBeforeThread: 0 });
    const logs = [createCallLog(store, { server: "one" }), createCallLog(other, { server: "two" })];
    await Promise.all([
      ...logs.flatMap((log, index) => Array.from({ length: 100 }, (_, number) => call(log, `${index} ${number}`))),
      ...Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? store : other).put({ id: `r${index}`, schema_name: "note.v1", context: {} }),
      ),
    ]);
    expect(await store.sequence()).toBe(50);
    expect(await verifyAudit(store)).toMatchObject({ ok: true, rows: 200 });
    await other.close();
    await store.close();
  });

  it("answers a clear, retryable error when another process keeps the file locked; nobody stands still meanwhile", async () => {
    const { store, path } = await openFresh({ pagesBeforeThread: 0, busyTimeoutMs: 300 });
    const calls = createCallLog(store);
    const other = (await loadSqlite()).open(path, 0);
    other.exec("begin immediate");
    const counted = countTurns();
    await expect(call(calls, "a")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", retryable: true });
    expect(counted()).toBeGreaterThan(10);
    other.exec("rollback");
    other.close();
    await call(calls, "b");
    expect((await calls.list()).map(({ callId }) => callId)).toEqual(["b"]);
    await store.close();
  });

  it("fails for the line that is at fault alone", async () => {
    const { store } = await openFresh({ pagesBeforeThread: 0 });
    const calls = createCallLog(store);
    const circular: Record<string, unknown> = {};
    circular["self"] = {
      toJSON: () => {
        throw new Error("no text");
      },
    };
    const bad = calls.record({
      ...start("bad"),
      input: circular,
      result: { ok: true, content: "", meta: { callId: "bad", tool: "t", durationMs: 1 } },
    });
    const outcomes = await Promise.allSettled([call(calls, "a"), bad, call(calls, "b")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await verifyAudit(store)).toMatchObject({ ok: true, rows: 2 });
    await store.close();
  });

  it("writes no page behind one that failed, before that was told", async () => {
    const engine = await createSqliteEngine({ path: freshPath(), pagesBeforeThread: 0 });
    const page = (body: string | null): LogPage => ({
      lines: [[5, "o", "call", "a", "t", "c", 1, null, 1, body as string, ""]],
      key: undefined,
      owner: "o",
      removed: [],
      saved: [],
    });
    const outcomes = await Promise.allSettled(["1", null, "3", "4"].map((body) => engine.writeLog(page(body))));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "rejected"]);
    await engine.writeLog(page("5"));
    expect((await engine.auditAfter(0, 10)).map(({ number, body }) => [number, body])).toEqual([
      [1, "1"],
      [2, "5"],
    ]);
    await engine.close();
  });

  it("still knows that calls run whose ends could not be written, one after the other, also when others that began with them end", async () => {
    const { store, path } = await openFresh({ pagesBeforeThread: 0, busyTimeoutMs: 100 });
    const calls = createCallLog(store, { server: "one" });
    const end = (callId: string) =>
      calls.record({ ...start(callId), result: { ok: true, content: "", meta: { callId, tool: "t", durationMs: 1 } } });
    await Promise.all(["a", "b", "c"].map((name) => calls.begin!(start(name))));
    const other = (await loadSqlite()).open(path, 0);
    other.exec("begin immediate");
    const first = expect(end("a")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await turns(); // a page of its own
    const second = expect(end("b")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await Promise.all([first, second]);
    other.exec("rollback");
    other.close();
    await end("c");
    expect((await calls.running()).map(({ callId }) => callId).sort()).toEqual(["a", "b"]);
    expect(await calls.abandon("one")).toBe(2);
    expect(await verifyAudit(store)).toMatchObject({ ok: true, rows: 3 });
    await store.close();
  });

  it("may end unexpectedly: what was under way fails clearly, and the log goes on without it", async () => {
    const { store, path } = await openFresh({ pagesBeforeThread: 0 });
    const calls = createCallLog(store);
    await call(calls, "a");
    const other = (await loadSqlite()).open(path, 0);
    other.exec("begin immediate");
    const cutOff = call(calls, "b");
    await turns();
    void threads[0]!.terminate();
    other.exec("rollback");
    other.close();
    await Promise.allSettled([cutOff]).then(([outcome]) => {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "STORE_UNAVAILABLE", retryable: true });
    });
    await call(calls, "c");
    expect((await calls.list()).map(({ callId }) => callId)).toContain("c");
    expect(await verifyAudit(store)).toMatchObject({ ok: true });
    await store.close();
  });

  it("lets a program end, and not before its last line is written", async () => {
    const module = await bundleProgram(new URL("../../src/index.ts", import.meta.url));
    onTestFinished(() => removeProgram(module));
    const path = freshPath();
    const program = join(folder, "program.mjs");
    writeFileSync(
      program,
      `import { createCallLog, createSqliteStore } from ${JSON.stringify(pathToFileURL(module).href)};
       const store = await createSqliteStore({ path: ${JSON.stringify(path)}, pagesBeforeThread: 0 });
       const meta = { callId: "last", tool: "t", durationMs: 1 };
       createCallLog(store).record({ callId: "last", tool: "t", input: {}, caller: {}, startedAt: 5, result: { ok: true, content: "", meta } });`,
    );
    const child = spawn(process.execPath, [program], { stdio: "inherit", cwd: pathToFileURL(folder) });
    expect(await once(child, "exit")).toEqual([0, null]);
    const store = await createSqliteStore({ path });
    expect((await createCallLog(store).list()).map(({ callId }) => callId)).toEqual(["last"]);
    await store.close();
  });
});

/** Whether a thread has hardly run yet. */
async function idle(thread: Worker): Promise<boolean> {
  await turns();
  return thread.performance.eventLoopUtilization().idle === 0;
}
