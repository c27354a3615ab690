import { createRegistry } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import type { McpSourceOptions } from "@toolrack/mcp";
import { sized } from "@toolrack/testkit/sized";
import { until } from "@toolrack/testkit/until";
import { httpServer, sourceOf, stdioUpstream, toolNamed } from "./upstreams.ts";

const signal = new AbortController().signal;

describe("what a server may send", () => {
  it("bad JSON, answers to nobody and other protocols are passed over", async () => {
    const server = await httpServer();
    for (const options of [stdioUpstream(), { name: "hand", url: server.url, allowHosts: [server.host] }] as McpSourceOptions[]) {
      const registry = createRegistry();
      await registry.addSource(sourceOf(options));
      expect(await registry.invoke("hand__garbage", {})).toMatchObject({ ok: true, content: "the right one" });
      expect(await registry.invoke("hand__noresult", {}, { timeoutMs: 500 })).toMatchObject({ ok: false });
      expect(await registry.invoke("hand__echo", { text: "fine" })).toMatchObject({ ok: true, content: "fine" });
    }
  });

  it("a result of 50 MB is refused, and other calls on the connection go on", async () => {
    const [stream, json] = await Promise.all([httpServer({ era: "modern" }), httpServer({ json: true })]);
    const limits = { maxMessageBytes: 1_000_000 };
    const all: McpSourceOptions[] = [
      stdioUpstream({ era: "modern" }, limits),
      { name: "hand", url: stream.url, allowHosts: [stream.host], ...limits },
      { name: "hand", url: json.url, allowHosts: [json.host], ...limits },
    ];
    for (const [index, options] of all.entries()) {
      const registry = createRegistry();
      const source = sourceOf(options);
      await registry.addSource(source);
      const bytes = index === 0 ? 50_000_000 : sized(5_000_000, 50_000_000);
      const [big, small] = await Promise.all([registry.invoke("hand__big", { bytes }), registry.invoke("hand__echo", { text: "small" })]);
      expect(big).toMatchObject({ ok: false, code: "RESULT_TOO_LARGE" });
      expect(small).toMatchObject({ ok: true, content: "small" });
      expect(await registry.invoke("hand__echo", { text: "after" })).toMatchObject({ ok: true, content: "after" });
      expect(source.status()).toMatchObject({ state: "connected", failures: 0 });
    }
  });

  it("schema bombs and other wrong definitions are left out one by one, each with its reason", async () => {
    let deep: object = { type: "string" };
    for (let level = 0; level < 1_000; level++) deep = { type: "object", properties: { inner: deep } };
    const wide = { type: "object", properties: Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`p${index}`, {}])) };
    const server = await httpServer({
      tools: [
        toolNamed("fine"),
        toolNamed("deep", { inputSchema: deep }),
        toolNamed("wide", { inputSchema: wide }),
        toolNamed("no-schema", { inputSchema: null }),
        toolNamed("wrong-schema", { inputSchema: { type: "object", properties: { a: { minLength: "long" } } } }),
        toolNamed("slow", { inputSchema: { type: "object", properties: { a: { type: "string", pattern: "(a+)+$" } } } }),
        toolNamed("long", { description: "x".repeat(300_000) }),
        toolNamed("fine"),
        { inputSchema: { type: "object" } },
        null,
        "text",
        toolNamed("__proto__"),
      ],
    });
    const registry = createRegistry();
    const status = await registry.addSource(sourceOf({ name: "hand", url: server.url, allowHosts: [server.host] }));
    expect(status).toMatchObject({ state: "ready" });
    expect(status.tools.filter((name) => name !== "hand__slow")).toEqual(["hand__fine", "hand____proto__"]);
    const text = status.problems.join("\n");
    for (const part of [
      '"deep" is nested too deeply',
      "wide",
      "no-schema",
      "wrong-schema",
      '"long"',
      'the name "fine" twice',
      "no name",
      "no tool",
    ])
      expect(text).toContain(part);
    // A pattern that stalls other engines is matched in linear time.
    expect(await registry.invoke("hand__slow", { a: `${"a".repeat(50_000)}!` })).toMatchObject({ ok: false });
  });

  it("names that would be one name are told apart or left out", async () => {
    const server = await httpServer({
      tools: [toolNamed("read.file"), toolNamed("read/file"), toolNamed("x".repeat(80)), toolNamed(`${"x".repeat(80)}y`)],
      anyTool: true,
    });
    const registry = createRegistry();
    const status = await registry.addSource(sourceOf({ name: "hand", url: server.url, allowHosts: [server.host] }));
    expect(new Set(status.tools).size).toBe(4);
    const results = await Promise.all(status.tools.map((name) => registry.invoke(name, {})));
    expect(results.map((result) => result.ok && result.content)).toEqual([
      "called read.file",
      "called read/file",
      `called ${"x".repeat(80)}`,
      `called ${"x".repeat(80)}y`,
    ]);
  });

  it("lists without an end, and lists that are none, fail as a whole and take nothing away", async () => {
    let mode: "good" | "pages" | "many" | "none" = "good";
    const server = await httpServer({
      json: true,
      before(_request, response, body) {
        if (mode === "good" || !body.includes("tools/list")) return false;
        const { id } = JSON.parse(body) as { id: number };
        const tools =
          mode === "none" ? "nothing" : Array.from({ length: mode === "many" ? 2_000 : 1 }, (_, index) => toolNamed(`t${index}`));
        const result = { tools, ...(mode === "pages" && { nextCursor: "again" }) };
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
        return true;
      },
    });
    const registry = createRegistry();
    await registry.addSource(sourceOf({ name: "hand", url: server.url, allowHosts: [server.host] }));
    const count = registry.count;
    for (const [next, fact] of [
      ["pages", "pages"],
      ["many", "more than 1000 tools"],
      ["none", "not a list"],
    ] as const) {
      mode = next;
      expect(await registry.refreshSource("mcp:hand")).toMatchObject({ state: "failed", error: expect.stringContaining(fact) });
      expect(registry.count).toBe(count);
    }
    mode = "good";
    expect(await registry.refreshSource("mcp:hand")).toMatchObject({ state: "ready" });
  });

  it("a flood of progress and of changes ends in a bounded number of updates", async () => {
    const server = await httpServer({ era: "modern" });
    const registry = createRegistry();
    await registry.addSource(sourceOf({ name: "hand", url: server.url, allowHosts: [server.host] }));
    let updates = 0;
    expect(await registry.invoke("hand__progress", { steps: sized(2_000, 5_000) }, { onProgress: () => void updates++ })).toMatchObject({
      ok: true,
    });
    expect(updates).toBe(1_000);
    await until(() => server.brain.seen.requests.some(({ method }) => method === "subscriptions/listen"));
    const listsBefore = server.brain.seen.requests.filter(({ method }) => method === "tools/list").length;
    const changes = sized(200, 500);
    for (let change = 0; change < changes; change++) server.brain.setTools([toolNamed("a"), toolNamed(`b${change}`)]);
    await until(() => registry.has(`hand__b${changes - 1}`));
    expect(server.brain.seen.requests.filter(({ method }) => method === "tools/list").length - listsBefore).toBeLessThan(changes / 2);
  });

  it("a value nested a hundred thousand deep ends one call or one list, and nothing else", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    let isDeepList = false;
    const server = await httpServer({
      before(_request, response, body) {
        const { id, method, params } = JSON.parse(body || "{}") as { id?: number; method?: string; params?: { name?: string } };
        const result =
          params?.name === "structured" ? `{"content":[],"structuredContent":${deep}}` : `{"tools":[{"name":"t","inputSchema":${deep}}]}`;
        if (params?.name !== "structured" && !(isDeepList && method === "tools/list")) return false;
        response.writeHead(200, { "content-type": "application/json" }).end(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
        return true;
      },
    });
    const registry = createRegistry();
    await registry.addSource(
      sourceOf({ name: "hand", url: server.url, allowHosts: [server.host], callTimeoutMs: 2_000, listTimeoutMs: 2_000 }),
    );
    expect(await registry.invoke("hand__structured", {})).toMatchObject({ ok: false });
    isDeepList = true;
    const status = await registry.refreshSource("mcp:hand");
    expect(status.state === "failed" || status.problems.length === 1).toBe(true);
    isDeepList = false;
    await registry.refreshSource("mcp:hand");
    expect(await registry.invoke("hand__echo", { text: "fine" })).toMatchObject({ ok: true, content: "fine" });
  });

  it("an answer that is no MCP at all is an error with a reason", async () => {
    const server = await httpServer({
      before(_request, response) {
        response.writeHead(200, { "content-type": "text/html" }).end("<h1>It works!</h1>");
        return true;
      },
    });
    const source = sourceOf({ name: "hand", url: server.url, allowHosts: [server.host] });
    await expect(source.list({ signal })).rejects.toMatchObject({
      code: "SOURCE_FAILED",
      message: expect.stringContaining('MCP server "hand"'),
    });
  });
});
