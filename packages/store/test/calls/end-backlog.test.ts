import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallRecord, CallStart } from "@toolrack/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type CallLog, createCallLog } from "../../src/calls/call-log.ts";
import type { EndBacklogOptions, EndBacklogEvent } from "../../src/calls/backlog/end-backlog.ts";
import { verifyAudit } from "../../src/audit/verify.ts";
import { StoreError } from "../../src/errors.ts";
import { keyAudit } from "../../src/secrets/audit-key.ts";
import { createKeys } from "../../src/secrets/keys.ts";
import { insideOf } from "../../src/store/create-store.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import type { BreadcrumbStore } from "../../src/store/store.ts";
import { takeLease } from "../../src/testing/contract/_lease.ts";

let folder: string;
let store: BreadcrumbStore;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "toolrack-ends-")), "ends");
  store = createMemoryStore();
});
afterEach(async () => {
  await store.close();
  rmSync(join(folder, ".."), { recursive: true, force: true });
});

const away = (): StoreError => new StoreError("STORE_UNAVAILABLE", "Away.");

/** Lets writes fail, before or after they were committed, until it is called again. */
function breakStore(how: "before" | "after" | undefined, error: () => Error = away): void {
  const { engine } = insideOf(store) as { engine: { writeLog: unknown; writeAudit: unknown } };
  for (const name of ["writeLog", "writeAudit"] as const) {
    const real = (originals.get(engine)?.[name] ?? engine[name]) as (work: unknown) => Promise<unknown>;
    originals.set(engine, { ...originals.get(engine), [name]: real });
    engine[name] = async (work: unknown) => {
      if (how === "before") throw error();
      const done = await real.call(engine, work);
      if (how === "after") throw error();
      return done;
    };
  }
}
const originals = new WeakMap<object, { [name: string]: unknown }>();

interface Opened {
  readonly log: CallLog;
  readonly events: EndBacklogEvent[];
}

function openLog(server: string, options: EndBacklogOptions = {}): Opened {
  const events: EndBacklogEvent[] = [];
  const redaction = { values: () => ["s3cret-value"] };
  return {
    log: createCallLog(store, { server, redaction, endBacklog: { ...options, onEvent: (event) => void events.push(event) } }),
    events,
  };
}

const caller = { agent: "ada" };
const start = (callId: string): CallStart => ({ callId, tool: "echo", input: { text: callId }, caller, startedAt: 1_000 });
const end = (callId: string, content = "done"): CallRecord => ({
  ...start(callId),
  result: { ok: true, content, meta: { callId, tool: "echo", durationMs: 1 } },
});
const ids = async (log: CallLog): Promise<readonly string[]> => (await log.list()).map(({ callId }) => callId).toReversed();
const filesIn = (place: string): readonly string[] => readdirSync(place).filter((name) => name.includes(".ends."));

