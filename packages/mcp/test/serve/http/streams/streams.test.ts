import { getEventListeners } from "node:events";
import { createRegistry } from "@toolrack/core";
import { serveMcp } from "@toolrack/mcp";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it, vi } from "vitest";
import { EventStream } from "../../../../src/serve/http/streams/event-stream.ts";
import { createStreamIds } from "../../../../src/serve/http/streams/stream-ids.ts";
import { createStreams } from "../../../../src/serve/http/streams/streams.ts";
import { createSigner } from "../../../../src/serve/signer.ts";
import { clientMeta } from "../../serve.ts";

describe("the places for streams that stay open", () => {
  it("are limited for each principal and for all, and are given back once", () => {
    const streams = createStreams({ perPrincipal: 2, total: 3 });
    const [first, second] = [streams.take("ada")!, streams.take("ada")!];
    expect(streams.take("ada")).toBeUndefined();
    const other = streams.take("bob");
    expect(other).toBeDefined();
    expect(streams.take("eve")).toBeUndefined();
    first();
    first();
    expect([streams.take("eve") !== undefined, streams.take("ada")]).toEqual([true, undefined]);
    second();
    expect([streams.take("ada") !== undefined, streams.take("ada")]).toEqual([true, undefined]);
  });

  it("of a principal that gave one back are as many as before, and no more", () => {
    const streams = createStreams({ perPrincipal: 3, total: 100 });
    const taken = Array.from({ length: 3 }, () => streams.take("ada")!);
    taken[0]!();
    expect([streams.take("ada") !== undefined, streams.take("ada")]).toEqual([true, undefined]);
  });

  it("are 64 for a principal and 4096 for all, unless set", () => {
    const streams = createStreams();
    const taken = (principal: string, most: number) => Array.from({ length: most }, () => streams.take(principal)).filter(Boolean).length;
    for (let principal = 0; principal < 64; principal++) expect(taken(`p${principal}`, 65)).toBe(64);
    expect(taken("more", 1)).toBe(0);
  });
});

describe("open streams", () => {
  const sink = () => {
    const written: string[] = [];
    return { written, write: (text: string) => written.push(text) > 0, end: () => void written.push("end"), giveUp: () => undefined };
  };

  it("are kept alive every fifteen seconds, until they are over", () => {
    vi.useFakeTimers();
    try {
      const streams = createStreams();
      const [own, ended] = [sink(), sink()];
      const [open, done] = [new EventStream(), new EventStream()];
      for (const [stream, its] of [
        [open, own],
        [done, ended],
      ] as const) {
        stream.attach(its);
        expect(streams.track(stream)).toBe(stream);
      }
      done.end();
      expect(streams.size).toBe(1);
      vi.advanceTimersByTime(14_999);
      expect(own.written).toEqual([]);
      vi.advanceTimersByTime(1);
      expect([own.written, ended.written]).toEqual([[": keep-alive\n\n"], ["end"]]);
      open.end();
      vi.advanceTimersByTime(15_000);
      expect([streams.size, vi.getTimerCount()]).toEqual([0, 0]);
      streams.track(new EventStream());
      expect(vi.getTimerCount()).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it("end together when the server closes", () => {
    const streams = createStreams();
    const own = sink();
    const stream = new EventStream({ finalMessage: () => "bye" });
    stream.attach(own);
    streams.track(stream);
    streams.close();
    expect([own.written[0], own.written.at(-1), streams.size]).toEqual([expect.stringContaining("data: bye"), "end", 0]);
  });

  it("that nobody reads are forgotten when the server closes, with the timer", () => {
    vi.useFakeTimers();
    try {
      const streams = createStreams();
      streams.track(new EventStream());
      expect([streams.size, vi.getTimerCount()]).toEqual([1, 1]);
      streams.close();
      expect([streams.size, vi.getTimerCount()]).toEqual([0, 0]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("ids of streams", () => {
  const key = "k".repeat(32);

  it("tell which server has the stream, for this session only", () => {
    const [here, there] = [createStreamIds(createSigner(key)), createStreamIds(createSigner(key))];
    const id = here.make("s1");
    expect([here.isElsewhere("s1", id), there.isElsewhere("s1", id), there.isElsewhere("s2", id)]).toEqual([false, true, false]);
    for (const other of ["", "x", `${id}x`, createStreamIds(createSigner(undefined)).make("s1")])
      expect(there.isElsewhere("s1", other)).toBe(false);
    expect(there.isElsewhere("s1", createSigner(key).seal("stream of s1", "x".repeat(256)))).toBe(false);
    expect(here.make("s1")).not.toBe(id);
  });

  it("of which very many are sought are forgotten again, the oldest first", () => {
    const ids = createStreamIds({ seal: () => "", open: () => "elsewhere 1" } as never);
    for (let visit = 0; visit < 31; visit++) for (const id of ["first", "second"]) ids.isElsewhere("s1", id);
    expect(ids.isElsewhere("s1", "first")).toBe(false);
    for (let other = 0; other < 9_999; other++) ids.isElsewhere("s1", `other ${other}`);
    expect([ids.isElsewhere("s1", "second"), ids.isElsewhere("s1", "first")]).toEqual([false, true]);
  });

  it("are not sought for ever: the other server may have ended", () => {
    const [here, there] = [createStreamIds(createSigner(key)), createStreamIds(createSigner(key))];
    const id = here.make("s1");
    for (let visit = 0; visit < 30; visit++) expect(there.isElsewhere("s1", id)).toBe(true);
    expect(there.isElsewhere("s1", id)).toBe(false);
    expect(there.isElsewhere("s1", here.make("s1"))).toBe(true);
  });
});

describe("a stream of subscriptions", () => {
  it("leaves no listener on the sign-in, and gives its place back", async () => {
    const endpoint = serveMcp(createRegistry(), { streams: { perPrincipal: 1 } });
    const { signal } = new AbortController();
    const subscribe = () => {
      const method = "subscriptions/listen";
      const headers = { "content-type": "application/json", "mcp-protocol-version": "2026-07-28", "mcp-method": method };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method, params: { notifications: {}, _meta: clientMeta } });
      return endpoint.fetch(new Request("http://localhost/mcp", { method: "POST", headers, body }), { caller: { agent: "ada" }, signal });
    };
    const first = await subscribe();
    expect(getEventListeners(signal, "abort").length).toBeGreaterThan(0);
    expect(await (await subscribe()).json()).toMatchObject({ error: { message: "Too many streams are open. Close one, then try again." } });
    await first.body!.cancel();
    await until(() => getEventListeners(signal, "abort").length === 0);
    const second = await subscribe();
    expect(second.headers.get("content-type")).toBe("text/event-stream");
    await endpoint.close();
    expect(await second.text()).toContain('"id":7');
  });
});
