import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createBacklogFile, takeFiles } from "../../src/calls/backlog/backlog-file.ts";
import { createRetryQueue, type RetryQueueEvent, type RetryQueueOptions } from "../../src/calls/backlog/retry-queue.ts";
import { writeLateEnds } from "../../src/calls/backlog/write-late-ends.ts";
import { abandonAll } from "../../src/calls/line-writer.ts";
import type { AuditKeys } from "../../src/store/create-store.ts";
import type { AuditRow, ChainKey, LineContent } from "../../src/engine/audit.ts";
import type { Engine, Writes } from "../../src/engine/engine.ts";
import type { Note } from "../../src/engine/notes.ts";
import { StoreError } from "../../src/errors.ts";

const content = (callId: string, body = '{"startedAt":5}', code: string | null = null): LineContent => [
  9,
  "acme",
  "call",
  "ada",
  "echo",
  callId,
  1,
  code,
  1.5,
  body,
  "p",
];

describe("the queue of ends that wait for the store", () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => void vi.useRealTimers());

  /** `error` decides which batches fail; `tries` are the ids of each batch, with the time. */
  function open(options: Partial<RetryQueueOptions> = {}, file?: { bytes: number; fails?: boolean }) {
    const state = {
      error: undefined as ((ids: readonly string[]) => unknown) | undefined,
      tries: [] as { readonly at: number; readonly ids: readonly string[] }[],
      events: [] as RetryQueueEvent[],
      disk: [] as string[],
    };
    const onDisk = (what: string) => {
      if (file!.fails) throw new Error("full");
      state.disk.push(what);
    };
    const queue = createRetryQueue(
      {
        file: file && {
          get bytes() {
            return file.bytes;
          },
          add: (contents) => onDisk(`add ${contents.map((one) => one[5]).join()}`),
          replace: (contents) => onDisk(`replace ${contents.map((one) => one[5]).join()}`),
          remove: () => onDisk("remove"),
        },
        async write(ends) {
          const ids = ends.map((end) => end.content[5]!);
          state.tries.push({ at: Date.now(), ids });
          const error = state.error?.(ids);
          if (error !== undefined) throw error;
          return { written: ids.length, contradicted: ids.filter((id) => id.startsWith("x")) };
        },
      },
      { maxEnds: 1_000, maxBytes: 1_000_000, onEvent: (event) => void state.events.push(event), ...options },
    );
    const add = (...ids: readonly string[]) => {
      for (const id of ids) queue.add({ content: content(id), call: undefined }, new Error(`cause of ${id}`));
    };
    return { queue, state, add };
  }

  const outage = () => new StoreError("STORE_UNAVAILABLE", "Away.");
  const names = (count: number) => Array.from({ length: count }, (_, index) => `e${index}`);

  it("tells of its first end and when all were written, with those that have another end, and begins anew", async () => {
    const { queue, state, add } = open();
    add("a", "x1");
    expect(state.events).toEqual([{ type: "kept", error: new Error("cause of a") }]);
    expect([queue.count, queue.find("x1")?.[5], queue.find("none")]).toEqual([2, "x1", undefined]);
    await queue.settle();
    expect(state.events.slice(1)).toEqual([{ type: "written", ends: 2, contradicted: ["x1"] }]);
    expect([queue.count, queue.find("a"), vi.getTimerCount()]).toEqual([0, undefined, 0]);
    add("b");
    await queue.settle();
    expect(state.events.slice(2)).toEqual([
      { type: "kept", error: new Error("cause of b") },
      { type: "written", ends: 1, contradicted: [] },
    ]);
    await queue.settle();
    expect([state.events.length, state.tries.at(-1)!.ids]).toEqual([4, []]);
  });

  it("finds the latest of two ends with the same id", () => {
    const { queue } = open();
    for (const body of ['{"startedAt":1}', '{"startedAt":2}']) queue.add({ content: content("a", body), call: undefined }, undefined);
    expect(queue.find("a")![9]).toBe('{"startedAt":2}');
  });

  it("tries again after a quarter of a second, then after longer and longer pauses up to five seconds, and from the beginning after a success", async () => {
    const { state, add } = open();
    state.error = outage;
    add("a");
    await vi.advanceTimersByTimeAsync(25_000);
    expect(state.tries.map(({ at }) => at)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 13_000, 18_000, 23_000]);
    state.error = undefined;
    await vi.advanceTimersByTimeAsync(5_000);
    expect([state.events.at(-1), vi.getTimerCount()]).toEqual([{ type: "written", ends: 1, contradicted: [] }, 0]);
    const before = state.tries.length;
    state.error = outage;
    add("b");
    await vi.advanceTimersByTimeAsync(249);
    expect(state.tries.length - before).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(state.tries.length - before).toBe(1);
  });

  it("tries at once when it is told to, once at a time, and stops its timer", async () => {
    const { queue, state, add } = open();
    add("a");
    queue.retryNow();
    queue.retryNow();
    await vi.advanceTimersByTimeAsync(0);
    expect([state.tries.length, vi.getTimerCount()]).toEqual([1, 0]);
    queue.retryLater();
    queue.retryLater();
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(250);
    expect(state.tries.at(-1)).toEqual({ at: 250, ids: [] });
  });

  it("does not try again once the store is closed", async () => {
    const { queue, state, add } = open();
    state.error = () => new StoreError("STORE_CLOSED", "Closed.");
    add("a");
    await queue.settle();
    queue.retryLater();
    expect([vi.getTimerCount(), queue.count]).toEqual([0, 1]);
  });

  it("writes a hundred at once, in their order", async () => {
    const { queue, state, add } = open();
    add(...names(201));
    await queue.settle();
    expect(state.tries.map(({ ids }) => [ids.length, ids[0]])).toEqual([
      [100, "e0"],
      [100, "e100"],
      [1, "e200"],
    ]);
  });

  it("passes over an end that the store rejects, one by one, and keeps it for the next try", async () => {
    const { queue, state, add } = open();
    state.error = (ids) => (ids.includes("bad") ? new Error("no") : undefined);
    add("a", "bad", "b");
    await queue.settle();
    expect(state.tries.map(({ ids }) => ids)).toEqual([["a", "bad", "b"], ["a"], ["bad"], ["b"]]);
    expect([queue.count, queue.find("bad")?.[5], vi.getTimerCount()]).toEqual([1, "bad", 1]);
    state.error = undefined;
    await queue.settle();
    expect(state.events.at(-1)).toEqual({ type: "written", ends: 3, contradicted: [] });
  });

  it("gives up after ten that were rejected in a row, and counts anew after one that was written", async () => {
    const { queue, state, add } = open();
    state.error = (ids) => (ids.length > 1 || ids[0] !== "e5" ? new Error("no") : undefined);
    add(...names(30));
    await queue.settle();
    expect(state.tries.slice(1).map(({ ids }) => ids[0])).toEqual(names(17));
    expect(queue.count).toBe(29);
  });

  it("stops at once where the store is away", async () => {
    const { queue, state, add } = open();
    state.error = outage;
    add("a", "b");
    await queue.settle();
    expect(state.tries.map(({ ids }) => ids)).toEqual([["a", "b"]]);
  });

  it("takes so many ends, and refuses the next with its cause", () => {
    const { queue, state, add } = open({ maxEnds: 2 });
    add("a");
    expect(queue.isFull).toBe(false);
    add("b");
    expect([queue.isFull, queue.dropped]).toEqual([true, 0]);
    const cause = new Error("why");
    expect(() => queue.add({ content: content("c"), call: undefined }, cause)).toThrow(
      expect.objectContaining({
        code: "STORE_UNAVAILABLE",
        cause,
        message:
          "The store is down, and the ends of as many calls as can be saved (2, or 1000000 bytes) are waiting for it. Make the store available again.",
      }),
    );
    expect([queue.count, queue.dropped, state.events.at(-1)]).toEqual([2, 1, { type: "dropped", callId: "c" }]);
  });

  it("takes so many bytes, three hundred for an end and those of its body, and has room again when they were written", async () => {
    const size = 300 + Buffer.byteLength('{"startedAt":5}');
    for (const [maxBytes, isFull] of [
      [2 * size, true],
      [2 * size + 1, false],
    ] as const) {
      const { queue, add } = open({ maxBytes });
      add("a", "b");
      expect(queue.isFull).toBe(isFull);
      await queue.settle();
      expect(queue.isFull).toBe(false);
      add("c");
      expect(queue.isFull).toBe(false);
    }
  });

  it("saves each end on disk, removes the file when all were written, and writes it anew where it has grown too large", async () => {
    const file = { bytes: 1_000_000 };
    const { queue, state, add } = open({}, file);
    add("a", "bad");
    state.error = (ids) => (ids.includes("bad") ? new Error("no") : undefined);
    await queue.settle();
    expect(state.disk).toEqual(["add a", "add bad"]);
    file.bytes = 1_000_001;
    await queue.settle();
    state.error = undefined;
    await queue.settle();
    expect(state.disk.slice(2)).toEqual(["replace bad", "remove"]);
  });

  it("says once that the file cannot be written, and again after it could", async () => {
    const file = { bytes: 0, fails: true };
    const { queue, state, add } = open({}, file);
    add("a", "b");
    expect(state.events.slice(1)).toEqual([{ type: "file-failed", error: new Error("full") }]);
    file.fails = false;
    add("c");
    file.fails = true;
    add("d");
    expect(state.events.slice(2)).toEqual([{ type: "file-failed", error: new Error("full") }]);
    expect([queue.count, state.disk]).toEqual([4, ["add c"]]);
  });
});

