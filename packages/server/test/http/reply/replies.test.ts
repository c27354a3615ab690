import { ToolError } from "@toolrack/core";
import { StoreError } from "@toolrack/store";
import { describe, expect, it, vi } from "vitest";
import { toEventStream } from "../../../src/http/reply/event-stream.ts";
import { Problem } from "../../../src/http/reply/problem.ts";
import { jsonReply, problemReply, streamReply, textReply, toProblem } from "../../../src/http/reply/respond.ts";
import type { StreamEvent } from "../../../src/http/route.ts";

const guarded = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
  "toolrack-api": "v1",
};

describe("a reply", () => {
  it("carries the headers that keep browsers from running, framing, sniffing and caching it, whatever it is", () => {
    expect(jsonReply(200, { a: 1 })).toEqual({ status: 200, headers: { ...guarded, "content-type": "application/json" }, body: '{"a":1}' });
    expect(jsonReply(204, undefined)).toEqual({ status: 204, headers: guarded });
    expect(jsonReply(304, undefined, { etag: '"x"' })).toEqual({ status: 304, headers: { ...guarded, etag: '"x"' } });
    expect(jsonReply(201, null, { location: "/a" }).headers).toEqual({ ...guarded, "content-type": "application/json", location: "/a" });
    expect(textReply(200, "x", "text/plain", { etag: '"x"' })).toEqual({
      status: 200,
      headers: { ...guarded, "content-type": "text/plain", etag: '"x"' },
      body: "x",
    });
    expect(streamReply(undefined)).toEqual({
      status: 200,
      headers: { ...guarded, "content-type": "text/event-stream", "x-accel-buffering": "no" },
    });
    const stream = new ReadableStream<Uint8Array>();
    expect(streamReply(stream).body).toBe(stream);
  });

  it("shares its headers with others of its kind, and is a problem by its name", () => {
    expect(jsonReply(200, 1).headers).toBe(jsonReply(201, 2).headers);
    expect(jsonReply(204, undefined).headers).toBe(jsonReply(304, undefined).headers);
    expect(new Problem(400, "X", "y").name).toBe("Problem");
  });

  it("to a problem says when to come again in whole seconds, rounded up, and tells everything but its headers", () => {
    const problem = new Problem(429, "TOO_MANY_REQUESTS", "Wait.", { retryAfterMs: 1_200, headers: { connection: "close" } });
    expect(problemReply(problem)).toEqual({
      status: 429,
      headers: { ...guarded, "content-type": "application/problem+json", "retry-after": "2", connection: "close" },
      body: JSON.stringify({
        type: "urn:toolrack:problem:TOO_MANY_REQUESTS",
        title: "too many requests",
        status: 429,
        detail: "Wait.",
        code: "TOO_MANY_REQUESTS",
        retryAfterMs: 1_200,
      }),
    });
    expect(problemReply(new Problem(400, "X", "y")).headers).not.toHaveProperty("retry-after");
  });

  it("keeps the words of errors that are ours, and of others tells only that there was one", () => {
    const own = new Problem(418, "X", "y");
    expect(toProblem(own)).toBe(own);
    expect(toProblem(new ToolError("TOOL_NOT_FOUND", "There is none."))).toMatchObject({
      status: 404,
      code: "TOOL_NOT_FOUND",
      message: "There is none.",
    });
    const busy = Object.assign(new StoreError("STORE_UNAVAILABLE", "It is away."), {});
    expect(toProblem(busy)).toMatchObject({ code: "STORE_UNAVAILABLE", message: "It is away.", status: busy.status });
    expect(toProblem(new Error("secret"))).toMatchObject({ status: 500, code: "INTERNAL" });
    expect(toProblem(new Error("secret")).message).not.toContain("secret");
  });
});

