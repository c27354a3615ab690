import type { CallRecord, Caller, CallStart, ToolFailure } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { abandoned, type StoredCall, toCallRecords, toErrorDetails, toStoredCall } from "../../src/calls/call-body.ts";
import { createCallTexts, toRunningText } from "../../src/calls/call-text.ts";
import { toStoredResult } from "../../src/calls/stored-result.ts";
import { storable, toContent } from "../../src/engine/chain.ts";

const keep = (value: unknown): unknown => value;
const hide = (value: unknown): unknown =>
  typeof value === "string" ? "[hidden]" : Array.isArray(value) ? value : typeof value === "object" ? { hidden: true } : value;
const caller: Caller = Object.freeze({ agent: "ada", principal: "p" });
const record = (more: Partial<CallRecord> = {}): CallRecord =>
  ({
    callId: "c1",
    tool: "echo",
    input: { text: "x" },
    caller,
    startedAt: 5.7,
    result: { ok: true, content: "done", meta: { callId: "c1", tool: "echo", durationMs: 1.2345 } },
    ...more,
  }) as CallRecord;
const failure = (more: Partial<ToolFailure> = {}): ToolFailure =>
  ({
    ok: false,
    error: "It broke.",
    code: "TOOL_FAILED",
    status: 500,
    retryable: false,
    meta: { callId: "c1", tool: "echo", durationMs: 1 },
    ...more,
  }) as ToolFailure;
const start = (more: Partial<CallStart> = {}): CallStart =>
  ({ callId: "c1", tool: "echo", input: { text: "x" }, caller, startedAt: 5.7, ...more }) as CallStart;

