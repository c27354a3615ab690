import { createMemoryConfig, createMemorySecrets, createRegistry, type Registry, type ToolResult } from "@toolrack/core";
import { createCapabilities } from "@toolrack/core/node";
import { assertTool } from "@toolrack/core/testing";
import { type Loopback, sendJson, startLoopback } from "@toolrack/testkit/loopback";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWebTools, type WebOptions } from "../../src/index.ts";

const capabilities = createCapabilities({ overrides: { network: true } });
const key = "search-key-0123456";
const hits = (text: "description" | "content") =>
  [1, 2, 3].map((number) => ({
    title: `Page <b>${number}</b>`,
    url: `https://example.com/${number}`,
    [text]: `About <strong>tea</strong> &amp; ${number}`,
    extra: 1,
  }));
let server: Loopback;

beforeAll(async () => {
  server = await startLoopback((request, response) => {
    const query = request.query.get("q") ?? (JSON.parse(request.body || "{}") as { query?: string }).query;
    if (query === "hang") return;
    if (query === "odd")
      return sendJson(response, {
        web: { results: [{ url: "javascript:alert(1)" }, { url: 5 }, null, "x", { url: "https://ok.example/" }] },
      });
    if (query === "limit") return sendJson(response, { message: "Too many" }, 429, { "retry-after": "2" });
    if (query === "away") return void response.writeHead(302, { location: "http://169.254.169.254/" }).end();
    const isBrave = request.path === "/res/v1/web/search" && request.method === "GET";
    if (isBrave) {
      if (request.headers["x-subscription-token"] !== key) return sendJson(response, { error: { detail: "no" } }, 401);
      return sendJson(response, { type: "search", web: { results: hits("description").slice(0, Number(request.query.get("count"))) } });
    }
    if (request.path === "/search" && request.method === "POST") {
      if (request.headers.authorization !== `Bearer ${key}`) return sendJson(response, { detail: { error: "Unauthorized" } }, 401);
      return sendJson(response, { query, results: hits("content") });
    }
    if (request.path === "/search" && request.query.get("format") === "json")
      return sendJson(response, { query, results: hits("content") });
    sendJson(response, { error: "not found" }, 404);
  });
});
afterAll(() => server[Symbol.asyncDispose]());

function registryWith(search: WebOptions["search"], config?: object, secrets: Record<string, string> = {}): Registry {
  const registry = createRegistry({
    capabilities,
    secrets: createMemorySecrets(secrets),
    ...(config !== undefined && { config: createMemoryConfig({ web_search: config as Record<string, unknown> }) }),
  });
  for (const tool of createWebTools({ ...(search !== undefined && { search }), fetch: { timeoutMs: 2_000 } })) registry.register(tool);
  return registry;
}
const search = (registry: Registry, query = "tea", more: object = {}): Promise<ToolResult> =>
  registry.invoke("web_search", { query, ...more });

describe("web_search", () => {
  // row: J4
  it("passes the test kit", () =>
    assertTool(createWebTools({ search: { backend: "searxng", baseUrl: server.url } })[0]!, { capabilities }));

  it.each([
    ["brave", { "brave-api-key": key }],
    ["tavily", { "tavily-api-key": key }],
    ["searxng", {}],
  ] as const)("asks %s, and gives plain texts", async (backend, secrets) => {
    const result = await search(registryWith({ backend, baseUrl: server.url }, undefined, secrets), "tea & cake", { max_results: 2 });
    expect(result).toMatchObject({
      ok: true,
      data: {
        backend,
        count: 2,
        results: [{ title: "Page 1", url: "https://example.com/1", snippet: "About tea & 1" }, { title: "Page 2" }],
      },
    });
    expect(JSON.stringify(result)).not.toContain(key);
  });

  it("takes engine, address and key from its saved settings", async () => {
    const saved = { backend: "brave", baseUrl: server.url, apiKey: "secret:my-key" };
    expect(await search(registryWith({ backend: "brave", secret: "my-key" }, saved, { "my-key": key }))).toMatchObject({
      ok: true,
      data: { count: 3 },
    });
    expect(await search(registryWith(undefined, { backend: "searxng", baseUrl: server.url }))).toMatchObject({
      ok: true,
      data: { backend: "searxng" },
    });
  });

  it("says what is not set", async () => {
    expect(await search(registryWith(undefined))).toMatchObject({
      code: "NEEDS_CONFIGURATION",
      error: expect.stringContaining("brave, searxng, tavily"),
    });
    expect(await search(registryWith({ backend: "searxng" }))).toMatchObject({
      code: "NEEDS_CONFIGURATION",
      error: expect.stringContaining("baseUrl"),
    });
    expect(() => createWebTools({ search: { backend: "bing" as "brave" } })).toThrow(/"bing".*brave, searxng, tavily/);
    const [entry] = registryWith({ backend: "brave" }).entries();
    expect(entry).toMatchObject({ state: "needs-configuration", reason: expect.stringContaining("brave-api-key") });
    expect(await search(registryWith(undefined, { backend: "brave" }))).toMatchObject({ code: "NEEDS_CONFIGURATION" });
    expect(await search(registryWith({ backend: "searxng" }, { baseUrl: "ftp://x" }))).toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("leaves out what is no address, and tells failures apart", async () => {
    const registry = registryWith({ backend: "brave", baseUrl: server.url }, undefined, { "brave-api-key": key });
    expect(await search(registry, "odd")).toMatchObject({
      data: { results: [{ url: "https://ok.example/", title: "https://ok.example/" }] },
    });
    expect(await search(registry, "limit")).toMatchObject({ code: "RATE_LIMITED", retryAfterMs: 2_000 });
    const wrong = registryWith({ backend: "brave", baseUrl: server.url }, undefined, { "brave-api-key": "wrong-key-1" });
    expect(await search(wrong)).toMatchObject({ code: "NEEDS_CONFIGURATION", error: expect.not.stringContaining("wrong-key-1") });
  });

  it("ends when the engine hangs, and follows it nowhere", async () => {
    const withTime = (timeoutMs: number) => {
      const made = createRegistry({ capabilities });
      for (const tool of createWebTools({ search: { backend: "searxng", baseUrl: server.url }, fetch: { timeoutMs } })) made.register(tool);
      return made;
    };
    expect(await search(withTime(100), "hang")).toMatchObject({ code: "TIMEOUT", retryable: true });
    await until(() => server.seen.some(({ query }) => query.get("q") === "hang"));
    const registry = withTime(60_000);
    const seen = server.seen.length;
    expect(await search(registry, "away")).toMatchObject({ ok: false, code: "TOOL_FAILED" });
    expect(server.seen).toHaveLength(seen + 1);
    const controller = new AbortController();
    const result = registry.invoke("web_search", { query: "hang" }, { signal: controller.signal });
    await until(() => server.seen.length === seen + 2);
    controller.abort();
    expect(await result).toMatchObject({ ok: false, code: "ABORTED" });
  });

  it("reaches a private engine only where the settings name it", async () => {
    const tools = createWebTools({ search: { backend: "searxng", baseUrl: server.url } });
    const registry = createRegistry({ capabilities });
    for (const tool of tools) registry.register(tool);
    expect((await search(registry)).ok).toBe(true);
    expect(await registry.invoke("web_fetch", { url: `${server.url}/search?q=x&format=json` })).toMatchObject({
      ok: false,
      code: "TOOL_NOT_ALLOWED",
    });
  });
});
