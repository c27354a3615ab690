import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { defineTool } from "@toolrack/core";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver, type TestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it, onTestFinished } from "vitest";
import { toEventId } from "../../src/feed/position.ts";
import { routes } from "../../src/routes.ts";
import { serve } from "../../src/serve.ts";

const inputSchema = { type: "object" } as const;
const openTool = defineTool({ name: "weather", description: "Tells the weather.", inputSchema, handler: () => "sunny" });
const vault = defineTool({
  name: "vault_open",
  description: "Opens the zebra vault.",
  inputSchema,
  metadata: { usageHint: "For zebra matters." },
  handler: () => `zebra gold ${"g".repeat(250_000)}`,
});
/** Names, descriptions and results of what is hidden. */
const hidden = /vault_open|vault_record|zebra/;

async function hideVault(): Promise<TestServer & { readonly helper: TestServer["ask"]; readonly key: string; readonly callId: string }> {
  const rack = await openTestRack({
    tools: [openTool, vault],
    config: {
      store: { memory: true },
      tools: { packs: { utility: true, memory: true } },
      bundles: { night: { description: "Night shift.", required: ["weather", "vault_open"], optional: ["vault_record"] } },
    },
  });
  const server = serverOver(rack);
  const implementation = { kind: "http", endpoint: "https://example.com/x" };
  const context = { name: "vault_record", description: "A zebra record.", inputSchema: { type: "object" }, implementation };
  await rack.store.put({ schema_name: "tool.definition.v1", title: "Zebra record", tags: ["workspace:tools"], context });
  await expect.poll(() => rack.registry.has("vault_record")).toBe(true);
  const { secret: key } = await rack.keys.create({ agent: "helper", roles: ["emitter"], by: "test" });
  const helper: TestServer["ask"] = (method, path, body, asking) =>
    server.ask(method, path, body, { ...asking, headers: { authorization: `Bearer ${key}`, ...asking?.headers } });
  const called = await helper("POST", "/tools/vault_open/call", { input: {} }, { headers: { "idempotency-key": "once" } });
  expect(called.body.content).toContain("zebra gold");
  return { ...server, helper, key, callId: called.body.meta.callId };
}

const hide = (server: TestServer): Promise<unknown> =>
  server.rack.settings.set("policy.agents.helper", { tools: { deny: ["vault_*"] } }, "boss");