describe("a stream of events", () => {
  interface Watched {
    readonly text: () => Promise<string>;
    readonly ended: () => number;
    readonly stream: ReadableStream<Uint8Array>;
  }

  function open(
    events: AsyncIterable<StreamEvent>,
    options: { readonly last?: () => StreamEvent | undefined; readonly keepAliveMs?: number } = {},
  ): Watched {
    let ended = 0;
    const stream = toEventStream(events, {
      onEnd: () => void ended++,
      onError: (error) => ({ event: "error", data: String(error) }),
      ...(options.last && { lastEvent: options.last }),
      ...(options.keepAliveMs !== undefined && { keepAliveMs: options.keepAliveMs }),
    });
    return { stream, ended: () => ended, text: () => new Response(stream).text() };
  }

  async function* some(...events: readonly StreamEvent[]): AsyncGenerator<StreamEvent> {
    yield* events;
  }

  it("begins with a comment, writes each event, and ends once", async () => {
    const { text, ended } = open(some({ id: "1", event: "a", data: { b: 1 } }, { event: "c", data: undefined }));
    expect(await text()).toBe(': connected\n\nid: 1\nevent: a\ndata: {"b":1}\n\nevent: c\ndata: null\n\n');
    expect(ended()).toBe(1);
  });

  it("ends with an event about the failure of its producer", async () => {
    async function* failing(): AsyncGenerator<StreamEvent> {
      yield { event: "a", data: 1 };
      throw new Error("broken");
    }
    const { text, ended } = open(failing());
    expect(await text()).toBe(': connected\n\nevent: a\ndata: 1\n\nevent: error\ndata: "Error: broken"\n\n');
    expect(ended()).toBe(1);
  });

  it("ends with the reason that its reader should know, and with nothing after it", async () => {
    let reason: StreamEvent | undefined;
    async function* producing(): AsyncGenerator<StreamEvent> {
      yield { event: "a", data: 1 };
      reason = { event: "error", data: "signed out" };
      yield { event: "b", data: 2 };
      yield { event: "c", data: 3 };
    }
    const { text, ended } = open(producing(), { last: () => reason });
    expect(await text()).toBe(': connected\n\nevent: a\ndata: 1\n\nevent: error\ndata: "signed out"\n\n');
    expect(ended()).toBe(1);
  });

  it("that nobody reads any more ends its producer", async () => {
    let isReturned = false;
    async function* waiting(): AsyncGenerator<StreamEvent> {
      try {
        yield { event: "a", data: 1 };
        yield { event: "b", data: 2 };
      } finally {
        isReturned = true;
      }
    }
    const { stream, ended } = open(waiting());
    const reader = stream.getReader();
    await reader.read();
    await reader.read();
    await reader.cancel();
    expect(ended()).toBe(1);
    await expect.poll(() => isReturned).toBe(true);
  });

  it("says so every fifteen seconds, unless something else is wanted, and no more once it is over", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      async function* silent(): AsyncGenerator<StreamEvent> {
        await new Promise<void>(() => {});
        yield { event: "late", data: 1 };
      }
      const { stream } = open(silent());
      const reader = stream.getReader();
      await reader.read();
      const next = reader.read().then(({ value }) => new TextDecoder().decode(value));
      let said = "";
      void next.then((text) => (said = text));
      vi.advanceTimersByTime(14_999);
      await new Promise((resolve) => setImmediate(resolve));
      expect(said).toBe("");
      vi.advanceTimersByTime(1);
      expect(await next).toBe(": still here\n\n");
      expect(vi.getTimerCount()).toBe(1);
      void reader.cancel();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("says that it is still there while nothing happens", async () => {
    let release: (() => void) | undefined;
    async function* silent(): AsyncGenerator<StreamEvent> {
      await new Promise<void>((resolve) => (release = resolve));
      yield { event: "late", data: 1 };
    }
    const { stream } = open(silent(), { keepAliveMs: 5 });
    const reader = stream.getReader();
    const decoder = new TextDecoder();
    expect(decoder.decode((await reader.read()).value)).toBe(": connected\n\n");
    expect(decoder.decode((await reader.read()).value)).toBe(": still here\n\n");
    release!();
    await reader.cancel();
  });
});
