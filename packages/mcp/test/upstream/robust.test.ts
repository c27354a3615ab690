import { createRegistry } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it, vi } from "vitest";
import type { McpSourceOptions } from "@toolrack/mcp";
import { until } from "@toolrack/testkit/until";
import type { HttpServer } from "./server-types.ts";
import { httpServer, sourceOf, stdioUpstream, toolNamed } from "./upstreams.ts";

const signal = new AbortController().signal;
const over = (server: HttpServer, more: Partial<McpSourceOptions> = {}): McpSourceOptions =>
  ({ name: "hand", url: server.url, allowHosts: [server.host], ...more }) as McpSourceOptions;

describe("a server that goes away", () => {
  it("keeps its tools for a while, then loses them, and has them again when it is back", async () => {
    let isDown = false;
    const server = await httpServer({
      era: "modern",
      notify: false,
      tools: [toolNamed("echo")],
      before(request) {
        if (isDown) request.socket.destroy();
        return isDown;
      },
    });
    const registry = createRegistry();
    const source = sourceOf(over(server, { backoffMs: 20, maxBackoffMs: 40, graceMs: 3_000, callTimeoutMs: 1_000, maxFailures: 1 }));
    await registry.addSource(source);
    server.brain.setTools([toolNamed("echo"), toolNamed("wait")]);
    await registry.refreshSource("mcp:hand");
    // A call without an answer is what tells that it is gone.
    expect(await registry.invoke("hand__wait", {})).toMatchObject({ ok: false, code: "TIMEOUT" });
    isDown = true;
    await until(() => source.status().state !== "connected");
    await until(() => registry.sources()[0]?.state === "failed", "the failed state");
    expect(registry.sources()[0]).toMatchObject({
      state: "failed",
      tools: ["hand__echo", "hand__wait"],
      error: expect.stringContaining('MCP server "hand"'),
    });
    await until(() => !registry.has("hand__echo"), "the end of the grace period");
    await until(() => registry.sources()[0]?.state === "failed");
    expect(registry.sources()[0]).toMatchObject({
      tools: [],
      problems: [expect.stringContaining("were removed")],
      error: expect.any(String),
    });
    isDown = false;
    await until(() => registry.has("hand__echo"), "its return");
    expect(registry.sources()[0]).toMatchObject({ state: "ready", problems: [] });
    expect(await registry.invoke("hand__echo", { text: "back" })).toMatchObject({ ok: true, content: "back" });
  });

  it("is started again by itself when its process dies, with the same tools as the same objects", async () => {
    const registry = createRegistry();
    const source = sourceOf(stdioUpstream({}, { backoffMs: 10, maxBackoffMs: 20 }));
    await registry.addSource(source);
    const before = registry.list();
    expect(await registry.invoke("hand__die", {})).toMatchObject({ ok: false, code: "SOURCE_FAILED" });
    await until(() => source.status().state === "connected");
    expect(await registry.invoke("hand__echo", { text: "again" })).toMatchObject({ ok: true, content: "again" });
    await until(() => registry.sources()[0]?.state === "ready");
    expect(registry.list().every((tool, index) => tool === before[index])).toBe(true);
  });

  it("over HTTP is noticed by requests that fail in a row, and by none that a tool failed", async () => {
    const server = await httpServer({ era: "modern", notify: false });
    const registry = createRegistry();
    const source = sourceOf(over(server, { maxFailures: 3, backoffMs: 60_000 }));
    await registry.addSource(source);
    for (let call = 0; call < 5; call++) expect(await registry.invoke("hand__fail", {})).toMatchObject({ code: "TOOL_FAILED" });
    expect(source.status().state).toBe("connected");
    await server.close();
    for (let call = 0; call < 3; call++)
      expect(await registry.invoke("hand__echo", { text: "?" })).toMatchObject({ code: "SOURCE_FAILED" });
    expect(source.status()).toMatchObject({ state: "resting", error: expect.stringContaining("3 requests in a row failed") });
    expect(await registry.invoke("hand__echo", { text: "?" })).toMatchObject({ code: "CIRCUIT_OPEN", retryable: true });
    expect(registry.has("hand__echo")).toBe(true);
  });

  it("that refuses its credentials says so, and is asked again with new ones", async () => {
    let key = "old";
    const server = await httpServer({
      before(request, response) {
        if (request.headers["x-api-key"] === "good") return false;
        response.writeHead(401).end(`wrong key ${request.headers["x-api-key"]}`);
        return true;
      },
    });
    const registry = createRegistry();
    await registry.addSource(
      sourceOf(over(server, { headers: { "x-api-key": "secret:key" }, secret: () => key, backoffMs: 20 } as object)),
    );
    expect(registry.sources()[0]).toMatchObject({ state: "failed", error: expect.stringContaining("refuses the credentials") });
    key = "good";
    await until(() => registry.has("hand__echo"));
  });

  it("is refused at once while it rests, with the time after which it may be tried", async () => {
    const source = sourceOf({ name: "dead", url: "http://127.0.0.1:9/mcp", allowHosts: ["127.0.0.1:9"], backoffMs: 60_000 });
    await expect(source.list({ signal })).rejects.toMatchObject({
      code: "SOURCE_FAILED",
      message: expect.stringContaining("127.0.0.1:9 cannot be reached"),
    });
    expect(source.status()).toMatchObject({ state: "resting", failures: 1, retryAt: expect.any(Number) });
    await expect(source.list({ signal })).rejects.toMatchObject({
      code: "CIRCUIT_OPEN",
      retryable: true,
      retryAfterMs: expect.any(Number),
    });
  });

  it("that does not answer in time is given up, and its process with it", async () => {
    const source = sourceOf({
      name: "mute",
      command: process.execPath,
      args: ["-e", "setInterval(() => {}, 1000)"],
      connectTimeoutMs: 300,
    });
    await expect(source.list({ signal })).rejects.toMatchObject({ code: "TIMEOUT" });
  });

  it("that flaps is tried ever more slowly", async () => {
    const timers = vi.spyOn(globalThis, "setTimeout");
    afterThisTest(() => timers.mockRestore());
    const source = sourceOf(stdioUpstream({ lifetimeMs: 1 }, { backoffMs: 111, maxBackoffMs: 60_000 }));
    await source.list({ signal }).catch(() => undefined);
    await until(() => source.status().failures >= 3);
    const between = (least: number, most: number): boolean => timers.mock.calls.some(([, ms = 0]) => ms >= least && ms <= most);
    for (const factor of [1, 2, 4]) expect([factor, between(0.75 * 111 * factor, 111 * factor)]).toEqual([factor, true]);
  });
});

