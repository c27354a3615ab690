import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errorStatus, ToolAuthorizationError, ToolError, ToolInputError } from "../../src/errors.ts";
import { type CallMeta, describeThrown, toFailure, toResult, toStructured } from "../../src/tool/result.ts";

const meta: CallMeta = { callId: "call-1", tool: "search", durationMs: 12 };

describe("what a handler returns becomes a result:", () => {
  it.each<[what: string, returned: unknown, result: object]>([
    ["a text as it is", "hello", { content: "hello" }],
    ["nothing as an empty text", undefined, { content: "" }],
    ["null as an empty text", null, { content: "" }],
    ["an object as data and as JSON", { n: [1] }, { content: '{"n":[1]}', data: { n: [1] } }],
    ["a number as data", 0, { content: "0", data: 0 }],
    ["false as data", false, { content: "false", data: false }],
    ["an empty list as data", [], { content: "[]", data: [] }],
    ["a result as it is", { ok: true, content: "hi", data: 5 }, { content: "hi", data: 5 }],
    ["a result with null for data", { ok: true, content: "hi", data: null }, { content: "hi", data: null }],
    [
      "an object that only looks a little like a result",
      { ok: true, rows: 3 },
      { content: '{"ok":true,"rows":3}', data: { ok: true, rows: 3 } },
    ],
  ])("%s", (_what, returned, result) => {
    expect(toResult(returned, meta)).toEqual({ ok: true, meta, ...result });
  });

  it("the files that it wrote", () => {
    const effects = [{ kind: "file", action: "write", target: "notes.md" }];
    expect(toResult({ ok: true, content: "done", effects }, meta)).toEqual({ ok: true, content: "done", effects, meta });
  });

  it("TD11: leaves out a delay that is no number of milliseconds, and takes a day for a longer one", () => {
    const delayOf = (retryAfterMs: unknown): unknown =>
      (toResult({ ok: false, error: "later", code: "RATE_LIMITED", retryAfterMs }, meta) as { retryAfterMs?: number }).retryAfterMs;
    for (const wrong of [Number.NaN, -1, "soon", null, {}, 5n]) expect(delayOf(wrong)).toBeUndefined();
    expect([delayOf(0), delayOf(50.5), delayOf(1e19), delayOf(Infinity)]).toEqual([0, 50.5, 86_400_000, 86_400_000]);
    const thrown = new ToolError("RATE_LIMITED", "later", { retryAfterMs: Number.NaN });
    expect(toFailure(thrown, meta)).not.toHaveProperty("retryAfterMs");
  });

  it("a failure with its code, and TOOL_FAILED for a code that nobody knows", () => {
    expect(toResult({ ok: false, error: "slow down", code: "RATE_LIMITED", retryable: true, retryAfterMs: 50 }, meta)).toEqual({
      ok: false,
      error: "slow down",
      code: "RATE_LIMITED",
      status: 429,
      retryable: true,
      retryAfterMs: 50,
      meta,
    });
    for (const code of ["constructor", "__proto__", "NOPE", 5, undefined]) {
      expect(toResult({ ok: false, error: "no", code }, meta)).toEqual({
        ok: false,
        error: "no",
        code: "TOOL_FAILED",
        status: 500,
        retryable: false,
        meta,
      });
    }
  });
});

