import type { CallRecord, ToolResult } from "@toolrack/core";
import { createFakeClock } from "@toolrack/core/testing";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { abandoned, isCutText, type StoredCall, toCallRecords, toErrorDetails } from "../../src/calls/call-body.ts";
import { type CallLog, type CallLogOptions, createCallLog } from "../../src/calls/call-log.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { createMemoryEngine } from "../../src/engines/memory/memory.ts";
import { keyAudit } from "../../src/secrets/audit-key.ts";
import { createKeys } from "../../src/secrets/keys.ts";
import { createStore, insideOf } from "../../src/store/create-store.ts";
import { takeLease } from "../../src/testing/contract/_lease.ts";
import { StoreError } from "../../src/errors.ts";
import type { BreadcrumbStore } from "../../src/store/store.ts";
import { createCallSums } from "../../src/usage/call-sums.ts";

function open(
  options: CallLogOptions = {},
  change: (engine: Engine) => Partial<Engine> = () => ({}),
): { readonly calls: CallLog; readonly store: BreadcrumbStore } {
  const engine = createMemoryEngine();
  const store = createStore({ ...engine, ...change(engine) });
  afterThisTest(() => store.close());
  return { calls: createCallLog(store, options), store };
}

function call(callId: string, more: Partial<CallRecord> = {}, meta: object = {}): CallRecord {
  const result = { ok: true, content: "out", meta: { callId, tool: "t", durationMs: 5, ...meta } } as ToolResult;
  return { callId, tool: "t", input: { a: 1 }, caller: { agent: "bot", principal: "p" }, startedAt: 1_000, result, ...more };
}