describe("ends of calls on disk", () => {
  let folder: string;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), "toolrack-backlog-")), "ends");
  });
  afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

  const key = (id: string): ChainKey => ({ id, bytes: new Uint8Array(32).fill(id.length) });
  const keysOf = (current?: ChainKey, ...known: readonly ChainKey[]): AuditKeys =>
    ({ current, known: new Map(known.map((one) => [one.id, one])) }) as AuditKeys;
  const without = keysOf();
  const take = (keys = without, server = "b") =>
    takeFiles({ folder, server, keys }).map(({ server: writer, contents, unreadable }) => ({
      writer,
      ids: contents.map((one) => one[5]),
      unreadable,
    }));

  it("are added, replaced, counted in bytes and removed", () => {
    const file = createBacklogFile({ folder, server: "a 1/ä", keys: without });
    const name = join(folder, `${encodeURIComponent("a 1/ä")}.ends.jsonl`);
    file.remove();
    expect([file.bytes, existsSync(folder)]).toEqual([0, false]);
    file.add([content("ö")]);
    const first = file.bytes;
    file.add([content("2"), content("3")]);
    const text = readFileSync(name);
    if (process.platform === "linux")
      expect(readdirSync("/proc/self/fd").filter((one) => linkOf(`/proc/self/fd/${one}`).startsWith(folder))).toEqual([]);
    expect([text.length, first > 0 && first < text.length]).toEqual([file.bytes, true]);
    expect(text.toString().split("\n").filter(Boolean)[0]).toBe(JSON.stringify({ keyId: "", mac: "", text: JSON.stringify(content("ö")) }));
    file.replace([content("3")]);
    expect(readFileSync(name).length).toBe(file.bytes);
    expect(readdirSync(folder)).toHaveLength(1);
    file.remove();
    expect([file.bytes, readdirSync(folder)]).toEqual([0, []]);
    writeFileSync(name, "somebody else's");
    file.remove();
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it("are read with their lines, by another server alone, and removed when they are written", () => {
    createBacklogFile({ folder, server: "a 1", keys: without }).add([content("1"), content("2")]);
    expect(take(without, "a 1")).toEqual([]);
    const [taken] = takeFiles({ folder, server: "b", keys: without });
    expect([taken!.server, taken!.contents, taken!.unreadable]).toEqual(["a 1", [content("1"), content("2")], 0]);
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^a%201\.[0-9a-f]{12}\.ends\.jsonl$/)]);
    expect(take()).toEqual([{ writer: "a 1", ids: ["1", "2"], unreadable: 0 }]);
    takeFiles({ folder, server: "b", keys: without })[0]!.remove();
    expect([readdirSync(folder), take()]).toEqual([[], []]);
  });

  it("are not there where nobody wrote any, and other files are left alone", () => {
    expect(take()).toEqual([]);
    mkdirSync(folder);
    for (const name of ["a.jsonl", "%E0%A4%A.ends.jsonl"]) writeFileSync(join(folder, name), "x");
    mkdirSync(join(folder, "c.ends.jsonl"));
    expect(take()).toEqual([]);
    expect(readdirSync(folder)).toHaveLength(3);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "no folder");
    expect(() => take()).toThrow(/ENOTDIR/);
  });

  it("are believed under a key that is known, or without one where there is none", () => {
    const files = (keys: AuditKeys): unknown => {
      createBacklogFile({ folder, server: "a", keys: keysOf(key("k")) }).add([content("signed")]);
      createBacklogFile({ folder, server: "a", keys: without }).add([content("plain")]);
      const taken = take(keys);
      rmSync(folder, { recursive: true });
      return taken;
    };
    expect(files(keysOf(key("k")))).toEqual([{ writer: "a", ids: ["signed"], unreadable: 1 }]);
    expect(files(keysOf(key("kk"), key("k"), key("kk")))).toEqual([{ writer: "a", ids: ["signed"], unreadable: 1 }]);
    expect(files(keysOf(key("kk")))).toEqual([{ writer: "a", ids: [], unreadable: 2 }]);
    expect(files(without)).toEqual([{ writer: "a", ids: ["plain"], unreadable: 1 }]);
  });

  it("are not believed with another MAC, or where they are no end of a call", () => {
    const keys = keysOf(key("k"));
    const file = createBacklogFile({ folder, server: "a", keys });
    const wrong: unknown[] = [[...content("1"), 5], content("1").slice(0, 10), content("1").with(2, "grant"), content("1").with(5, null)];
    file.add(wrong as LineContent[]);
    file.add([content("good")]);
    const path = join(folder, "a.ends.jsonl");
    const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
    const last = JSON.parse(lines.at(-1)!) as { mac: string };
    for (const mac of ["", "00", last.mac.replaceAll(/[0-9a-f]/g, "0")]) lines.push(JSON.stringify({ ...last, mac }));
    writeFileSync(path, `${lines.join("\n")}\nno JSON`);
    expect(take(keys)).toEqual([{ writer: "a", ids: ["good"], unreadable: 8 }]);
  });

  it("are kept for inspection where some cannot be read, and are not taken again", () => {
    mkdirSync(folder);
    writeFileSync(join(folder, "a.ends.jsonl"), "no JSON\n");
    const [taken] = takeFiles({ folder, server: "b", keys: without });
    taken!.remove();
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^a\.[0-9a-f]{12}\.ends\.jsonl\.unreadable$/)]);
    expect(take()).toEqual([]);
  });

  it("are not put into a folder that others may look into", () => {
    mkdirSync(folder);
    chmodSync(folder, 0o750);
    const file = createBacklogFile({ folder, server: "a", keys: without });
    expect(() => file.add([content("1")])).toThrow(
      `${folder} belongs to another user, or others may look into it: remove it, or run chmod 700 on it.`,
    );
    expect([readdirSync(folder), file.bytes]).toEqual([[], 0]);
  });
});

