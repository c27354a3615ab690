import { readFileSync } from "node:fs";
import { defineTool } from "@toolrack/core";
import type { UpstreamRequest } from "@toolrack/mcp";
import { pruneAudit } from "@toolrack/store";
import { openTestServer, type TestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it, onTestFinished } from "vitest";
import { openRack } from "../../src/rack/open.ts";
import { serve } from "../../src/serve.ts";
import { maxSeries, maxTools, metricList } from "../../src/telemetry/metrics/metric-list.ts";
import { createMetrics } from "../../src/telemetry/metrics/metrics.ts";
import { createOperationDurations } from "../../src/telemetry/metrics/operation-durations.ts";
import { readMetrics, type ReadMetrics } from "../telemetry/prometheus.ts";

const odd = defineTool({ name: "odd", description: "Waits.", inputSchema: { type: "object", properties: {} }, handler: () => "done" });

async function scrape(server: TestServer): Promise<ReadMetrics> {
  const answer = await server.request("GET", "/metrics");
  expect(answer.status).toBe(200);
  return readMetrics(await answer.text());
}

const callEcho = (server: TestServer): Promise<Response> =>
  server.request("POST", "/api/v1/tools/echo/call", { body: { input: { text: "hello" } } });

describe("the metrics", () => {
  // row: I7
  it("count calls by tool, outcome and code, and requests by route and status", async () => {
    await using server = await openTestServer({ tools: [odd], config: { policy: { tools: { deny: ["odd"] } } } });
    for (let time = 0; time < 3; time++) await callEcho(server);
    await server.request("POST", "/api/v1/tools/fail/call", { body: {} });
    await server.request("POST", "/api/v1/tools/odd/call", { body: {} });
    await server.request("GET", "/not/there");
    const { samples } = await scrape(server);
    expect(Object.fromEntries(samples)).toMatchObject({
      'toolrack_calls_total{tool="echo",outcome="ok",code="OK"}': 3,
      'toolrack_calls_total{tool="fail",outcome="error",code="TOOL_FAILED"}': 1,
      'toolrack_calls_total{tool="odd",outcome="refused",code="TOOL_NOT_ALLOWED"}': 1,
      'gen_ai_execute_tool_duration_seconds_count{gen_ai_tool_name="echo",gen_ai_tool_type="function"}': 3,
      'gen_ai_execute_tool_duration_seconds_bucket{gen_ai_tool_name="echo",gen_ai_tool_type="function",le="+Inf"}': 3,
      toolrack_calls_running: 0,
      toolrack_approvals_waiting: 0,
      toolrack_store_up: 1,
      'toolrack_http_requests_total{route="POST /api/v1/tools/{name}/call",status="200"}': 3,
      'toolrack_http_requests_total{route="(none)",status="404"}': 1,
    });
    expect(samples.get("process_resident_memory_bytes")).toBeGreaterThan(1_000_000);
  });

  it("state each fact once: durations of calls have one name, and a second one where the configuration asks for it", async () => {
    await using server = await openTestServer();
    await callEcho(server);
    const { families, samples } = await scrape(server);
    const counted = (name: string): readonly string[] =>
      [...samples.keys()].filter((key) => key.startsWith(name) && key.includes('"echo"'));
    expect(families.has("toolrack_call_duration_seconds")).toBe(false);
    expect(counted("gen_ai_execute_tool_duration_seconds_count")).toHaveLength(1);
    await using old = await openTestServer({ config: { server: { metrics: { oldNames: true } } } });
    await callEcho(old);
    const { samples: both } = await scrape(old);
    expect(both.get('toolrack_call_duration_seconds_count{tool="echo"}')).toBe(1);
  });

  // row: I7
  it("count for each tool what the statistics count", async () => {
    await using server = await openTestServer();
    for (let time = 0; time < 3; time++) await callEcho(server);
    for (let time = 0; time < 2; time++) await server.request("POST", "/api/v1/tools/fail/call", { body: {} });
    const counted = new Map<string, { calls: number; errors: number }>();
    for (const [name, value] of (await scrape(server)).samples) {
      const [, tool, outcome] = /^toolrack_calls_total\{tool="(.+?)",outcome="(.+?)"/.exec(name) ?? [];
      if (tool === undefined) continue;
      const { calls, errors } = counted.get(tool) ?? { calls: 0, errors: 0 };
      counted.set(tool, { calls: calls + value, errors: errors + (outcome === "ok" ? 0 : value) });
    }
    const statistics = (await server.rack.calls.statistics()).map(({ tool, calls, errors }) => [tool, { calls, errors }] as const);
    expect(statistics).toHaveLength(2);
    expect(new Map(statistics)).toEqual(counted);
  });

  it("ME1: do not fall when old lines of the audit are removed", async () => {
    await using server = await openTestServer();
    for (let time = 0; time < 5; time++) await callEcho(server);
    const before = await scrape(server);
    await pruneAudit(server.rack.store, { maxRows: 1 });
    expect((await server.rack.calls.list()).length).toBeLessThan(5);
    const after = await scrape(server);
    for (const [key, value] of before.samples)
      if (/_total|_count|_bucket/.test(key)) expect(after.samples.get(key), key).toBeGreaterThanOrEqual(value);
    expect(after.samples.get('toolrack_calls_total{tool="echo",outcome="ok",code="OK"}')).toBe(5);
  });

  it("ME2: names that somebody makes up, of tools, agents, addresses and methods, become no series", async () => {
    await using server = await openTestServer();
    const { secret } = await server.rack.keys.create({ agent: "anna-the-agent", roles: [], by: "owner" });
    const invent = async (round: number): Promise<void> => {
      await server.request("POST", `/api/v1/tools/made_up_${round}/call`, { body: {} });
      await server.request("GET", `/made/up/${round}`);
    };
    const over = { accept: "application/json, text/event-stream" };
    const message = (method: string): object => ({ jsonrpc: "2.0", id: 1, method, params: { name: method, arguments: {} } });
    await invent(0);
    await callEcho(server);
    for (const method of ["tools/call", "made_up/call"]) await server.request("POST", "/mcp", { body: message(method), headers: over });
    await scrape(server);
    const before = await scrape(server);
    for (let round = 1; round <= 300; round++) await invent(round);
    for (let round = 0; round < 20; round++)
      await server.request("POST", "/mcp", { body: message(`made_up_${round}/call`), headers: over });
    await server.request("POST", "/api/v1/tools/echo/call", { body: { input: { text: "x" } }, key: secret });
    const after = await scrape(server);
    expect([...after.samples.keys()]).toEqual([...before.samples.keys()]);
    expect(after.samples.get('toolrack_calls_total{tool="(unknown)",outcome="refused",code="TOOL_NOT_FOUND"}')).toBe(302);
    expect([...after.samples.keys()].join()).not.toContain("anna");
  });

  it("ME2: protocol versions that somebody makes up become no series", async () => {
    await using server = await openTestServer();
    const list = (version: string): Promise<Response> =>
      server.request("POST", "/mcp", {
        body: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
        headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": version },
      });
    for (let day = 10; day < 30; day++) await list(`2031-01-${day}`);
    await list("2025-11-25");
    const { samples } = await scrape(server);
    const versions = [...samples.keys()].map((key) => /mcp_protocol_version="(.*?)"/.exec(key)?.[1]).filter((one) => one !== undefined);
    expect(new Set(versions)).toEqual(new Set(["(other)", "2025-11-25"]));
  });

  it("ME2: whatever its labels are, a metric of MCP operations has a limited number of series", () => {
    const durations = createOperationDurations(() => true);
    for (let index = 0; index < 3 * maxSeries; index++) {
      const request = { method: "tools/call", server: `up-${index}`, transport: "tcp" } as unknown as UpstreamRequest;
      durations.server({ method: "tools/list", tool: undefined, version: undefined, transport: "tcp", error: String(index) }, 1);
      durations.client(request, undefined, 1);
    }
    const texts = [[...durations.serverText()], [...durations.clientText()]];
    expect(texts.map((series) => series.length)).toEqual([maxSeries + 1, maxSeries + 1]);
    for (const series of texts) expect(series.at(-1)).toMatch(new RegExp(`_count\\{[^}]*"\\(other\\)"[^}]*\\} ${2 * maxSeries}\n$`));
  });

  it("ME2: tools beyond the stated number are counted together", async () => {
    const tools = Array.from({ length: maxTools + 3 }, (_, index) => defineTool({ ...odd, name: `tool_${index}` }));
    await using server = await openTestServer({ tools });
    for (const { name } of tools) await server.rack.registry.invoke(name, {});
    const { samples } = await scrape(server);
    const named = [...samples.keys()].filter((key) => key.startsWith("toolrack_calls_total"));
    expect(named).toHaveLength(maxTools + 1);
    expect(samples.get('toolrack_calls_total{tool="(other)",outcome="ok",code="OK"}')).toBe(3);
  });

  it("ME3: tell how many calls run and wait for a person, without asking the store", async () => {
    await using server = await openTestServer({ config: { policy: { tools: { ask: ["echo"] } } } });
    const answering = callEcho(server);
    await until(() => server.rack.approvals.waiting() === 1);
    const { samples } = await scrape(server);
    expect([samples.get("toolrack_calls_running"), samples.get("toolrack_approvals_waiting")]).toEqual([1, 1]);
    const [question] = await server.rack.approvals.list();
    await server.rack.approvals.decide(question!.id, { approved: true, by: "owner" });
    await answering;
    expect((await scrape(server)).samples.get("toolrack_approvals_waiting")).toBe(0);
  });

  it("ME3: are written while the store is closed", async () => {
    await using server = await openTestServer();
    await callEcho(server);
    await server.rack.store.close();
    const { samples } = await scrape(server);
    expect(samples.get('toolrack_calls_total{tool="echo",outcome="ok",code="OK"}')).toBe(1);
  });

  it("calls that tools make are counted like others, and requests over MCP like those to the API", async () => {
    const outer = defineTool({
      name: "outer",
      description: "Calls another.",
      inputSchema: { type: "object", properties: {} },
      handler: async (_, { call }) => (await call("odd", {})).ok,
    });
    const rack = await openRack({ environment: {}, config: { store: { memory: true } }, tools: [odd, outer] });
    const served = await serve(rack, { port: 0, consoleFolder: false });
    onTestFinished(() => served.close({ graceMs: 0 }));
    const authorization = `Bearer ${rack.ownerToken.text}`;
    const headers = { authorization, "content-type": "application/json", accept: "application/json, text/event-stream" };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "outer", arguments: {} } };
    expect((await fetch(`${served.url}/mcp`, { method: "POST", headers, body: JSON.stringify(message) })).status).toBe(200);
    expect((await fetch(`${served.url}/mcp`, { method: "PUT", headers, body: "{}" })).status).toBe(405);
    const { samples } = readMetrics(await (await fetch(`${served.url}/metrics`, { headers })).text());
    expect(samples.get('gen_ai_execute_tool_duration_seconds_count{gen_ai_tool_name="outer",gen_ai_tool_type="function"}')).toBe(1);
    expect(samples.get('gen_ai_execute_tool_duration_seconds_count{gen_ai_tool_name="odd",gen_ai_tool_type="function"}')).toBe(1);
    expect(samples.get('toolrack_http_requests_total{route="POST /mcp",status="200"}')).toBe(1);
    expect(samples.get('toolrack_http_requests_total{route="PUT /mcp",status="405"}')).toBe(1);
  });

  it("are all on their list with type and labels, and the reference page has the list", async () => {
    await using server = await openTestServer({ config: { server: { metrics: { oldNames: true } } } });
    await callEcho(server);
    const metrics = createMetrics({
      rack: server.rack,
      streams: () => 0,
      sources: {
        recording: () => ({ unrecorded: 1, kept: 2, dropped: 3 }),
        engine: () => ({
          pool: { max: 10, inUse: 3, idle: 1, waiting: 4 },
          queries: { failed: 1, seconds: 0.3, bounds: [0.1, 1], buckets: [2, 1, 0] },
        }),
      },
    });
    onTestFinished(metrics.close);
    metrics.countRequest("GET /x", 200, 0.1);
    const { families, samples } = readMetrics(metrics.write(await server.rack.cluster.read()));
    const known = Object.entries(metricList) as [string, { type: string; labels: readonly string[]; help: string }][];
    // What the system does not tell everywhere, a log that counts nothing, and a store in memory.
    const optional = ["process_open_fds", "toolrack_log_lines_dropped_total", "toolrack_store_size_bytes"];
    expect(known.map(([name]) => name).filter((name) => !families.has(name) && !optional.includes(name))).toEqual([]);
    for (const [name, { type, help }] of families) expect(metricList[name as keyof typeof metricList], name).toMatchObject({ type, help });
    for (const key of samples.keys()) {
      const [, name, inner = ""] = /^([^{]+?)(?:\{(.*)\})?$/.exec(key)!;
      const about = Object.hasOwn(metricList, name!) ? name! : name!.replace(/_(?:bucket|sum|count)$/, "");
      const found = [...inner.matchAll(/(?:^|,)([a-z_]+)="/g)].map(([, one]) => one!).filter((one) => one !== "le");
      expect(found, key).toEqual(metricList[about as keyof typeof metricList].labels);
    }
    expect(Object.fromEntries(samples)).toMatchObject({
      toolrack_unrecorded_calls_total: 1,
      toolrack_kept_ends: 2,
      toolrack_lost_ends_total: 3,
      'toolrack_store_connections{state="used"}': 3,
      toolrack_store_queue: 4,
      'toolrack_store_query_duration_seconds_bucket{le="+Inf"}': 3,
    });
    const page = readFileSync(new URL("../../../../docs/reference/metrics.md", import.meta.url), "utf8");
    expect(known.map(([name]) => name).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});