describe("what a handler throws becomes a failure:", () => {
  it.each<[what: string, thrown: unknown, error: string]>([
    ["an error by its message", new Error("disk full"), "disk full"],
    ["an error without a message by its name", new TypeError(""), "TypeError"],
    ["a text as it is", "disk full", "disk full"],
    ["an empty text", "", "The tool threw an empty text."],
    ["null", null, "The tool threw null."],
    ["undefined", undefined, "The tool threw undefined."],
    ["a number", 5, "The tool threw 5."],
    ["a symbol", Symbol("s"), "The tool threw Symbol(s)."],
    ["an object with a message", { message: "disk full" }, "disk full"],
    ["any other object as JSON", { code: 5 }, 'The tool threw {"code":5}.'],
    ["an object that cannot be shown", { big: 1n }, "The tool threw an object."],
    [
      "an object whose parts throw",
      {
        get message() {
          return fail();
        },
      },
      "The tool threw a value that cannot be described.",
    ],
    ["an error whose message is no text", Object.assign(new Error("x"), { message: { deep: 1 } }), "Error"],
  ])("%s", (_what, thrown, error) => {
    expect(toFailure(thrown, meta)).toEqual({ ok: false, error, code: "TOOL_FAILED", status: 500, retryable: false, meta });
    expect(describeThrown(thrown)).toBe(error);
  });

  it("a fetch that failed by its cause, with host and port", async () => {
    const server = createServer((request) => request.socket.destroy()).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const failed = (): Promise<unknown> => fetch(`http://127.0.0.1:${port}/`).catch((error: unknown) => error);
    expect(describeThrown(await failed())).toBe(`fetch failed: other side closed (127.0.0.1:${port})`);
    server.close();
    await once(server, "close");
    expect(describeThrown(await failed())).toBe(`fetch failed: connect ECONNREFUSED 127.0.0.1:${port}`);
    const unknown = await fetch("http://nowhere.invalid/").catch((error: unknown) => error);
    expect(describeThrown(unknown)).toMatch(/^fetch failed: getaddrinfo \w+ nowhere\.invalid$/);
    const several = new AggregateError([new Error("connect ECONNREFUSED ::1:9"), new Error("connect ECONNREFUSED 127.0.0.1:9")], "");
    expect(describeThrown(new TypeError("fetch failed", { cause: several }))).toBe(
      "fetch failed: connect ECONNREFUSED ::1:9, connect ECONNREFUSED 127.0.0.1:9",
    );
    expect(describeThrown(new TypeError("terminated", { cause: new Error("other side closed") }))).toBe("terminated: other side closed");
    expect(describeThrown(new Error("Saving failed.", { cause: new Error("the password is wrong") }))).toBe("Saving failed.");
    expect(describeThrown(new TypeError("fetch failed"))).toBe("fetch failed");
  });

  it("an error of ours keeps its code, its status and whether to try again", () => {
    expect(toFailure(new ToolInputError("no such file"), meta)).toMatchObject({
      code: "INPUT_INVALID",
      status: 400,
      error: "no such file",
    });
    expect(toFailure(new ToolAuthorizationError("not yours"), meta)).toMatchObject({ code: "TOOL_NOT_ALLOWED", status: 403 });
    expect(toFailure(new ToolError("TIMEOUT", "slow", { retryable: true }), meta)).toMatchObject({
      code: "TIMEOUT",
      status: 504,
      retryable: true,
    });
  });

  it("an error of another version of this package, with a code that is unknown here, is a plain failure", () => {
    const foreign = Object.assign(new ToolError("TIMEOUT", "from the future"), { code: "TIME_TRAVEL" });
    expect(toFailure(foreign, meta)).toMatchObject({ code: "TOOL_FAILED", status: 500, error: "from the future" });
  });

  it("whatever it is, the failure has a text and a known code", () => {
    const proxy = new Proxy({}, { get: () => fail(), has: () => fail(), getPrototypeOf: () => fail() });
    const anything = fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true, withDate: true });
    fc.assert(
      fc.property(anything, fc.boolean(), (value, isHostile) => {
        const result = toFailure(isHostile ? proxy : value, meta);
        expect(typeof result.error).toBe("string");
        expect(Object.hasOwn(errorStatus, result.code)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe("toStructured", () => {
  // row: B3
  it("speaks of success, data, error and the time it took", () => {
    expect(toStructured({ ok: true, content: "5", data: 5, meta })).toEqual({ success: true, data: 5, error: null, execution_time_ms: 12 });
    expect(toStructured(toFailure(new Error("disk full"), meta))).toEqual({
      success: false,
      data: null,
      error: "disk full",
      execution_time_ms: 12,
    });
  });

  it("gives the text where there is no data, and null where null is the data", () => {
    expect(toStructured({ ok: true, content: "hello", meta }).data).toBe("hello");
    expect(toStructured({ ok: true, content: "hello", data: null, meta }).data).toBeNull();
  });
});

function fail(): never {
  throw new Error("never look");
}