describe("ends of calls that the store does not take", () => {
  it("RC1: are kept in their order, and written when the store is back", async () => {
    const { log, events } = openLog("a-1", { folder });
    for (const id of ["one", "two", "three"]) await log.begin!(start(id));
    breakStore("before");
    for (const id of ["two", "three", "one"]) await log.record(end(id));
    expect(log.missing).toMatchObject({ kept: 3, dropped: 0 });
    expect(log.open()).toEqual([]);
    breakStore(undefined);
    expect(await ids(log)).toEqual([]);
    expect(await log.show("two")).toMatchObject({ callId: "two", ok: true, output: "done", number: 0 });
    await vi.waitFor(async () => expect(await ids(log)).toEqual(["two", "three", "one"]), 60_000);
    await vi.waitFor(() => expect(log.missing.kept).toBe(0), 60_000);
    expect(await log.running()).toEqual([]);
    expect(events).toMatchObject([{ type: "kept" }, { type: "written", ends: 3, contradicted: [] }]);
    expect(filesIn(folder)).toEqual([]);
  });

  it("RC1: wait behind those that came before them, also when the store is back meanwhile", async () => {
    const { log } = openLog("a-1");
    for (const id of ["one", "two", "three"]) await log.begin!(start(id));
    breakStore("before");
    const first = log.record(end("one"));
    await first;
    breakStore(undefined);
    await Promise.all([log.record(end("two")), log.record(end("three"))]);
    await log.flush();
    expect(await ids(log)).toEqual(["one", "two", "three"]);
  });

  it("RC1: are written once where the write that failed had been committed", async () => {
    const { log } = openLog("a-1", { folder });
    for (const id of ["one", "two"]) await log.begin!(start(id));
    breakStore("after");
    await Promise.all([log.record(end("one")), log.record(end("two"))]);
    await log.flush();
    expect(log.missing.kept).toBe(2);
    breakStore(undefined);
    await log.flush();
    expect(log.missing.kept).toBe(0);
    expect(await ids(log)).toEqual(["one", "two"]);
    expect(await log.running()).toEqual([]);
    expect(await verifyAudit(store)).toMatchObject({ ok: true });
  });

  it("RC1: a start that failed after it was committed leaves no call that seems to run", async () => {
    const { log } = openLog("a-1");
    breakStore("after");
    for (const id of ["one", "two", "three"]) await expect(log.begin!(start(id))).rejects.toThrow("Away.");
    expect(log.open()).toEqual([]);
    breakStore(undefined);
    await vi.waitFor(async () => expect(await log.running()).toEqual([]), 60_000);
    await log.begin!(start("four"));
    expect((await log.running()).map(({ callId }) => callId)).toEqual(["four"]);
    await log.record(end("four"));
    expect(await ids(log)).toEqual(["four"]);
    expect(await log.running()).toEqual([]);
  });

  it("RC1: are written when the next call begins, without waiting for the next try", async () => {
    const { log, events } = openLog("a-1");
    await log.begin!(start("one"));
    breakStore("before");
    await log.record(end("one"));
    breakStore(undefined);
    await log.begin!(start("two"));
    await new Promise((resolve) => setImmediate(resolve));
    expect([log.missing.kept, events.at(-1)]).toEqual([0, { type: "written", ends: 1, contradicted: [] }]);
    expect(await ids(log)).toEqual(["one"]);
  });

  it("RC1: no line is written for a call that did not begin", async () => {
    const { log } = openLog("a-1");
    await log.record({ ...end("one"), notBegun: true });
    await log.flush();
    expect(await ids(log)).toEqual([]);
    expect(log.missing.kept).toBe(0);
  });

  it.each([
    ["many", { maxEnds: 2 }],
    ["large", { maxBytes: 2_500 }],
  ])("RC1: too %s are not kept: the next call is refused, and what is lost is counted", async (_, options) => {
    const { log, events } = openLog("a-1", options);
    for (const id of ["one", "two", "three"]) await log.begin!(start(id));
    breakStore("before");
    await log.record(end("one", "x".repeat(1_000)));
    await log.record(end("two", "x".repeat(1_000)));
    await expect(log.record(end("three"))).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(log.missing).toMatchObject({ kept: 2, dropped: 1 });
    expect(events.at(-1)).toEqual({ type: "dropped", callId: "three" });
    breakStore(undefined);
    await log.flush();
    expect(await ids(log)).toEqual(["one", "two"]);
    await log.begin!(start("four"));
  });

  it("RC1: while there is no room for another end, no call begins, whatever the store says", async () => {
    const { log } = openLog("a-1", { maxEnds: 1 });
    await log.begin!(start("one"));
    breakStore("before");
    await log.record(end("one"));
    breakStore(undefined);
    await expect(log.begin!(start("two"))).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });

  it("RC1: one that the store never takes holds up no other, and stays", async () => {
    const { log } = openLog("a-1");
    const { engine } = insideOf(store);
    for (const id of ["one", "bad", "two"]) await log.begin!(start(id));
    breakStore("before");
    for (const id of ["one", "bad", "two"]) await log.record(end(id));
    breakStore(undefined);
    const real = engine.writeAudit;
    engine.writeAudit = (work) =>
      real.call(engine, (tx) =>
        work({
          ...tx,
          appendAudit: (lines) => (lines.some((line) => line[6] === "bad") ? Promise.reject(new Error("no")) : tx.appendAudit(lines)),
        }),
      ) as never;
    await log.flush();
    expect(await ids(log)).toEqual(["one", "two"]);
    expect(log.missing.kept).toBe(1);
  });

  it("RC1: are written for each of two calls that have the same id", async () => {
    const { log } = openLog("a-1");
    await log.begin!(start("one"));
    await log.record(end("one", "first"));
    await log.begin!({ ...start("one"), startedAt: 2_000 });
    breakStore("before");
    await log.record({ ...end("one", "second"), startedAt: 2_000 });
    breakStore(undefined);
    await log.flush();
    expect(log.missing.kept).toBe(0);
    expect((await log.list()).map(({ output }) => output)).toEqual(["second", "first"]);
  });

  it("are not lost silently where the option has its old name", () => {
    const options = { server: "a-1", keepEnds: {} };
    expect(() => createCallLog(store, options)).toThrow("keepEnds is called endBacklog now");
  });

  it("RC1: are not kept by a server that lost its lease and gets no other", async () => {
    const lease = await takeLease(store);
    const closed = Object.assign(Object.create(lease) as typeof lease, {
      lost: () => Promise.reject(new StoreError("LEASE_LOST", "Closed.")),
    });
    const log = createCallLog(store, { server: closed, endBacklog: {} });
    await log.begin!(start("one"));
    expect(await createCallLog(store).abandon("one-0")).toBe(1);
    await expect(log.record(end("one"))).rejects.toMatchObject({ code: "LEASE_LOST" });
    expect(log.missing.kept).toBe(0);
  });

  it("RC1: a store that says no to this server gets nothing later", async () => {
    const { log } = openLog("a-1", { folder });
    await log.begin!(start("one"));
    breakStore("before", () => new StoreError("FORBIDDEN", "No."));
    await expect(log.record(end("one"))).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(log.missing.kept).toBe(0);
  });
});