describe("the line of a call", () => {
  const texts = createCallTexts("acme", 100);
  const bodyOf = (one: CallRecord, redact = keep) => JSON.parse(texts.line(one, 9.9, redact, undefined)[9]) as Record<string, unknown>;

  it("has the call in its columns", () => {
    expect(texts.line(record(), 9.9, keep, undefined).with(9, "")).toEqual([
      9,
      "acme",
      "call",
      "ada",
      "echo",
      "c1",
      1,
      null,
      1.235,
      "",
      "p",
    ]);
    const failed = texts.line(record({ result: failure() }), 9, keep, undefined);
    expect([failed[6], failed[7]]).toEqual([0, "TOOL_FAILED"]);
    const agentOf = (one: Caller) => texts.line(record({ caller: one }), 9, keep, undefined)[3];
    expect([agentOf({ sender: "s" }), agentOf({ agent: "a", sender: "s" }), agentOf({})]).toEqual(["s", "a", "unknown"]);
  });

  it("has the rest in its body, and leaves out what there is not", () => {
    expect(bodyOf(record())).toEqual({ startedAt: 5, caller, input: { text: "x" }, output: "done" });
    const result = {
      ok: true as const,
      content: "c",
      data: { a: 1 },
      meta: { callId: "c1", tool: "echo", durationMs: 1, version: "1.0.0" },
    };
    expect(bodyOf(record({ result, parentCallId: "c0" } as never))).toEqual({
      startedAt: 5,
      caller,
      input: { text: "x" },
      version: "1.0.0",
      parentCallId: "c0",
      output: { a: 1 },
    });
    expect(bodyOf(record({ result: failure(), stack: "at x" } as never))).toEqual({
      startedAt: 5,
      caller,
      input: { text: "x" },
      error: {
        type: "execution",
        severity: "high",
        code: "TOOL_FAILED",
        status: 500,
        message: "It broke.",
        retryable: false,
        stack: "at x",
      },
    });
    expect(bodyOf(record({ input: undefined as never }))).not.toHaveProperty("input");
  });

  it("has what is known of the arguments, where the tool comes from, who got the result, and how long it waited for people", () => {
    const from = createCallTexts("acme", 100, (tool) => (tool === "echo" ? "mcp:x/echo" : undefined));
    const blocks = [{ type: "image", data: "AA==", mimeType: "image/png" }];
    const meta = { callId: "c1", tool: "echo", durationMs: 5.5, waitedMs: 2.12345 };
    const result = { ok: true as const, content: "c", blocks, meta };
    const full = record({ labels: { "/to": ["untrusted"] }, deliver: "user", result } as never);
    const line = from.line(full, 9, keep, undefined);
    expect(line[8]).toBe(3.377);
    expect(JSON.parse(line[9])).toEqual({
      startedAt: 5,
      waitedMs: 2.123,
      caller,
      input: { text: "x" },
      upstream: "mcp:x/echo",
      labels: { "/to": ["untrusted"] },
      deliver: "user",
      output: "c",
      blocks,
    });
    expect(JSON.parse(from.line({ ...full, deliver: "both" }, 9, keep, undefined)[9])).toMatchObject({ deliver: "both", blocks });
    expect(JSON.parse(from.line({ ...full, deliver: "model" } as never, 9, keep, undefined)[9])).not.toHaveProperty("blocks");
    const failed = JSON.parse(
      from.line(record({ deliver: "user", tool: "other", result: failure() } as never), 9, keep, undefined)[9],
    ) as object;
    expect(Object.keys(failed)).toEqual(["startedAt", "caller", "input", "error"]);
  });

  it("shows more of a result that is for the user, up to four million characters", () => {
    const output = (length: number, deliver: string | undefined) =>
      bodyOf(record({ deliver, result: { ...record().result, content: "y".repeat(length) } } as never))["output"];
    for (const deliver of ["user", "both"]) expect(output(101, deliver)).toBe("y".repeat(101));
    expect(output(101, "model")).toHaveProperty("truncated", true);
    expect(output(4_194_302, "user")).toHaveLength(4_194_302);
    expect(output(4_194_303, "user")).toEqual({ truncated: true, characters: 4_194_305, beginning: `"${"y".repeat(4_095)}` });
  });

  it("is redacted: caller, input, output, error and stack", () => {
    expect(bodyOf(record(), hide)).toEqual({ startedAt: 5, caller: { hidden: true }, input: { hidden: true }, output: "[hidden]" });
    expect(bodyOf(record({ result: failure(), stack: "at s3cret" } as never), hide)["error"]).toMatchObject({
      message: "[hidden]",
      stack: "[hidden]",
    });
  });

  it("shows of a value that is too large its beginning", () => {
    const long = "y".repeat(101);
    const cut = { truncated: true, characters: 103, beginning: `"${"y".repeat(99)}` };
    expect(bodyOf(record({ input: long as never, result: { ...record().result, content: long } as never }))).toMatchObject({
      input: cut,
      output: cut,
    });
    expect(bodyOf(record({ input: "y".repeat(98) as never }))["input"]).toBe("y".repeat(98));
    const large = createCallTexts("acme", 10_000);
    const body = JSON.parse(large.line(record({ input: "y".repeat(10_000) as never }), 1, keep, undefined)[9]) as {
      input: { beginning: string };
    };
    expect(body.input.beginning).toHaveLength(4_096);
  });

  it("reuses the text of its beginning while input and redaction are the same", () => {
    let reads = 0;
    const counting = (value: unknown) => (reads++, value);
    const known = texts.request(start(), counting);
    const before = reads;
    const again = texts.line(record({ input: known.start.input }), 9, counting, known);
    expect([reads - before, (JSON.parse(again[9]) as { input: unknown }).input]).toEqual([1, { text: "x" }]);
    expect(JSON.parse(texts.line(record({ input: { text: "other" } as never }), 9, counting, known)[9])).toMatchObject({
      input: { text: "other" },
    });
    expect(JSON.parse(texts.line(record({ input: known.start.input }), 9, hide, known)[9])).toMatchObject({ input: { hidden: true } });
  });

  it("reads a caller once if nothing about it can change", () => {
    const reads: unknown[] = [];
    const counting = (value: unknown) => (reads.push(value), value);
    const count = (one: Caller) => {
      reads.length = 0;
      for (let times = 0; times < 2; times++) texts.request(start({ caller: one }), counting);
      return reads.filter((value) => value === one).length;
    };
    expect(count(Object.freeze({ agent: "a", roles: Object.freeze(["r"]) }))).toBe(1);
    expect([count({ agent: "a" }), count(Object.freeze({ agent: "a", roles: ["r"] }))]).toEqual([2, 2]);
    expect(texts.request(start(), hide).caller).toBe('{"hidden":true}');
  });
});

