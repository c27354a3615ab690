import type { CallStart } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import type { EndLine, Line } from "../../src/calls/call-line.ts";
import { createCallTexts } from "../../src/calls/call-text.ts";
import { appendOnce, writeUnderLease } from "../../src/calls/lost-lease.ts";
import { createOpenCalls, type OpenCall } from "../../src/calls/open-calls.ts";
import { createRunningBatches, toRunningCalls } from "../../src/calls/running-batches.ts";
import { toLease, toName } from "../../src/calls/server-lease.ts";
import type { Engine, Writes } from "../../src/engine/engine.ts";
import { leaseLost } from "../../src/engine/lease.ts";

const start = (callId: string, startedAt = 5): CallStart => ({ callId, tool: "echo", input: {}, caller: { agent: "ada" }, startedAt });

describe("open calls", () => {
  it("are taken by their id, of several the one that began last, and each once", () => {
    const calls = createOpenCalls();
    const [first, second, third] = [calls.add(start("a", 1)), calls.add(start("a", 2)), calls.add(start("a", 3))];
    const other = calls.add(start("b"));
    expect(first).toEqual({ start: start("a", 1), text: undefined, server: undefined, batch: undefined, isOver: false });
    expect([...calls.all()]).toEqual([third, second, first, other]);
    expect([calls.take("a"), calls.take("a"), calls.take("a"), calls.take("a"), calls.take("none")]).toEqual([
      third,
      second,
      first,
      undefined,
      undefined,
    ]);
    expect([...calls.all()]).toEqual([other]);
  });

  it("are removed where their begin was not recorded, and leave those with the same id in their order", () => {
    const calls = createOpenCalls();
    const [first, second, third] = [calls.add(start("a", 1)), calls.add(start("a", 2)), calls.add(start("a", 3))];
    calls.remove(second);
    expect([second.isOver, first.isOver, [...calls.all()]]).toEqual([true, false, [third, first]]);
    calls.remove(third);
    calls.remove(first);
    expect([[...calls.all()], calls.take("a")]).toEqual([[], undefined]);
  });
});