describe("the log of calls", () => {
  it("has a call as a whole", async () => {
    const { calls } = open();
    await calls.record(call("c1", { parentCallId: "c0" }));
    const stored = {
      number: 1,
      callId: "c1",
      tool: "t",
      ok: true,
      durationMs: 5,
      startedAt: 1_000,
      caller: { agent: "bot", principal: "p" },
      input: { a: 1 },
      parentCallId: "c0",
      output: "out",
    };
    expect(await calls.show("c1")).toEqual(stored);
    expect(await calls.list()).toEqual([stored]);
  });

  it("lists the calls that are asked for, the newest first", async () => {
    const { calls } = open();
    const failed = (callId: string): ToolResult =>
      ({
        ok: false,
        error: "no",
        code: "TOOL_FAILED",
        status: 500,
        retryable: false,
        meta: { callId, tool: "u", durationMs: 1 },
      }) as ToolResult;
    await calls.record(call("a-1"));
    await calls.record(call("a-2", { tool: "u", result: failed("a-2") }));
    await calls.record(call("b-3", { caller: { sender: "ann" } }));
    const ids = async (query?: Parameters<CallLog["list"]>[0]): Promise<string[]> => (await calls.list(query)).map(({ callId }) => callId);
    expect(await ids()).toEqual(["b-3", "a-2", "a-1"]);
    expect(await ids({ limit: 1 })).toEqual(["b-3"]);
    expect(await ids({ before: 2 })).toEqual(["a-1"]);
    expect(await ids({ tool: "u" })).toEqual(["a-2"]);
    expect(await ids({ agent: "bot" })).toEqual(["a-2", "a-1"]);
    expect(await ids({ agent: "ann" })).toEqual(["b-3"]);
    expect(await ids({ principals: ["p"] })).toEqual(["a-2", "a-1"]);
    expect(await ids({ principals: [""] })).toEqual(["b-3"]);
    expect(await ids({ idPrefix: "a-" })).toEqual(["a-2", "a-1"]);
    expect(await ids({ ok: false })).toEqual(["a-2"]);
    expect(await ids({ ok: true })).toEqual(["b-3", "a-1"]);
    expect(await ids({ from: Date.now() + 60_000 })).toEqual([]);
    expect(await ids({ from: 0 })).toEqual(["b-3", "a-2", "a-1"]);
  });

  it("counts the calls of each tool, by name", async () => {
    const { calls } = open();
    for (const tool of ["u", "t", "t"]) await calls.record(call(`c-${tool}`, { tool }));
    const lastUsed = expect.stringMatching(/^20/);
    const none = { refused: 0, invalid: 0, denied: 0 };
    const all = [
      { tool: "t", calls: 2, errors: 0, ...none, errorRate: 0, p50Ms: 5, p95Ms: 5, lastUsed },
      { tool: "u", calls: 1, errors: 0, ...none, errorRate: 0, p50Ms: 5, p95Ms: 5, lastUsed },
    ];
    expect(await calls.statistics()).toEqual(all);
    expect(await calls.statistics({ from: 0 })).toEqual(all);
    await calls.record(call("c-a", { tool: "a" }));
    expect((await calls.statistics()).map((one) => [one.tool, one.calls])).toEqual([
      ["a", 1],
      ["t", 2],
      ["u", 1],
    ]);
    const { tools, isComplete } = await calls.usage({ from: 0, to: Date.now() + 1_000, bucketMs: 1e15 });
    expect([tools.map(({ tool }) => tool), isComplete]).toEqual([["t", "a", "u"], true]);
    const own = await calls.usage({ from: 0, to: Date.now() + 1_000, bucketMs: 1e15, tool: "u", agent: "bot", principals: ["p"] });
    expect(own.tools.map(({ tool, calls: count, buckets }) => [tool, count, buckets.length])).toEqual([["u", 1, 1]]);
  });

  it("knows its running calls without the store, and where nothing is saved", async () => {
    const { calls } = open({ server: "s1" });
    await calls.begin!({ callId: "c1", tool: "t", input: {}, caller: { agent: "bot" }, startedAt: 5, parentCallId: "c0" } as never);
    await calls.begin!({ callId: "c2", tool: "t", input: {}, caller: {}, startedAt: 6 } as never);
    expect(calls.open()).toEqual([
      { callId: "c1", tool: "t", caller: { agent: "bot" }, startedAt: 5, server: "s1", parentCallId: "c0" },
      { callId: "c2", tool: "t", caller: {}, startedAt: 6, server: "s1" },
    ]);
    expect((await calls.running()).map(({ callId }) => callId)).toEqual(["c1", "c2"]);
    expect((await calls.running({ server: "s1" })).length).toBe(2);
    expect(await calls.running({ server: "s2" })).toEqual([]);
    expect([calls.missing.kept, calls.missing.dropped, await calls.recover(), calls.lost()]).toEqual([0, 0, 0, []]);
    await calls.record(call("c1"));
    expect(calls.open().map(({ callId }) => callId)).toEqual(["c2"]);
    expect(await calls.abandon("s1")).toBe(1);
    expect(await calls.show("c2")).toMatchObject({
      ok: false,
      code: "ABORTED",
      error: { type: "abandoned", severity: "high", retryable: false },
    });
  });

  it("writes nothing of a call that did not begin, and an end once", async () => {
    const { calls, store } = open();
    expect(await calls.record({ ...call("c1"), notBegun: true })).toBeUndefined();
    expect(await calls.list()).toEqual([]);
    expect(await calls.recordOnce(call("c2"))).toBeUndefined();
    expect(await calls.recordOnce(call("c2"))).toMatchObject({ ok: true });
    expect(await calls.list()).toHaveLength(1);
    expect(createCallLog(store).begin).toBeUndefined();
    expect(() => createCallLog(store, { keepEnds: true } as never)).toThrow("createCallLog: keepEnds is called endBacklog now. Rename it.");
    expect(() => createCallLog(store, { server: "a b" })).toThrow(/^The name of a server "a b"/);
  });

  it("tells of a queued line that could not be written, and does not let the call wait", async () => {
    const failure = new Error("down");
    const errors: unknown[] = [];
    const { calls } = open({ acknowledge: "queued", onError: (error) => errors.push(error) }, () => ({
      writeLog: () => Promise.reject(failure),
      writeAudit: () => Promise.reject(failure),
    }));
    expect(await calls.record(call("c1"))).toBeUndefined();
    await calls.flush();
    expect(errors).toEqual([failure]);
    const { calls: sound } = open({ acknowledge: "queued" });
    const input = { a: 1 };
    await sound.record(call("c1", { input }));
    input.a = 2;
    await sound.flush();
    expect((await sound.show("c1"))?.input).toEqual({ a: 1 });
  });

  it("asks for a hundred calls, or as many as are wanted up to a thousand, by what is given alone", async () => {
    const asked: unknown[][] = [];
    const { calls } = open({}, ({ auditBefore }) => ({ auditBefore: (...args) => (asked.push(args), auditBefore(...args)) }));
    await calls.list();
    await calls.list({ limit: 1_001, before: 7, tool: "t\0", agent: "a", principals: ["p\0"], idPrefix: "c", ok: false });
    await calls.show("c\0");
    expect(asked).toEqual([
      [Number.MAX_SAFE_INTEGER, 100, { owner: "local", kinds: ["call"] }],
      [
        7,
        1_000,
        { owner: "local", kinds: ["call"], subject: "t\ufffd", agent: "a", principals: ["p\ufffd"], callIdPrefix: "c", ok: false },
      ],
      [Number.MAX_SAFE_INTEGER, 1, { owner: "local", kinds: ["call"], callId: "c\ufffd" }],
    ]);
  });

  it("shows an end that waits for the store as it will be written", async () => {
    let isAway = true;
    const { calls } = open({ server: "s1", endBacklog: {} }, (engine) => ({
      writeLog: (page) =>
        isAway && page.lines.length > 0 ? Promise.reject(new StoreError("STORE_UNAVAILABLE", "Away.")) : engine.writeLog(page),
    }));
    await calls.begin!({ callId: "c1", tool: "t", input: { a: 1 }, caller: { agent: "bot", principal: "p" }, startedAt: 1_000 });
    expect(await calls.record(call("c1"))).toBeUndefined();
    const stored = {
      number: 0,
      callId: "c1",
      tool: "t",
      ok: true,
      durationMs: 5,
      startedAt: 1_000,
      caller: { agent: "bot", principal: "p" },
      input: { a: 1 },
      output: "out",
    };
    expect([await calls.show("c1"), calls.missing.kept]).toEqual([stored, 1]);
    isAway = false;
    await calls.flush();
    expect([await calls.show("c1"), calls.missing.kept]).toEqual([{ ...stored, number: 1 }, 0]);
  });

  it("gives up the calls of a server fifty notes at a time, and each with its own end", async () => {
    const { calls, store } = open({ server: "s1" });
    const starts = Array.from({ length: 51 }, (_, index) => `c${index}`);
    for (const callId of starts)
      await calls.begin!({ callId, tool: "t", input: 1, caller: { sender: "ann" }, startedAt: 7.5, parentCallId: "c" });
    await calls.record(call("c0", { startedAt: 7.5 }));
    const other = createCallLog(store);
    expect(await other.abandon("s1")).toBe(50);
    expect(await other.running()).toEqual([]);
    expect(await other.show("c50")).toEqual({
      number: expect.any(Number),
      callId: "c50",
      tool: "t",
      ok: false,
      code: "ABORTED",
      durationMs: 0,
      startedAt: 7,
      caller: { sender: "ann" },
      input: 1,
      parentCallId: "c",
      error: abandoned,
    });
    expect((await other.list({ agent: "ann" })).length).toBe(50);
    expect(await other.abandon("s1")).toBe(0);
  });

  it("says where a tool comes from, and counts the tools of a time by name", async () => {
    const { calls } = open({ upstreamOf: (tool) => (tool === "u" ? "mcp:x/u" : undefined) });
    for (const tool of ["u", "t", "t", "a"]) await calls.record(call(`c-${tool}`, { tool }));
    expect([(await calls.show("c-u"))!.upstream, (await calls.show("c-t"))!.upstream]).toEqual(["mcp:x/u", undefined]);
    expect((await calls.statistics({ from: 0 })).map(({ tool }) => tool)).toEqual(["a", "t", "u"]);
    expect(await calls.statistics({ from: Date.now() + 60_000 })).toEqual([]);
  });

  it("is written under the key of the audit, at the time of the store", async () => {
    const clock = createFakeClock(5_000);
    const store = createStore(createMemoryEngine(), { clock });
    afterThisTest(() => store.close());
    const { keyId } = await keyAudit(store, createKeys({ current: Buffer.alloc(32, 7) }));
    const lease = await takeLease(store);
    const calls = createCallLog(store, { server: lease });
    const rows = () => insideOf(store).engine.auditBefore(Number.MAX_SAFE_INTEGER, 9, { kinds: ["call"] });
    await calls.recordOnce(call("c1"));
    await calls.begin!({ callId: "c2", tool: "t", input: 1, caller: {}, startedAt: 5 });
    await clock.advance(1_000);
    await createCallLog(store).abandon("one-0");
    expect((await rows()).map(({ callId, at, keyId: id, agent }) => [callId, at, id, agent])).toEqual([
      ["c2", 6_000, keyId, "unknown"],
      ["c1", 5_000, keyId, "bot"],
    ]);
  });

  it("tells a caller of the end that its call got when the lease was lost, and knows which calls those are", async () => {
    const { store } = open();
    const lease = await takeLease(store);
    const calls = createCallLog(store, { server: lease });
    for (const callId of ["c1", "c2"]) await calls.begin!({ callId, tool: "t", input: 1, caller: {}, startedAt: 1_000 });
    expect(calls.lost()).toEqual([]);
    expect(await createCallLog(store).abandon("one-0")).toBe(2);
    await lease.lost("one-0");
    await calls.begin!({ callId: "c3", tool: "t", input: 1, caller: {}, startedAt: 1_000 });
    expect(calls.lost()).toEqual(["c1", "c2"]);
    expect(await calls.record(call("c1"))).toMatchObject({ ok: false, code: "ABORTED", meta: { callId: "c1" } });
    expect(await calls.record(call("c3"))).toBeUndefined();
    expect([calls.lost(), (await calls.running()).length]).toEqual([["c2"], 0]);
  });

  it("saves the end of a queued call that could not be written, and tells of one that there is no room for", async () => {
    const errors: unknown[] = [];
    let isAway = true;
    const away = new StoreError("STORE_UNAVAILABLE", "Away.");
    const { calls } = open({ acknowledge: "queued", onError: (error) => errors.push(error), endBacklog: { maxEnds: 1 } }, (engine) => ({
      writeLog: (page) => (isAway ? Promise.reject(away) : engine.writeLog(page)),
      writeAudit: (work) => (isAway ? Promise.reject(away) : engine.writeAudit(work)),
    }));
    const recorded = calls.record(call("c1"));
    expect(recorded).toBeInstanceOf(Promise);
    await recorded;
    await calls.flush();
    expect([calls.missing.kept, errors]).toEqual([1, []]);
    await expect(calls.record(call("c2"))).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect([calls.missing.kept, calls.missing.dropped]).toEqual([1, 1]);
    isAway = false;
    await calls.flush();
    expect((await calls.list()).map(({ callId }) => callId)).toEqual(["c1"]);
  });

  it.each<[string, (calls: CallLog) => Promise<unknown>, string]>([
    ["show", (calls) => calls.show("c"), "subscriber"],
    ["list", (calls) => calls.list(), "subscriber"],
    ["running", (calls) => calls.running(), "subscriber"],
    ["statistics", (calls) => calls.statistics(), "subscriber"],
    ["usage", (calls) => calls.usage({ from: 0, to: 1, bucketMs: 1 }), "subscriber"],
    ["recover", (calls) => calls.recover(), "curator"],
    ["abandon", (calls) => calls.abandon("s"), "curator"],
    ["recordOnce", async (calls) => calls.recordOnce(call("c")), "curator"],
  ])("%s needs a role", async (_, act, role) => {
    const { store } = open();
    const reader = createCallLog(store.as({ owner: "local", agent: "bot", roles: role === "curator" ? ["subscriber"] : ["emitter"] }));
    await expect(act(reader)).rejects.toMatchObject({ code: "FORBIDDEN", message: expect.stringContaining(`needs the role "${role}"`) });
  });
});