describe("a running call", () => {
  it("is stored with its names, its caller and its input", () => {
    const texts = createCallTexts("acme", 100);
    const running = (more: Partial<CallStart>) => JSON.parse(toRunningText(texts.request(start(more), keep))) as unknown;
    expect(running({ parentCallId: "c0" } as never)).toEqual({
      callId: "c1",
      tool: "echo",
      parentCallId: "c0",
      startedAt: 5,
      caller,
      input: { text: "x" },
    });
    expect(running({ input: undefined as never })).toEqual({ callId: "c1", tool: "echo", startedAt: 5, caller });
  });
});

describe("a call that is read from the log", () => {
  const row = { number: 7, subject: "echo", callId: "c1", ok: 1, code: null, durationMs: 2, body: '{"startedAt":5,"caller":{},"input":1}' };

  it("has its columns and its body", () => {
    expect(toStoredCall(row as never)).toEqual({
      number: 7,
      callId: "c1",
      tool: "echo",
      ok: true,
      durationMs: 2,
      startedAt: 5,
      caller: {},
      input: 1,
    });
    expect(toStoredCall({ ...row, callId: null, ok: 0, code: "TIMEOUT", durationMs: null } as never)).toMatchObject({
      callId: "",
      ok: false,
      code: "TIMEOUT",
      durationMs: 0,
    });
    const waited = { ...row, body: '{"startedAt":5,"waitedMs":7,"caller":{},"input":1}' };
    expect(toStoredCall(waited as never)).toMatchObject({ durationMs: 9, waitedMs: 7 });
  });

  const stored: StoredCall = {
    number: 7,
    callId: "c1",
    tool: "echo",
    ok: true,
    durationMs: 2,
    startedAt: 5,
    caller: { agent: "ada" },
    input: 1,
  };

  it("gives its result again", () => {
    const meta = { callId: "c1", tool: "echo", durationMs: 2 };
    expect(toStoredResult({ ...stored, output: "text" })).toEqual({ ok: true, content: "text", meta });
    expect(toStoredResult({ ...stored, output: { a: 1 } })).toEqual({ ok: true, content: '{"a":1}', data: { a: 1 }, meta });
    expect(toStoredResult(stored)).toEqual({ ok: true, content: "", data: undefined, meta });
    expect(toStoredResult({ ...stored, waitedMs: 7, output: "" }).meta).toEqual({ ...meta, waitedMs: 7 });
    for (const deliver of ["user", "none"] as const)
      expect(toStoredResult({ ...stored, deliver, output: "secret" })).not.toHaveProperty("content", "secret");
    expect(toStoredResult({ ...stored, deliver: "both", output: "text" })).toEqual({ ok: true, content: "text", meta });
    expect(toStoredResult({ ...stored, version: "1", parentCallId: "c0", output: "" }).meta).toEqual({
      ...meta,
      version: "1",
      parentCallId: "c0",
    });
    expect(toStoredResult({ ...stored, error: abandoned })).toEqual({
      ok: false,
      error: abandoned.message,
      code: "ABORTED",
      status: abandoned.status,
      retryable: false,
      meta,
    });
  });

  it("is two records for other systems: a request, and its response or error", () => {
    const times = { timestamp: "1970-01-01T00:00:00.005Z" };
    const [request, response] = toCallRecords({ ...stored, output: { a: 1 } });
    expect(request).toEqual({
      id: "request-c1",
      schema_name: "tool.request.v1",
      title: "Request of echo",
      tags: ["workspace:tools", "tool:request"],
      context: { tool: "echo", input: 1, requestId: "c1", requestedBy: "ada", ...times },
    });
    expect(response).toEqual({
      id: "response-c1",
      schema_name: "tool.response.v1",
      title: "Response of echo",
      tags: ["workspace:tools", "tool:response", "request:c1"],
      context: {
        request_id: "c1",
        tool: "echo",
        execution_time_ms: 2,
        requestedBy: "ada",
        timestamp: "1970-01-01T00:00:00.007Z",
        status: "success",
        output: { a: 1 },
      },
    });
    const [full, failed] = toCallRecords({ ...stored, caller: {}, version: "1", parentCallId: "c0", error: abandoned });
    expect(full.context).toMatchObject({ requestedBy: null, version: "1", parent: "c0" });
    expect(failed).toMatchObject({
      schema_name: "tool.error.v1",
      title: "Error of echo",
      tags: ["workspace:tools", "tool:error", "request:c1"],
      context: { status: "error", error: abandoned, input: 1, requestedBy: null },
    });
    expect(toCallRecords(stored)[1].context).toMatchObject({ output: null });
  });
});