describe("the notes of running calls", () => {
  const texts = createCallTexts("acme", 100_000);
  const keep = (value: unknown): unknown => value;
  function call(callId: string, more: Partial<CallStart> = {}): OpenCall {
    const one = { ...start(callId), ...more };
    return { start: one, text: texts.request(one, keep), server: undefined, batch: undefined, isOver: false };
  }
  const many = (count: number, prefix = "c") => Array.from({ length: count }, (_, index) => call(`${prefix}${index}`));
  const idsOf = (note: { readonly body: string; readonly holder?: string }) => toRunningCalls(note as never).map(({ callId }) => callId);

  it("have up to sixteen calls each, and the rest of them when some have ended", () => {
    const batches = createRunningBatches("acme", "s1");
    const calls = many(17);
    const { saved, removed } = batches.change(calls, []);
    expect(saved.map((note) => idsOf(note).length)).toEqual([16, 1]);
    expect(saved[1]).toEqual({
      owner: "acme",
      kind: "running",
      name: expect.stringMatching(/^[\w-]{16}-1$/),
      holder: "s1",
      endsAt: undefined,
      body: '[{"callId":"c16","tool":"echo","startedAt":5,"caller":{"agent":"ada"},"input":{}}]',
    });
    expect([saved[0]!.name.slice(0, -1), removed]).toEqual([saved[1]!.name.slice(0, -1), []]);
    const next = batches.change([], [calls[0]!, calls[16]!]);
    expect([next.saved.map((note) => [note.name, idsOf(note).length]), next.removed]).toEqual([[[saved[0]!.name, 15]], [saved[1]!.name]]);
  });

  it("are small: a call begins another note where it does not fit", () => {
    // 3,800 characters; of each call its texts and a hundred more.
    const filled = (length: number) => call("c", { input: "x".repeat(length) });
    const own = (one: OpenCall) => one.text!.caller.length + one.text!.input!.length + "c".length + "echo".length + 100;
    const room = 1_900 - own(filled(0));
    const shape = (...lengths: readonly number[]) =>
      createRunningBatches("acme", "s1")
        .change(lengths.map(filled), [])
        .saved.map((note) => idsOf(note).length);
    expect([shape(room, room), shape(room, room + 1), shape(5_000, 0, 0)]).toEqual([[2], [1, 1], [1, 2]]);
    const empty = call("c", { input: undefined as never });
    expect(createRunningBatches("acme", "s1").change([empty], []).saved).toHaveLength(1);
  });

  it("are not written for a call that begins and ends together, and use the names of those that are over", () => {
    const batches = createRunningBatches("acme", "s1");
    const [a, b, c] = many(3);
    const first = batches.change([a!, b!], [b!]);
    expect(first.saved.map(idsOf)).toEqual([["c0"]]);
    const second = batches.change([c!], [a!]);
    expect([second.saved.map(({ name }) => name), second.removed]).toEqual([[first.saved[0]!.name], []]);
  });

  it("that a failed write may have left are removed by the next one, and its calls run again", () => {
    const batches = createRunningBatches("acme", "s1");
    const [a, b] = many(2);
    const first = batches.change([a!], []);
    expect(batches.hasDoubtful).toBe(false);
    const failed = batches.change([b!], [a!]);
    expect(failed.saved.map(({ name }) => name)).toEqual([first.saved[0]!.name]);
    failed.undo();
    // The name is that of a call that counts as running again.
    expect([a!.isOver, batches.hasDoubtful]).toEqual([false, false]);
    expect(batches.change([], [b!]).removed).toEqual([expect.not.stringMatching(first.saved[0]!.name)]);
    expect(batches.change([], [a!]).removed).toEqual([first.saved[0]!.name]);
  });

  it("of a begin that failed are in doubt until a change went through", () => {
    const batches = createRunningBatches("acme", "s1");
    const failed = batches.change([call("a")], []);
    failed.undo();
    expect(batches.hasDoubtful).toBe(true);
    const again = batches.change([], []);
    expect([again.removed, again.saved, batches.hasDoubtful]).toEqual([[failed.saved[0]!.name], [], false]);
    again.undo();
    expect(batches.hasDoubtful).toBe(true);
    const [b] = [call("b")];
    expect(batches.change([b], []).saved.map(({ name }) => name)).toEqual([failed.saved[0]!.name]);
  });

  it("are read with their server, also those of one call", () => {
    const one = { callId: "a", tool: "echo", startedAt: 5, caller: {} };
    expect(toRunningCalls({ holder: "s1", body: JSON.stringify(one) } as never)).toEqual([{ ...one, server: "s1" }]);
    expect(toRunningCalls({ holder: "s1", body: JSON.stringify([one, one]) } as never)).toHaveLength(2);
  });
});