describe("a stored call", () => {
  const stored: StoredCall = {
    number: 1,
    callId: "c1",
    tool: "t",
    ok: true,
    durationMs: 500,
    startedAt: 1_000,
    caller: { agent: "bot" },
    input: { a: 1 },
  };

  it("is a request and a response for other systems", () => {
    const answer = { request_id: "c1", tool: "t", execution_time_ms: 500, requestedBy: "bot", timestamp: "1970-01-01T00:00:01.500Z" };
    const request = { tool: "t", input: { a: 1 }, requestId: "c1", requestedBy: "bot", timestamp: "1970-01-01T00:00:01.000Z" };
    expect(toCallRecords(stored)).toEqual([
      {
        id: "request-c1",
        schema_name: "tool.request.v1",
        title: "Request of t",
        tags: ["workspace:tools", "tool:request"],
        context: request,
      },
      {
        id: "response-c1",
        schema_name: "tool.response.v1",
        title: "Response of t",
        tags: ["workspace:tools", "tool:response", "request:c1"],
        context: { ...answer, status: "success", output: null },
      },
    ]);
    const error = toErrorDetails({ code: "TIMEOUT", status: 504, retryable: true } as never, "late");
    const [asked, failed] = toCallRecords({ ...stored, caller: {}, version: "1.0.0", parentCallId: "c0", error });
    expect(asked.context).toEqual({ ...request, requestedBy: null, version: "1.0.0", parent: "c0" });
    expect(failed).toEqual({
      id: "response-c1",
      schema_name: "tool.error.v1",
      title: "Error of t",
      tags: ["workspace:tools", "tool:error", "request:c1"],
      context: { ...answer, requestedBy: null, status: "error", error, input: { a: 1 } },
    });
  });

  it.each([
    ["TIMEOUT", 504, true, "timeout", "medium"],
    ["ABORTED", 499, false, "cancelled", "low"],
    ["INPUT_INVALID", 400, false, "validation", "low"],
    ["OUTPUT_INVALID", 500, false, "validation", "high"],
    ["TOOL_NOT_FOUND", 404, false, "not-found", "low"],
    ["TOOL_NOT_ALLOWED", 403, false, "permission", "low"],
    ["APPROVAL_REQUIRED", 403, false, "permission", "low"],
    ["APPROVAL_DENIED", 403, false, "permission", "low"],
    ["BLOCKED", 403, false, "permission", "low"],
    ["NEEDS_CONFIGURATION", 422, false, "configuration", "low"],
    ["SECRET_MISSING", 422, false, "configuration", "low"],
    ["SERVICE_MISSING", 500, false, "configuration", "high"],
    ["TOOL_UNAVAILABLE", 503, true, "unavailable", "medium"],
    ["CIRCUIT_OPEN", 503, true, "unavailable", "medium"],
    ["RATE_LIMITED", 429, true, "limit", "medium"],
    ["BUDGET_EXCEEDED", 429, false, "limit", "medium"],
    ["QUEUE_FULL", 429, true, "limit", "medium"],
    ["TOOL_FAILED", 500, false, "execution", "high"],
    ["OWN_CODE", 418, false, "execution", "low"],
  ])("with the failure %s (%d, retryable: %s) is %s, %s", (code, status, retryable, type, severity) => {
    expect(toErrorDetails({ code, status, retryable } as never, "m", "s")).toEqual({
      type,
      severity,
      code,
      status,
      message: "m",
      retryable,
      stack: "s",
    });
    expect(toErrorDetails({ code, status, retryable } as never, "m")).not.toHaveProperty("stack");
  });

  it("knows what was cut", () => {
    const cut = { truncated: true, characters: 5, beginning: "b" };
    expect(isCutText(cut)).toBe(true);
    for (const other of [
      null,
      "text",
      5,
      { ...cut, truncated: false },
      { ...cut, characters: "5" },
      { ...cut, beginning: 5 },
      { ...cut, more: 1 },
    ])
      expect(isCutText(other)).toBe(false);
  });
});

describe("sums of calls", () => {
  it("are the same in any order, with the duration of half and of nearly all calls", () => {
    const counts = [1, 2, 3, 4].map((durationMs) => ({
      tool: "t",
      bucket: 0,
      durationMs,
      code: durationMs === 4 ? "TOOL_FAILED" : "",
      calls: 5,
      errors: durationMs === 4 ? 2 : 0,
      lastAt: 10 * durationMs,
    }));
    const none = { refused: 0, invalid: 0, denied: 0 };
    for (const inOrder of [counts, counts.toReversed()]) {
      const sums = createCallSums();
      for (const count of inOrder) sums.add(count);
      expect(sums.summary()).toEqual({ calls: 20, errors: 2, ...none, lastAt: 40, p50Ms: 2, p95Ms: 4 });
    }
    expect(createCallSums().summary()).toEqual({ calls: 0, errors: 0, ...none, lastAt: 0, p50Ms: 0, p95Ms: 0 });
    const twice = createCallSums();
    for (const count of [counts[0]!, counts[0]!, counts[3]!]) twice.add(count);
    expect(twice.summary()).toEqual({ calls: 15, errors: 2, ...none, lastAt: 40, p50Ms: 1, p95Ms: 4 });
  });
});
