import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool } from "@toolrack/core";
import { readEvents } from "@toolrack/testkit/events";
import { openTestServer, type TestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";

interface Seen {
  readonly id?: string;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

interface Following {
  /** The stream is there: what happens from now on is told. */
  readonly ready: Promise<unknown>;
  readonly seen: Promise<Seen[]>;
}

interface FollowOptions {
  readonly id?: string;
  readonly key?: string;
  readonly counts?: (seen: Seen) => boolean;
}

/** Follows until so many events (beside "ready") that `counts` came, then leaves. */
function start(server: TestServer, query: string, count: number, options: FollowOptions = {}): Following {
  let onReady = (): void => {};
  const ready = new Promise<void>((resolve) => (onReady = resolve));
  const read = async (): Promise<Seen[]> => {
    const controller = new AbortController();
    const response = await server.request("GET", `/api/v1/events${query}`, {
      signal: controller.signal,
      ...(options.key !== undefined && { key: options.key }),
      ...(options.id !== undefined && { headers: { "last-event-id": options.id } }),
    });
    expect(response.status).toBe(200);
    const seen: Seen[] = [];
    let left = count;
    for await (const event of readEvents(response)) {
      onReady();
      seen.push(event as Seen);
      if (event.event !== "ready" && (options.counts?.(event as Seen) ?? true)) left -= 1;
      if (left <= 0) break;
    }
    controller.abort();
    return seen;
  };
  return { ready, seen: read() };
}

const follow = (...args: Parameters<typeof start>): Promise<Seen[]> => start(...args).seen;

const write = (server: TestServer, id: string, tags: string[] = [], schema = "note.v1"): Promise<Response> =>
  server.request("PUT", `/api/v1/breadcrumbs/${id}`, { body: { schema_name: schema, title: id, tags, context: { id } } });
const echo = (server: TestServer, text: string, key?: string): Promise<Response> =>
  server.request("POST", "/api/v1/tools/echo/call", { body: { input: { text } }, ...(key !== undefined && { key }) });

describe("events", () => {
  it("tell of records, calls and tools; what is kept has an id, the rest has none", async () => {
    await using server = await openTestServer();
    const following = start(server, "", 4);
    await following.ready;
    await write(server, "n1");
    await echo(server, "hello");
    server.rack.registry.register(
      defineTool({ name: "late", description: "Late.", inputSchema: { type: "object", properties: {} }, handler: () => "" }),
    );
    const seen = await following.seen;
    const byType = new Map(seen.map((one) => [one.event, one]));
    expect(byType.get("ready")?.id).toMatch(/^\d+\.\d+$/);
    expect(byType.get("record-created")).toMatchObject({ id: expect.any(String) as string, data: { record: { id: "n1" } } });
    expect(byType.get("call-end")).toMatchObject({ id: expect.any(String) as string, data: { tool: "echo", ok: true, agent: "owner" } });
    expect(byType.get("call-start")).toMatchObject({ data: { tool: "echo", agent: "owner" } });
    expect(byType.get("tool-added")).toMatchObject({ data: { tool: "late" } });
    for (const passing of ["call-start", "tool-added"]) expect(byType.get(passing)?.id).toBeUndefined();
  });

  it("choose by type, tool, tag, schema and field on the server", async () => {
    await using server = await openTestServer();
    const start = (await follow(server, "", 0))[0]!.id!;
    await write(server, "a", ["red"]);
    await write(server, "b", ["blue"]);
    await write(server, "c", ["red", "blue"], "other.v1");
    await echo(server, "hello");
    await server.request("POST", "/api/v1/tools/fail/call", { body: {} });
    const ids = async (query: string, count: number): Promise<unknown[]> => {
      const seen = await follow(server, query, count, { id: start });
      return seen
        .filter(({ id, event }) => id !== undefined && event !== "ready")
        .map(({ data }) => (data["record"] as { id: string } | undefined)?.id ?? data["tool"]);
    };
    expect(await ids("?tag=red", 2)).toEqual(["a", "c"]);
    expect(await ids("?allTags=red&allTags=blue", 1)).toEqual(["c"]);
    expect(await ids("?schema_name=note.v1&noneTags=red", 1)).toEqual(["b"]);
    expect(await ids(`?where=${encodeURIComponent('[{"path":"context.id","op":"in","value":["a","b"]}]')}`, 2)).toEqual(["a", "b"]);
    expect(await ids("?tool=fail", 1)).toEqual(["fail"]);
    expect(await ids("?types=call-end&types=record-created&tag=blue&tool=echo", 3)).toEqual(expect.arrayContaining(["b", "c", "echo"]));
    for (const query of [
      "?types=nothing",
      "?where=[]&x=1",
      `?where=${encodeURIComponent('[{"path":"context.id","op":"like","value":"a"}]')}`,
      "?since=x",
    ])
      expect((await server.request("GET", `/api/v1/events${query}`)).status).toBe(400);
    expect((await server.request("GET", "/api/v1/events", { headers: { "last-event-id": "999999.0" } })).status).toBe(400);
  });

  // row: H12
  it("miss nothing and repeat nothing, however often the stream breaks", async () => {
    await using server = await openTestServer();
    let id = (await follow(server, "", 0))[0]!.id!;
    const seen: string[] = [];
    const writing = (async () => {
      for (let index = 0; index < 60; index++) {
        await write(server, `n${index}`);
        await echo(server, `e${index}`);
      }
    })();
    // Leaves after every few kept events, at whatever place that is.
    for (let round = 0; seen.length < 120; round++) {
      const part = await follow(server, "?types=record-created&types=call-end", Math.min(1 + (round % 7), 120 - seen.length), { id });
      for (const { event, data, id: at } of part) {
        id = at ?? id;
        if (event === "record-created") seen.push((data["record"] as { id: string }).id);
        if (event === "call-end") seen.push(String(data["callId"]));
      }
    }
    await writing;
    expect(new Set(seen).size).toBe(120);
    const callIds = (await server.rack.calls.list({ tool: "echo", limit: 1_000 })).map(({ callId }) => callId);
    expect(new Set(seen)).toEqual(new Set([...callIds, ...Array.from({ length: 60 }, (_, index) => `n${index}`)]));
    const records = seen.filter((one) => /^n\d+$/.test(one));
    expect(records).toEqual(Array.from({ length: 60 }, (_, index) => `n${index}`));
  });

  it("show an agent without a role its own calls and nothing else", async () => {
    await using server = await openTestServer({
      config: { policy: { agents: { anna: { tools: { deny: ["fail"] } } } } },
    });
    const { secret: anna } = await server.rack.keys.create({ agent: "anna", roles: [], by: "test" });
    const { secret: bert } = await server.rack.keys.create({ agent: "bert", roles: ["subscriber"], by: "test" });
    const [own, all] = [
      start(server, "", 1, { key: anna, counts: ({ event }) => event === "call-end" }),
      start(server, "?types=call-end&types=record-created", 3, { key: bert }),
    ];
    await Promise.all([own.ready, all.ready]);
    await server.rack.store.put({ id: "n1", schema_name: "note.v1", context: {} });
    await echo(server, "not hers", bert);
    server.rack.registry.disable("fail");
    await echo(server, "hers", anna);
    const hers = await own.seen;
    expect(hers.map(({ event }) => event)).toEqual(["ready", "call-start", "call-end"]);
    expect(hers.every(({ data }) => data["agent"] === undefined || data["agent"] === "anna")).toBe(true);
    expect((await all.seen).map(({ event, data }) => data["agent"] ?? event).toSorted()).toEqual([
      "anna",
      "bert",
      "ready",
      "record-created",
    ]);
  });

  it("are the same on every server of one database", async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolrack-events-"));
    const config = { store: { sqlite: join(folder, "a.db") } };
    {
      await using first = await openTestServer({ config });
      await using second = await openTestServer({ config });
      const [here, there] = [first, second].map((server) => start(server, "?types=record-created&types=call-end", 4));
      await Promise.all([here!.ready, there!.ready]);
      await write(first, "n1");
      await echo(first, "from the first");
      await write(second, "n2");
      await echo(second, "from the second");
      const plain = (seen: Seen[]): string[] =>
        seen
          .filter(({ event }) => event !== "ready")
          .map(({ data }) => String((data["record"] as { id: string } | undefined)?.id ?? data["callId"]))
          .toSorted();
      expect(plain(await there!.seen)).toEqual(plain(await here!.seen));
      // An id from one server is good on the other.
      const [{ id }] = (await follow(first, "", 0)) as [Seen];
      await write(second, "n3");
      expect((await follow(second, "?types=record-created", 1, { id: id! })).at(-1)?.data).toMatchObject({ record: { id: "n3" } });
    }
    rmSync(folder, { recursive: true, force: true });
  });

  it("leave nothing behind when their readers go away", async () => {
    await using server = await openTestServer({ limits: { requestsPerSecond: 100_000 } });
    const { registry } = server.rack;
    const listeners = new Set<unknown>();
    const { subscribe, unsubscribe } = registry;
    Object.defineProperty(registry, "subscribe", {
      value: (listener: never) => (listeners.add(listener), subscribe.call(registry, listener)),
    });
    Object.defineProperty(registry, "unsubscribe", {
      value: (listener: never) => (listeners.delete(listener), unsubscribe.call(registry, listener)),
    });
    for (let round = 0; round < 20; round++) {
      await Promise.all(
        Array.from({ length: 25 }, async () => {
          const response = await server.request("GET", "/api/v1/events");
          const reader = response.body!.getReader();
          await reader.read();
          await reader.read();
          await reader.cancel();
        }),
      );
    }
    await expect.poll(() => listeners.size).toBe(0);
    expect(await (await server.request("GET", "/metrics")).text()).toContain("toolrack_event_streams 0");
  });
});