describe("one of twenty servers", () => {
  for (const fault of ["dead", "slow", "flapping"] as const) {
    it(`that is ${fault} delays and empties no other`, async () => {
      const servers = await Promise.all(Array.from({ length: 19 }, () => httpServer({ era: "modern", tools: [toolNamed("echo")] })));
      const bad = await httpServer({
        before(request) {
          if (fault === "dead") request.socket.destroy();
          else if (fault === "flapping" && Math.random() < 0.5) request.socket.destroy();
          else return fault === "slow";
          return true;
        },
      });
      const registry = createRegistry();
      const limits = { backoffMs: 5, maxBackoffMs: 10, connectTimeoutMs: 25_000 };
      const adding = registry.addSource(sourceOf(over(bad, { name: "bad", ...limits })));
      const statuses = await Promise.all(
        servers.map((server, index) => registry.addSource(sourceOf(over(server, { name: `good${index}` })))),
      );
      expect(statuses.every(({ state }) => state === "ready")).toBe(true);
      const calls = servers.flatMap((_, index) => Array.from({ length: 10 }, () => registry.invoke(`good${index}__echo`, { text: "hi" })));
      const results = await Promise.all(calls);
      expect(results.every((result) => result.ok)).toBe(true);
      expect(registry.sources().filter(({ tools }) => tools.length === 1)).toHaveLength(19);
      expect(registry.sources().map(({ id }) => id)).toContain("mcp:bad");
      if (fault === "dead") expect(await adding).toMatchObject({ id: "mcp:bad", state: "failed" });
    });
  }
});