describe("the error of a call", () => {
  it.each([
    ["TIMEOUT", "timeout"],
    ["ABORTED", "cancelled"],
    ["INPUT_INVALID", "validation"],
    ["OUTPUT_INVALID", "validation"],
    ["TOOL_NOT_FOUND", "not-found"],
    ["TOOL_NOT_ALLOWED", "permission"],
    ["APPROVAL_REQUIRED", "permission"],
    ["APPROVAL_DENIED", "permission"],
    ["BLOCKED", "permission"],
    ["NEEDS_CONFIGURATION", "configuration"],
    ["SECRET_MISSING", "configuration"],
    ["SERVICE_MISSING", "configuration"],
    ["TOOL_UNAVAILABLE", "unavailable"],
    ["CIRCUIT_OPEN", "unavailable"],
    ["RATE_LIMITED", "limit"],
    ["BUDGET_EXCEEDED", "limit"],
    ["QUEUE_FULL", "limit"],
    ["TOOL_FAILED", "execution"],
  ] as const)("%s is of type %s", (code, type) => {
    expect(toErrorDetails(failure({ code }), "m")).toMatchObject({ code, type, message: "m" });
  });

  it("is as severe as it is unlikely to go away", () => {
    const severity = (status: number, retryable: boolean) => toErrorDetails(failure({ status, retryable }), "m").severity;
    expect([
      severity(500, false),
      severity(500, true),
      severity(429, true),
      severity(429, false),
      severity(499, false),
      severity(404, true),
    ]).toEqual(["high", "medium", "medium", "medium", "low", "low"]);
    expect(toErrorDetails(failure(), "m")).not.toHaveProperty("stack");
    expect(abandoned).toMatchObject({ type: "abandoned", severity: "high", code: "ABORTED", retryable: false, status: 499 });
  });
});

describe("what goes into a line of the audit", () => {
  it("has a place for every column, and null where there is nothing", () => {
    expect(toContent({ at: 1.9, owner: "o", kind: "k", agent: "a", subject: "s", body: "{}" })).toEqual([
      1,
      "o",
      "k",
      "a",
      "s",
      null,
      null,
      null,
      null,
      "{}",
      "",
    ]);
    const full = {
      at: 1,
      owner: "o",
      kind: "k",
      agent: "a",
      principal: "p",
      subject: "s",
      callId: "c",
      ok: false,
      code: "E",
      durationMs: 0.12345,
      body: "{}",
    };
    expect(toContent(full)).toEqual([1, "o", "k", "a", "s", "c", 0, "E", 0.123, "{}", "p"]);
  });

  it("has names that every database takes", () => {
    expect(["a b", "x".repeat(512), "é"].map(storable)).toEqual(["a b", "x".repeat(512), "é"]);
    expect(storable("x".repeat(513))).toBe(`${"x".repeat(511)}…`);
    expect([storable("a\0b"), storable("a\ud800")]).toEqual(["a\ufffdb", "a\ufffd"]);
  });
});
