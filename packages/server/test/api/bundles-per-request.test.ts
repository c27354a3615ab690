import { defineTool } from "@toolrack/core";
import { openTestServer, type TestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import type { RackConfig } from "../../src/config/config.ts";

const tools = ["alpha", "beta", "gamma"].map((name) =>
  defineTool({ name, description: `Does ${name}.`, inputSchema: { type: "object" }, handler: () => name }),
);
const bundles = {
  one: { description: "One.", required: ["gamma", "alpha"], optional: [] },
  two: { description: "Two.", required: ["beta"], optional: ["delta"] },
};
const config: RackConfig = { store: { memory: true }, bundles, policy: { agents: { ann: { tools: { deny: ["alpha", "web_search"] } } } } };
const open = (): Promise<TestServer> => openTestServer({ config, tools });

const mcp = async ({ request }: TestServer, path: string, method: string, params: object = {}) => {
  const response = await request("POST", path, {
    headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" },
    body: { jsonrpc: "2.0", id: 1, method, params },
  });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) };
};

describe("two requests with different bundles", () => {
  // row: C17
  it("list and export different tools of one registry, in the order of the bundle", async () => {
    await using server = await open();
    const names = async (path: string): Promise<string[]> =>
      (await server.ask("GET", path)).body.tools.map((tool: { name: string }) => tool.name);
    expect(await names("/tools?bundle=one")).toEqual(["gamma", "alpha"]);
    expect(await names("/tools?bundle=two")).toEqual(["beta"]);
    expect(await names("/exports/anthropic?bundle=one")).toEqual(["gamma", "alpha"]);
    expect(await names("/exports/anthropic?bundle=two")).toEqual(["beta"]);
    expect(await names("/exports/anthropic")).toEqual(expect.arrayContaining(["alpha", "beta", "gamma", "echo"]));
    const grammar = (await server.ask("GET", "/exports/grammars/gbnf?bundle=two")).body.grammar as string;
    expect(grammar).toContain("beta");
    expect(grammar).not.toContain("alpha");
    for (const path of ["/tools?bundle=none", "/exports/anthropic?bundle=none", "/exports/grammars/gbnf?bundle=none"])
      expect(await server.ask("GET", path)).toMatchObject({ status: 404, body: { detail: expect.stringContaining('no bundle "none"') } });
  });

  // row: C17
  it("call the tools of their bundle only", async () => {
    await using server = await open();
    const call = (tool: string, bundle: string) => server.ask("POST", `/tools/${tool}/call`, { input: {}, bundle });
    expect(await call("alpha", "one")).toMatchObject({ status: 200, body: { content: "alpha" } });
    expect(await call("alpha", "two")).toMatchObject({
      status: 404,
      body: { code: "TOOL_NOT_FOUND", detail: expect.stringContaining('The bundle "two" has no tool "alpha"') },
    });
    expect(await call("alpha", "none")).toMatchObject({ status: 404, body: { detail: expect.stringContaining('no bundle "none"') } });
    const job = { input: {}, bundle: "two", mode: "job" };
    expect((await server.ask("POST", "/tools/alpha/call", job)).status).toBe(404);
    const ann = await server.as("ann");
    expect((await ann("POST", "/tools/alpha/call", { input: {}, bundle: "one" })).body).toMatchObject({ code: "TOOL_NOT_ALLOWED" });
  });

  it("show nobody more than the policy does", async () => {
    await using server = await open();
    const ann = await server.as("ann");
    expect((await ann("GET", "/tools?bundle=one")).body.tools.map(({ name }: { name: string }) => name)).toEqual(["gamma"]);
    expect((await ann("GET", "/exports/generic?bundle=one")).body.tools).toHaveLength(1);
  });

  // row: C17
  it("list different tools over MCP, and follow a change of the bundle", async () => {
    await using server = await open();
    const listed = async (path: string): Promise<string[]> =>
      (await mcp(server, path, "tools/list")).body.result.tools.map(({ name }: { name: string }) => name);
    expect(await listed("/mcp?bundle=one")).toEqual(["gamma", "alpha"]);
    expect(await listed("/mcp?bundle=two")).toEqual(["beta"]);
    expect(await listed("/mcp")).toEqual(expect.arrayContaining(["alpha", "beta", "gamma", "echo"]));
    const called = await mcp(server, "/mcp?bundle=two", "tools/call", { name: "beta", arguments: {} });
    expect(called.body.result.content).toEqual([{ type: "text", text: "beta" }]);
    const other = await mcp(server, "/mcp?bundle=two", "tools/call", { name: "alpha", arguments: {} });
    expect(JSON.stringify(other.body)).toContain('The bundle \\"two\\" of this connection has no tool \\"alpha\\"');
    expect((await mcp(server, "/mcp", "tools/call", { name: "alpha", arguments: {} })).body.result.content).toMatchObject([
      { text: "alpha" },
    ]);
    await server.ask("PUT", "/bundles/two", { required: ["alpha", "beta"] });
    expect((await mcp(server, "/mcp?bundle=two", "tools/call", { name: "alpha", arguments: {} })).body.result.content).toMatchObject([
      { text: "alpha" },
    ]);
    expect(await listed("/mcp?bundle=two")).toEqual(["alpha", "beta"]);
    expect(await mcp(server, "/mcp?bundle=none", "tools/list")).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  });
});

describe("a bundle that is resolved", () => {
  // row: C16
  it("says which of its optional tools are missing: blog_agent has no others", async () => {
    await using server = await open();
    expect((await server.ask("GET", "/bundles/blog_agent/resolve")).body).toEqual({
      name: "blog_agent",
      tools: [],
      missing: [],
      missingCount: 0,
      missingOptional: ["rss_feed", "calendar", "static_links", "blog_notion", "web_search"],
      missingOptionalCount: 5,
    });
    const ann = await server.as("ann");
    const { body } = await ann("GET", "/bundles/blog_agent/resolve");
    expect(body).toMatchObject({ missingOptionalCount: 5 });
    expect(body.missingOptional).not.toContain("web_search");
  });
});