describe("a tool that the policy hides from a caller", () => {
  it("SD16: has a record that is not there: neither its versions, nor what differs between them, nor a check of it", async () => {
    const server = await hideVault();
    const { store } = server.rack;
    const record = (await store.get("tool-def-vault_record"))!;
    const { id } = record;
    await store.put({ ...record, tags: ["workspace:tools", "zebra"] });
    const asks = async (): Promise<number[]> => [
      (await server.helper("GET", `/breadcrumbs/${id}`)).status,
      (await server.helper("GET", `/breadcrumbs/${id}/diff?from=1&to=2`)).status,
    ];
    expect(await asks()).toEqual([200, 200]);
    await hide(server);
    expect(await asks()).toEqual([404, 404]);
    expect(await server.helper("POST", `/lifecycle/${id}/validate`)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  });

  it("SD16: occurs in no answer of any route that can be read", async () => {
    const server = await hideVault();
    const { helper, callId } = server;
    await hide(server);
    const fillings: readonly Readonly<Record<string, string>>[] = [
      { id: callId, name: "weather", tool: "weather", key: "bundles.night", target: "anthropic", notation: "gbnf" },
      { id: "tool-catalog", name: "night", tool: "weather", key: "policy.agents.helper", target: "openai-chat", notation: "lark" },
      { id: "helper", name: "KEY", tool: "weather", key: "policy.tools", target: "generic", notation: "structural-tag" },
    ];
    const queries = [
      "",
      "?q=opens+matters",
      "?caller=%7B%22agent%22%3A%22helper%22%7D",
      "?text=record",
      "?includeContext=true",
      "?from=1&to=2",
    ];
    let looked = 0;
    for (const route of routes) {
      if (route.method !== "GET" || route.id === "followEvents") continue;
      for (const filling of fillings) {
        const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(filling[name] ?? "x"));
        for (const query of queries) {
          const response = await server.request("GET", `/api/v1${path}${query}`, { headers: { authorization: `Bearer ${server.key}` } });
          const text = await response.text();
          expect(text, `${route.id} ${path}${query} ${text.slice(0, 400)}`).not.toMatch(hidden);
          if (response.status === 200) looked += 1;
        }
        if (!route.path.includes("{")) break;
      }
    }
    expect(looked).toBeGreaterThan(20);
    for (const path of ["", "/history", "/diff?from=1&to=1"])
      expect(JSON.stringify(await helper("GET", `/breadcrumbs/tool-def-vault_record${path}`))).not.toContain("zebra");
  });

  it("SD16: is not shown again by a kept answer, on the server or in the library", async () => {
    const server = await hideVault();
    await hide(server);
    const again = await server.helper("POST", "/tools/vault_open/call", { input: {} }, { headers: { "idempotency-key": "once" } });
    expect(again).toMatchObject({ status: 403, body: { code: "TOOL_NOT_ALLOWED" } });
    expect(JSON.stringify(again)).not.toContain("zebra");
  });

  it("SD16: has no part in the events that the caller follows", async () => {
    const server = await hideVault();
    await hide(server);
    const controller = new AbortController();
    const since = toEventId({ change: 0, call: 0 });
    const response = await server.request("GET", `/api/v1/events?since=${since}`, {
      headers: { authorization: `Bearer ${server.key}` },
      signal: controller.signal,
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let seen = "";
    const calling = server.helper("POST", "/tools/weather/call", { input: {} });
    // The call that may be seen comes after the one that may not.
    while (!/event: call-end\ndata: [^\n]*weather/.test(seen)) seen += (await reader.read()).value ?? "";
    await calling;
    controller.abort();
    expect(seen).toContain("weather");
    expect(seen).not.toMatch(hidden);
  });

  it("SD16: occurs in no answer of MCP, not even on a page of a result that was kept", async () => {
    const server = await hideVault();
    const served = await serve(server.rack, { port: 0, consoleFolder: false });
    onTestFinished(() => served.close({ graceMs: 0 }));
    const client = new Client({ name: "test", version: "1" });
    const headers = { authorization: `Bearer ${server.key}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), { requestInit: { headers } }));
    onTestFinished(() => client.close());
    const long = await client.callTool({ name: "vault_open", arguments: {} });
    const link = (long.content as { type: string; uri?: string }[]).find(({ type }) => type === "resource_link");
    await hide(server);
    const answers = [
      await client.listTools(),
      await client.listPrompts(),
      await client.listResources(),
      await client.listResourceTemplates(),
      await client.readResource({ uri: "toolrack://catalog" }),
      await client.complete({ ref: { type: "ref/resource", uri: "toolrack://tools/{name}" }, argument: { name: "name", value: "" } }),
      await client.readResource({ uri: "toolrack://tools/weather" }),
    ];
    expect(JSON.stringify(answers)).toContain("weather");
    expect(JSON.stringify(answers)).not.toMatch(hidden);
    await expect(client.readResource({ uri: "toolrack://tools/vault_open" })).rejects.toThrow();
    await expect(client.readResource({ uri: link!.uri! })).rejects.toThrow(/no such resource/);
    expect(JSON.stringify(await client.callTool({ name: "vault_open", arguments: {} }))).not.toContain("zebra");
  });

  it("M1: is not shown by the tools that search and read records", async () => {
    const server = await hideVault();
    await hide(server);
    const { helper } = server;
    const call = async (tool: string, input: unknown): Promise<string> => {
      const { status, body } = await helper("POST", `/tools/${tool}/call`, { input });
      return `${status} ${JSON.stringify(body)}`;
    };
    await helper("POST", "/breadcrumbs", { id: "n1", schema_name: "note.v1", title: "About a record", context: { text: "record" } });
    const answers = [
      await call("breadcrumb_search", { schema_name: "tool.definition.v1", include_context: true }),
      await call("breadcrumb_search", { schema_name: "tool.catalog.v1", include_context: true }),
      await call("breadcrumb_search", { text: "record", limit: 100 }),
      await call("breadcrumb_update", { id: "tool-def-vault_record", version: 1, context: {} }),
      await call("memory_search", { query: "record" }),
      await call("memory_get", { note: "record:tool-def-vault_record" }),
    ];
    for (const answer of answers) expect(answer.replaceAll(/tool-def-vault_record/g, "")).not.toMatch(hidden);
    expect(answers[2]).toContain("About a record");
    expect(answers[4]).toContain("About a record");
    expect(answers[5]).not.toMatch(/^200/);
  });

  it("M1: is hidden by its name also while its definition is a draft", async () => {
    const server = await hideVault();
    await hide(server);
    const context = { name: "vault_draft", description: "A zebra draft.", inputSchema: { type: "object" }, state: "draft" };
    await server.rack.store.put({ schema_name: "tool.definition.v1", title: "Zebra draft", context });
    const grouped = { ...context, name: "other_draft", groups: ["web"] };
    await server.rack.store.put({ schema_name: "tool.definition.v1", title: "Zebra group", context: grouped });
    await server.rack.settings.set("policy.agents.helper", { tools: { deny: ["vault_*", "group:web"] } }, "boss");
    for (const path of [
      "/breadcrumbs?schema_name=tool.definition.v1&includeContext=true",
      "/breadcrumbs/tool-def-vault_draft",
      "/breadcrumbs/tool-def-other_draft",
      "/breadcrumbs/tool-def-vault_draft/history",
      "/lifecycle",
    ])
      expect(JSON.stringify(await server.helper("GET", path)), path).not.toMatch(/[Zz]ebra/);
    expect((await server.helper("POST", "/lifecycle/tool-def-vault_draft/validate")).status).toBe(404);
    expect(JSON.stringify((await server.ask("GET", "/lifecycle")).body)).toContain("vault_draft");
  });

  it("SD16: is not named by the event of its removal", async () => {
    const server = await hideVault();
    await hide(server);
    const controller = new AbortController();
    const response = await server.request("GET", "/api/v1/events?types=tool-removed&types=tool-added", {
      headers: { authorization: `Bearer ${server.key}` },
      signal: controller.signal,
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let seen = "";
    while (!seen.includes("ready")) seen += (await reader.read()).value ?? "";
    server.rack.registry.unregister("vault_open");
    server.rack.registry.unregister("weather");
    while (!seen.includes("weather")) seen += (await reader.read()).value ?? "";
    controller.abort();
    expect(seen).not.toMatch(hidden);
  });
});
