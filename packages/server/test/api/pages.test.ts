import { openTestServer } from "@toolrack/testkit/test-server";
import { expect, it } from "vitest";
import { pageBytes, pageOf, readSlices } from "../../src/api/_pages.ts";

it("SD12: a list of large calls comes in pages of about a megabyte, and none is left out", async () => {
  await using server = await openTestServer();
  const count = 60;
  for (let index = 0; index < count; index++) {
    const meta = { callId: `c${index}`, tool: "t", durationMs: 1 };
    const text = "x".repeat(60_000);
    const result = { ok: true, content: text, meta } as const;
    await server.rack.calls.record({ callId: meta.callId, tool: "t", input: { text }, caller: { agent: "a" }, startedAt: 0, result });
  }
  const seen: string[] = [];
  let pages = 0;
  for (let before: number | undefined; ; pages++) {
    const answer = await server.request("GET", `/api/v1/calls?limit=500${before === undefined ? "" : `&before=${before}`}`);
    const text = await answer.text();
    expect(text.length).toBeLessThan(2 * pageBytes);
    const { calls, next } = JSON.parse(text) as { calls: { callId: string }[]; next?: number };
    seen.push(...calls.map(({ callId }) => callId));
    if (next === undefined) break;
    before = next;
  }
  expect(new Set(seen).size).toBe(count);
  expect(pages).toBeGreaterThan(2);
  const audit = await (await server.request("GET", "/api/v1/audit?limit=1000")).text();
  expect(audit.length).toBeLessThan(2 * pageBytes);
  expect(JSON.parse(audit)).toHaveProperty("next");
});

it("SD12: the children of a call are a megabyte at most", async () => {
  await using server = await openTestServer();
  const meta = { tool: "t", durationMs: 1 };
  for (let index = 0; index < 40; index++) {
    const callId = `c${index}`;
    const input = { text: "x".repeat(60_000) };
    const result = { ok: true, content: "x".repeat(60_000), meta: { ...meta, callId } } as const;
    await server.rack.calls.record({ callId, tool: "t", input, caller: {}, startedAt: 0, parentCallId: "parent", result });
  }
  const result = { ok: true, content: "", meta: { ...meta, callId: "parent" } } as const;
  await server.rack.calls.record({ callId: "parent", tool: "t", input: {}, caller: {}, startedAt: 0, result });
  const text = await (await server.request("GET", "/api/v1/calls/parent")).text();
  expect(text.length).toBeLessThan(2 * pageBytes);
  expect((JSON.parse(text) as { children: unknown[] }).children.length).toBeGreaterThan(5);
});

it("SD12: lists that are whole in memory are paged by count and by size", async () => {
  const all = Array.from({ length: 25 }, (_, index) => ({ index, text: "x".repeat(100_000) }));
  const first = pageOf(all, { limit: 1_000, offset: 0 });
  expect(first.items.length).toBe(10);
  expect(first.next).toBe(10);
  expect(pageOf(all, { limit: 1_000, offset: 20 })).toMatchObject({ items: all.slice(20) });
  expect(pageOf(all, { limit: 1_000, offset: 20 }).next).toBeUndefined();
  expect(pageOf([{ text: "x".repeat(2 * pageBytes) }, {}], { limit: 1_000, offset: 0 })).toMatchObject({ items: [{}], next: 1 });
  await using server = await openTestServer();
  for (let index = 0; index < 3; index++) await server.rack.keys.create({ agent: `a${index}`, roles: ["admin"], by: "test" });
  const { secret: key } = await server.rack.keys.create({ agent: "a", roles: ["admin"], by: "test" });
  for (const [path, name] of [
    ["/keys", "keys"],
    ["/agents", "agents"],
    ["/policy/matrix", "rows"],
  ] as const) {
    const page = async (query: string): Promise<Record<string, unknown>> =>
      (await (await server.request("GET", `/api/v1${path}?${query}`, { key })).json()) as never;
    const one = await page("limit=1");
    expect(one[name]).toHaveLength(1);
    expect(one["next"]).toBe(1);
    expect((await page(`limit=1&offset=1`))[name]).not.toEqual(one[name]);
  }
});

it("SD12: a page is read a few items at a time, and no more once it is full", async () => {
  let read = 0;
  const page = await readSlices<{ readonly text: string }>({
    limit: 1_000,
    atOnce: 5,
    async read(_, count) {
      read += count;
      return Array.from({ length: count }, () => ({ text: "x".repeat(300_000) }));
    },
  });
  expect(page.items).toHaveLength(3);
  expect(page.hasMore).toBe(true);
  expect(read).toBe(5);
});

it("a page goes on after the last item of each part, and more may follow only where it is full", async () => {
  const all = Array.from({ length: 7 }, (_, index) => index);
  const readUpTo = async (limit: number): Promise<unknown> => {
    const counts: number[] = [];
    const page = await readSlices<number>({
      limit,
      atOnce: 3,
      async read(last = -1, count) {
        counts.push(count);
        return all.slice(last + 1, last + 1 + count);
      },
    });
    return { ...page, counts };
  };
  expect(await readUpTo(5)).toEqual({ items: [0, 1, 2, 3, 4], hasMore: true, counts: [3, 2] });
  expect(await readUpTo(7)).toEqual({ items: all, hasMore: true, counts: [3, 3, 1] });
  expect(await readUpTo(20)).toEqual({ items: all, hasMore: false, counts: [3, 3, 3] });
});

it("a page is as large as the limit of its bytes, and not a byte larger", async () => {
  const countOf = async (more: number): Promise<readonly [number, boolean]> => {
    const half = "x".repeat(pageBytes / 2 - 2);
    const { items, hasMore } = await readSlices<string>({
      limit: 2,
      read: async (last, count) => (last === undefined ? [half, `${half}${"x".repeat(more)}`].slice(0, count) : []),
    });
    return [items.length, hasMore];
  };
  expect(await countOf(0)).toEqual([2, true]);
  expect(await countOf(1)).toEqual([1, true]);
});