/** A transaction that notes what it is asked, and the engine that hands it out. */
function recordingEngine(answers: Readonly<Record<string, (...args: never[]) => unknown>>) {
  const calls: unknown[][] = [];
  const tx = new Proxy({} as Writes, {
    get: (_, name: string) =>
      name === "then"
        ? undefined
        : async (...args: never[]) => {
            calls.push([name, ...args]);
            return answers[name]?.(...args);
          },
  });
  const engine = { writeAudit: (work: (one: Writes) => unknown) => work(tx) } as unknown as Engine;
  return { engine, calls };
}

describe("the calls of a server that is gone", () => {
  const running = (callId: string) => ({ callId, tool: "echo", startedAt: 5.5, caller: { sender: "ann" }, input: 1 });
  const note = (name: string, ...callIds: readonly string[]): Note => ({
    owner: "acme",
    kind: "running",
    name,
    holder: "s",
    endsAt: undefined,
    body: JSON.stringify(callIds.map(running)),
  });

  it("get an end each, unless they have one, after its lease and its notes are taken from it", async () => {
    const known: Record<string, unknown[]> = {
      ended: [{ body: '{"startedAt":4}' }, { body: '{"startedAt":5}' }],
      other: [{ body: '{"startedAt":4}' }],
    };
    const { engine, calls } = recordingEngine({
      notes: () => [note("n0", "ended", "other"), note("n1", "open")],
      auditBefore: (_before: number, _limit: number, { callId }: { callId: string }) => known[callId] ?? [],
      chainTip: () => ({ number: 0, hash: "", chain: "main", place: 0 }),
      appendAudit: () => true,
    });
    const options = { owner: "acme", server: "s", keys: { current: undefined } as AuditKeys, lease: { owner: "list" }, now: () => 9 };
    expect(await abandonAll(engine, options)).toBe(2);
    const look = (callId: string) => ["auditBefore", Number.MAX_SAFE_INTEGER, 10, { owner: "acme", kinds: ["call"], callId }];
    expect(calls.filter(([name]) => name !== "chainTip" && name !== "appendAudit")).toEqual([
      ["lockAudit"],
      ["lockNotes"],
      ["forgetSighting", "list", "s"],
      ["notes", "acme", "running", 50, "s"],
      look("ended"),
      look("other"),
      look("open"),
      ["removeNotes", "acme", "running", ["n0", "n1"]],
    ]);
    const appended = calls.find(([name]) => name === "appendAudit")![1] as unknown[][];
    expect(appended.map((line) => line.slice(1, 9))).toEqual(
      ["other", "open"].map((callId) => [9, "acme", "call", "ann", "echo", callId, 0, "ABORTED"]),
    );
    await abandonAll(engine, { ...options, lease: undefined });
    expect(calls.filter(([name]) => name === "forgetSighting")[1]).toEqual(["forgetSighting", "acme", "s"]);
  });

  it("are looked for until a page of notes is not full", async () => {
    let left = 101;
    const { engine, calls } = recordingEngine({
      notes: () => Array.from({ length: Math.min(50, left) }, () => note(`n${left--}`)),
    });
    const options = { owner: "acme", server: "s", keys: { current: undefined } as AuditKeys, lease: undefined, now: () => 9 };
    expect(await abandonAll(engine, options)).toBe(0);
    expect(calls.filter(([name]) => name === "notes")).toHaveLength(3);
    expect(calls.some(([name]) => name === "appendAudit")).toBe(false);
  });
});