describe("writing under a lease", () => {
  const end = (callId: string, server: string | undefined, startedAt = 5): EndLine => ({
    type: "end",
    record: { ...start(callId, startedAt), result: {} as never },
    at: 9,
    call: server === "none" ? undefined : { start: start(callId), text: undefined, server, batch: undefined, isOver: false },
    content: undefined,
    recorded: undefined,
  });

  /** `held` are the names whose lease the store knows. */
  function open(names = ["s0", "s1", "s2"]) {
    const did: string[] = [];
    const lease = {
      owner: "acme",
      index: 0,
      get name() {
        return names[Math.min(lease.index, names.length - 1)]!;
      },
      async lost(name: string) {
        did.push(`lost ${name}`);
        lease.index += 1;
      },
    };
    const state = { held: new Set(names), now: 100, result: { ok: true } as never };
    const write = writeUnderLease({
      lease,
      now: () => state.now,
      async write(lines: readonly Line[]) {
        if (!state.held.has(lease.name)) throw leaseLost(lease.name);
        did.push(`write ${lines.map((line) => (line as EndLine).record.callId).join()}`);
      },
      async abandon(server) {
        did.push(`abandon ${server}`);
      },
      async endOnce(line) {
        did.push(`end ${line.record.callId}`);
        return state.result;
      },
    });
    return { write, did, lease, state };
  }

  it("writes a page at once while the lease is held", async () => {
    const { write, did } = open();
    await write([end("a", "s0"), end("b", "none", 5)]);
    await write([]);
    expect(did).toEqual(["write a,b"]);
  });

  it("goes on under the next lease, ends calls of the lost one once, and those without a begin that are as old", async () => {
    const { write, did, state } = open();
    state.held.delete("s0");
    const lines = [end("old", "s0"), end("fresh", undefined), end("before", "none", 100), end("after", "none", 101)];
    await write(lines);
    expect(did).toEqual(["lost s0", "abandon s0", "end old", "end before", "write fresh,after"]);
    expect(lines.map(({ recorded }) => recorded)).toEqual([{ ok: true }, undefined, { ok: true }, undefined]);
    await write([end("next", "s1"), end("older", "s0")]);
    expect(did.slice(5)).toEqual(["abandon s0", "end older", "write next"]);
    await write([end("last", "s0")]);
    expect(did.slice(8)).toEqual(["abandon s0", "end last"]);
  });

  it("notices that somebody else reported the loss", async () => {
    const { write, did, lease } = open();
    lease.index = 1;
    await write([end("a", "s0"), end("b", "s1")]);
    expect(did).toEqual(["abandon s0", "end a", "write b"]);
  });

  it("passes on what is no loss, and gives up where every lease is lost at once", async () => {
    const { write, did, state, lease } = open();
    state.held.clear();
    await expect(write([end("a", undefined)])).rejects.toMatchObject({ code: "LEASE_LOST" });
    expect([did.length, lease.index]).toEqual([50, 50]);
    const broken = writeUnderLease({ ...stub, lease: lease as never, write: () => Promise.reject(new Error("away")) });
    await expect(broken([end("a", undefined)])).rejects.toThrow("away");
  });

  it("does not report another lease than its own", async () => {
    const { lease, did } = open();
    let tries = 0;
    const write = writeUnderLease({
      ...stub,
      lease: lease as never,
      async write() {
        if (tries++ === 0) throw leaseLost("another");
      },
    });
    await write([end("a", undefined)]);
    expect([tries, did]).toEqual([2, []]);
  });

  const stub = { now: () => 0, write: async () => undefined, abandon: async () => undefined, endOnce: async () => undefined };

  it("knows the name of a server with a lease or without", () => {
    const { lease } = open();
    expect([toName("s"), toName(undefined), toName(lease as never)]).toEqual(["s", "", "s0"]);
    expect([toLease("s"), toLease(undefined), toLease(lease as never)]).toEqual([undefined, undefined, lease]);
  });

  it("an end is appended once, after the audit is locked", async () => {
    const asked: unknown[][] = [];
    const tx = {
      lockAudit: async () => void asked.push(["lockAudit"]),
      auditBefore: async (...args: unknown[]) => {
        asked.push(["auditBefore", ...args]);
        return [{ callId: "a", subject: "echo", ok: 1, code: null, durationMs: 1, body: '{"startedAt":5,"output":"done"}' }];
      },
    } as unknown as Writes;
    const engine = { writeAudit: (work: (one: Writes) => unknown) => work(tx) } as unknown as Engine;
    expect(await appendOnce(engine, { owner: "acme", callId: "a", content: [] as never, key: undefined })).toEqual({
      ok: true,
      content: "done",
      meta: { callId: "a", tool: "echo", durationMs: 1 },
    });
    expect(asked).toEqual([["lockAudit"], ["auditBefore", Number.MAX_SAFE_INTEGER, 1, { owner: "acme", kinds: ["call"], callId: "a" }]]);
  });
});