describe("the file of kept ends", () => {
  async function keepSome(server: string, ...names: readonly string[]): Promise<Opened> {
    const opened = openLog(server, { folder });
    for (const id of names) await opened.log.begin!(start(id));
    breakStore("before");
    for (const id of names) await opened.log.record(end(id, `s3cret-value of ${id}`));
    return opened;
  }

  it("RC1: is for nobody else to read, and says no more than the audit would", async () => {
    await keepSome("a-1", "one");
    const [name] = filesIn(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, name!)).mode & 0o777).toBe(0o600);
    const text = readFileSync(join(folder, name!), "utf8");
    expect(text).toContain("one");
    expect(text).not.toContain("s3cret-value");
  });

  it("RC1: is not put into a folder of others, nor through a link, and nothing but files is read", async () => {
    mkdirSync(folder, { mode: 0o777 });
    chmodSync(folder, 0o777);
    await keepSome("a-1", "one");
    expect(filesIn(folder)).toEqual([]);
    breakStore(undefined);
    chmodSync(folder, 0o700);
    const elsewhere = `${folder}-elsewhere`;
    symlinkSync(elsewhere, join(folder, "b-2.ends.jsonl"));
    await keepSome("b-2", "two");
    expect(existsSync(elsewhere)).toBe(false);
    execFileSync("mkfifo", [join(folder, "c-3.ends.jsonl")]);
    breakStore(undefined);
    expect(await openLog("d-4", { folder }).log.recover()).toBe(0);
  });

  it("RC1: is written by the next server that starts, before the calls of the one that ended are given up", async () => {
    await keepSome("a-1", "one", "two");
    breakStore(undefined);
    const next = openLog("b-2", { folder });
    expect(await next.log.recover()).toBe(2);
    expect(await next.log.abandon("a-1")).toBe(0);
    expect((await next.log.list()).map(({ callId, ok }) => [callId, ok])).toEqual([
      ["two", true],
      ["one", true],
    ]);
    expect(await next.log.running()).toEqual([]);
    expect(next.events).toEqual([{ type: "recovered", server: "a-1", ends: 2, contradicted: [], unreadable: 0 }]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("RC1: is written also where the calls of a server are given up while another runs", async () => {
    const { log } = openLog("a-1");
    await log.begin!(start("cut"));
    await keepSome("a-1", "one");
    breakStore(undefined);
    const other = openLog("b-2", { folder });
    expect(await other.log.abandon("a-1")).toBe(1);
    expect((await other.log.list()).map(({ callId, ok, code }) => [callId, ok, code]).sort()).toEqual([
      ["cut", false, "ABORTED"],
      ["one", true, undefined],
    ]);
  });

  it("RC1: gives one end also to a call whose name the database does not take as it is", async () => {
    const odd = `odd\0\ud800${"x".repeat(600)}`;
    await keepSome("a-1", odd);
    breakStore(undefined);
    const next = openLog("b-2", { folder });
    expect(await next.log.recover()).toBe(1);
    expect(await next.log.abandon("a-1")).toBe(0);
    expect((await next.log.list()).map(({ ok }) => ok)).toEqual([true]);
  });

  it("RC1: never gives a call a second end, where the first is already there", async () => {
    const { log } = await keepSome("a-1", "one");
    breakStore(undefined);
    const stranger = createCallLog(store, { server: "c-3" });
    expect(await stranger.abandon("a-1")).toBe(1);
    const next = openLog("b-2", { folder });
    expect(await next.log.recover()).toBe(0);
    expect(next.events).toMatchObject([{ type: "recovered", ends: 0, contradicted: ["one"] }]);
    await log.flush();
    expect((await log.list()).map(({ callId, code }) => [callId, code])).toEqual([["one", "ABORTED"]]);
    expect(log.missing.kept).toBe(0);
  });

  it("RC1: gives each call one end, however many servers start at once, and while its own writes, too", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `call-${index}`);
    const { log } = await keepSome("a-1", ...names);
    breakStore(undefined);
    const others = ["b-2", "c-3", "d-4"].map((server) => openLog(server, { folder }).log);
    await Promise.all([...others.map((other) => other.recover()), log.flush()]);
    expect([...(await ids(log))].sort()).toEqual([...names].sort());
  });

  it("RC1: adds nothing to the audit that its key did not sign, and keeps it for whoever looks into it", async () => {
    await keyAudit(store, createKeys({ current: Buffer.alloc(32, 7) }));
    await keepSome("a-1", "one");
    breakStore(undefined);
    const [name] = filesIn(folder);
    const whole = readFileSync(join(folder, name!), "utf8");
    const { text } = JSON.parse(whole) as { readonly text: string };
    const unsigned = JSON.stringify({ keyId: "", mac: "", text: text.replaceAll("one", "three") });
    writeFileSync(join(folder, name!), `${whole}\n${whole.trim().replaceAll("one", "two")}\n${unsigned}\n${whole.slice(0, 40)}`);
    const next = openLog("b-2", { folder });
    expect(await next.log.recover()).toBe(1);
    expect(await ids(next.log)).toEqual(["one"]);
    expect(next.events).toMatchObject([{ unreadable: 3 }]);
    expect(readdirSync(folder)).toMatchObject([expect.stringMatching(/\.unreadable$/)]);
    expect(await next.log.recover()).toBe(0);
    expect(await verifyAudit(store)).toMatchObject({ ok: true });
  });

  it("RC1: are taken out of the notes of running calls when another server writes them", async () => {
    await keepSome("a-1", "one", "two");
    breakStore(undefined);
    const next = openLog("b-2", { folder });
    await next.log.recover();
    expect(await next.log.running()).toEqual([]);
  });

  it("RC1: needs a server with a name, and ends are in memory alone without one", async () => {
    const log = createCallLog(store, { endBacklog: { folder } });
    breakStore("before");
    await log.record(end("one"));
    expect([log.missing.kept, existsSync(folder)]).toEqual([1, false]);
    expect(await log.recover()).toBe(0);
  });

  it("RC1: is written a hundred ends at once", async () => {
    const names = Array.from({ length: 101 }, (_, index) => `call-${index}`);
    await keepSome("a-1", ...names);
    breakStore(undefined);
    const { engine } = insideOf(store);
    const writes = vi.spyOn(engine, "writeAudit");
    const next = openLog("b-2", { folder });
    expect(await next.log.recover()).toBe(101);
    expect(writes).toHaveBeenCalledTimes(2);
    expect(await ids(next.log)).toHaveLength(100);
  });

  it("RC1: adds nothing to the audit of another owner", async () => {
    const other = store.as({ owner: "other", agent: "server", roles: ["curator"] });
    const log = createCallLog(other, { server: "a-1", endBacklog: { folder } });
    await log.begin!(start("one"));
    breakStore("before");
    await log.record(end("one"));
    breakStore(undefined);
    expect(await openLog("b-2", { folder }).log.recover()).toBe(0);
    expect(await log.list()).toEqual([]);
  });

  it("RC1: does not grow for ever beside an end that the store never takes", async () => {
    const { log } = openLog("a-1", { folder, maxBytes: 5_000 });
    const { engine } = insideOf(store);
    const real = engine.writeAudit;
    const keep = async (id: string): Promise<void> => {
      await log.begin!(start(id));
      breakStore("before");
      await log.record(end(id, "x".repeat(500)));
      breakStore(undefined);
      engine.writeAudit = (work) =>
        real.call(engine, (tx) =>
          work({
            ...tx,
            appendAudit: (lines) => (lines.some((line) => line[6] === "bad") ? Promise.reject(new Error("no")) : tx.appendAudit(lines)),
          }),
        ) as never;
      await log.flush();
    };
    await keep("bad");
    for (let index = 0; index < 20; index++) await keep(`call-${index}`);
    expect(log.missing.kept).toBe(1);
    expect(statSync(join(folder, filesIn(folder)[0]!)).size).toBeLessThan(7_000);
    expect(readFileSync(join(folder, filesIn(folder)[0]!), "utf8")).toContain("bad");
  });

  it("RC1: that the disk does not take leaves the ends in memory, and says so once", async () => {
    writeFileSync(folder, "in the way");
    const { log, events } = await keepSome("a-1", "one", "two");
    expect(events.map(({ type }) => type)).toEqual(["kept", "file-failed"]);
    breakStore(undefined);
    await log.flush();
    expect(await ids(log)).toEqual(["one", "two"]);
  });

  it("OP1: do not hide from a caller that its call was given up when the lease of the server was lost", async () => {
    const lease = await takeLease(store);
    const log = createCallLog(store, { server: lease, endBacklog: {} });
    for (const callId of ["a", "b"]) await log.begin!(start(callId));
    breakStore("before");
    await log.record(end("a"));
    expect(log.missing.kept).toBe(1);
    breakStore(undefined);
    expect(await createCallLog(store).abandon("one-0")).toBe(2);
    await lease.lost("one-0");
    expect(await log.record(end("b"))).toMatchObject({ ok: false, code: "ABORTED" });
    await log.flush();
    expect((await log.list()).map(({ callId, ok }) => [callId, ok]).sort()).toEqual([
      ["a", false],
      ["b", false],
    ]);
    expect(log.missing.kept).toBe(0);
  });
});