describe("late ends", () => {
  const note = (name: string, ...callIds: readonly string[]): Note => ({
    owner: "acme",
    kind: "running",
    name,
    holder: "s",
    endsAt: undefined,
    body: JSON.stringify(callIds.map((callId) => ({ callId, tool: "echo", startedAt: 5, caller: {} }))),
  });

  /** What is asked of a transaction that knows these lines and notes. */
  async function asked(
    late: Partial<Parameters<typeof writeLateEnds>[1]>,
    known: Readonly<Record<string, Partial<AuditRow>[]>> = {},
    notes: readonly Note[] = [],
  ) {
    const { engine, calls } = recordingEngine({
      auditBefore: (_before: number, _limit: number, { callId }: { callId: string }) => known[callId] ?? [],
      notes: () => notes,
      chainTip: () => ({ number: 0, hash: "", chain: "main", place: 0 }),
      appendAudit: () => true,
    });
    const outcome = await writeLateEnds(engine, { owner: "acme", key: undefined, ends: [], removed: [], saved: [], ...late });
    return { outcome, calls };
  }

  it("are looked up, and written with the changes of the notes of their own server", async () => {
    const saved = [note("n1", "other")];
    const { outcome, calls } = await asked({ ends: [content("1")], removed: ["n0"], saved });
    expect(outcome).toEqual({ written: 1, contradicted: [] });
    expect(
      calls.filter(([name]) => ["lockAudit", "lockNotes", "auditBefore", "removeNotes", "saveNotes", "notes"].includes(String(name))),
    ).toEqual([
      ["lockAudit"],
      ["auditBefore", Number.MAX_SAFE_INTEGER, 100, { owner: "acme", kinds: ["call"], callId: "1" }],
      ["removeNotes", "acme", "running", ["n0"]],
      ["saveNotes", saved],
    ]);
  });

  it("are not written a second time, and contradict the end of a call that was given up", async () => {
    const row = (startedAt: number, code: string | null): Partial<AuditRow> => ({ code, body: JSON.stringify({ startedAt }) });
    const known = { same: [row(5, null)], given: [row(5, "ABORTED")], both: [row(5, "ABORTED")], another: [row(4, "ABORTED")] };
    const ends = [content("same"), content("given"), content("both", '{"startedAt":5}', "ABORTED"), content("another")];
    const { outcome } = await asked({ ends }, known);
    expect(outcome).toEqual({ written: 1, contradicted: ["given"] });
  });

  it("of another server are taken out of the notes of every server", async () => {
    const notes = [note("n0", "1"), note("n1", "1", "2"), note("n2", "2")];
    const { calls } = await asked({ ends: [content("1")], fromAnother: true }, {}, notes);
    const changes = calls.filter(([name]) => ["lockNotes", "notes", "removeNotes", "saveNotes"].includes(String(name)));
    expect(changes).toEqual([
      ["lockNotes"],
      ["removeNotes", "acme", "running", []],
      ["saveNotes", []],
      ["notes", "acme", "running", 100_000],
      ["removeNotes", "acme", "running", ["n0"]],
      ["saveNotes", [{ ...notes[1], body: JSON.stringify([{ callId: "2", tool: "echo", startedAt: 5, caller: {} }]) }]],
    ]);
  });
});

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
