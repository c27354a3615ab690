import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver, type TestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { httpServer, toolNamed } from "../../../../mcp/test/upstream/upstreams.ts";

const forViews = { _meta: { ui: { visibility: ["app"], resourceUri: "ui://shop/cart" }, "ui/resourceUri": "ui://shop/cart" } };
const forBoth = { _meta: { ui: { visibility: ["model", "app"], resourceUri: "ui://shop/cart" } } };
const hidden = "shop__refresh_cart";
const shown = "shop__find_orders";

interface Shop extends TestServer {
  readonly called: () => readonly string[];
  /** Lists other tools from now on. */
  list(...tools: readonly object[]): Promise<void>;
}

/** A server with a source that has a tool for everybody, and one as `more` marks it. */
async function openShop(more: object = forViews, trust: object = {}): Promise<Shop> {
  const upstream = await httpServer({ tools: [toolNamed("find_orders"), toolNamed("refresh_cart", more)] });
  const rack = await openTestRack({
    config: {
      store: { memory: true },
      policy: { unknownAgents: "allow" },
      tools: { packs: { programs: true, search: true, utility: false, sessions: false } },
      sources: { shop: { url: upstream.url, allowHosts: [upstream.host], trust } },
    },
  });
  await rack.sources.ready();
  return {
    ...serverOver(rack),
    called: () => upstream.seen.filter(({ body }) => body.includes("tools/call")).map(({ body }) => body),
    async list(...tools) {
      upstream.brain.setTools(tools);
      await rack.sources.refresh("shop");
    },
  };
}

async function ask(server: TestServer, method: string, params: object = {}): Promise<string> {
  const { secret } = await server.rack.keys.create({ agent: "bot", roles: [], by: "test" });
  const body = { jsonrpc: "2.0", id: 1, method, params };
  const answer = await server.request("POST", "/mcp", { body, key: secret, headers: { accept: "application/json, text/event-stream" } });
  return answer.text();
}

describe("TD8: a tool that its server marks for views alone", () => {
  it("is in no list, search, program or export for models, under any caller", async () => {
    const server = await openShop();
    const bot = await server.as("bot");
    const surfaces = [
      await ask(server, "tools/list"),
      JSON.stringify((await bot("GET", "/tools")).body),
      JSON.stringify((await bot("GET", "/search?query=refresh%20cart%20orders")).body),
      JSON.stringify((await bot("GET", "/exports/openai")).body),
      JSON.stringify((await bot("POST", "/tools/search_tools/call", { input: { query: "refresh the cart of orders" } })).body),
      JSON.stringify((await bot("POST", "/tools/run_code/call", { input: { code: "return Object.keys(tools);" } })).body),
      JSON.stringify(server.rack.registry.view({ agent: "bot" }).tools.map(({ name }) => name)),
      JSON.stringify(server.rack.registry.view({ owner: true, agent: "owner" }).tools.map(({ name }) => name)),
    ];
    for (const surface of surfaces) expect(surface).not.toContain("refresh_cart");
    expect(surfaces.filter((surface) => surface.includes("find_orders")).length).toBeGreaterThanOrEqual(5);
  });

  it("is not called by name, over HTTP, MCP or from a program, by the owner neither", async () => {
    const server = await openShop();
    const bot = await server.as("bot");
    for (const call of [bot, server.ask]) {
      const answer = await call("POST", `/tools/${hidden}/call`, { input: {} });
      expect(answer).toMatchObject({
        status: 503,
        body: { code: "TOOL_UNAVAILABLE", detail: expect.stringContaining("for its own views") },
      });
    }
    expect(await ask(server, "tools/call", { name: hidden, arguments: {} })).toMatch(/not found|unavailable/);
    const program = await bot("POST", "/tools/run_code/call", { input: { code: `return await tools["${hidden}"]({});` } });
    expect(program.status).not.toBe(200);
    expect(server.called()).toEqual([]);
    await bot("POST", `/tools/${shown}/call`, { input: {} });
    expect(server.called()).toHaveLength(1);
  });

  it("is shown to operators, with the reason", async () => {
    const server = await openShop();
    const { tools } = (await server.ask("GET", "/tools?all=true")).body;
    expect(tools.find(({ name }: any) => name === hidden)).toMatchObject({
      state: "unavailable",
      reason: expect.stringContaining("Its server marks it for its own views, not for models"),
    });
  });

  it("is no longer offered once its server marks it so", async () => {
    const server = await openShop(forBoth);
    expect(await ask(server, "tools/list")).toContain("refresh_cart");
    await server.list(toolNamed("find_orders"), toolNamed("refresh_cart", forViews));
    await until(async () => !(await ask(server, "tools/list")).includes("refresh_cart"));
  });

  it.each(["hold", "keep-old"])("is not offered by its server's word alone when that opens it to models: %s", async (change) => {
    const server = await openShop(forViews, { change });
    await server.list(toolNamed("find_orders"), toolNamed("refresh_cart", forBoth));
    await until(() => server.rack.trust.waiting().length > 0);
    expect(await ask(server, "tools/list")).not.toContain("refresh_cart");
    expect((await server.ask("POST", `/tools/${hidden}/call`, { input: {} })).status).not.toBe(200);
    expect(server.called()).toEqual([]);
  });
});
