import { defineTool } from "@toolrack/core";
import { expect, it, onTestFinished } from "vitest";
import { openRack } from "../../src/rack/open.ts";
import { serve } from "../../src/serve.ts";
import { openTestServer } from "../http/rack.ts";

const odd = defineTool({ name: "odd", description: "Waits.", inputSchema: { type: "object", properties: {} }, handler: () => "done" });

it("the counters of each tool match the statistics of the log (I7)", async () => {
  await using server = await openTestServer({ tools: [odd] });
  for (let time = 0; time < 3; time++) await server.ask("POST", "/api/v1/tools/echo/call", { body: { input: { text: "hello" } } });
  await server.ask("POST", "/api/v1/tools/fail/call", { body: {} });
  await server.ask("POST", "/api/v1/tools/nothing/call", { body: {} });
  const answer = await server.ask("GET", "/metrics");
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const text = await answer.text();
  const counted = new Map<string, number>();
  for (const [, tool, value] of text.matchAll(/^toolrack_calls_total\{tool="([^"]+)",outcome="(?:ok|error)"\} (\d+)$/gm))
    counted.set(tool!, (counted.get(tool!) ?? 0) + Number(value));
  const statistics = await server.rack.calls.statistics();
  expect(counted).toEqual(new Map(statistics.map(({ tool, calls }) => [tool, calls])));
  expect(text).toContain('toolrack_calls_total{tool="fail",outcome="error"} 1');
  expect(text).toContain('toolrack_call_duration_seconds_count{tool="echo"} 3');
  expect(text).toContain('toolrack_call_duration_seconds_bucket{tool="echo",le="+Inf"} 3');
  expect(text).toContain("toolrack_calls_running 0");
  expect(text).toContain('toolrack_http_requests_total{route="POST /api/v1/tools/{name}/call",status="200"} 3');
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
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
  const text = await (await fetch(`${served.url}/metrics`, { headers })).text();
  expect(text).toContain('toolrack_call_duration_seconds_count{tool="outer"} 1');
  expect(text).toContain('toolrack_call_duration_seconds_count{tool="odd"} 1');
  expect(text).toContain('toolrack_http_requests_total{route="POST /mcp",status="200"} 1');
  expect(text).toContain('toolrack_http_requests_total{route="PUT /mcp",status="405"} 1');
});

it("every line is in the text format, whatever the names", async () => {
  await using server = await openTestServer({ tools: [odd] });
  await server.rack.calls.record({
    callId: "c1",
    tool: 'a"b\\c\nd',
    input: {},
    caller: {},
    startedAt: 0,
    result: { ok: true, content: "", meta: { callId: "c1", tool: "x", durationMs: 1 } },
  });
  const text = await (await server.ask("GET", "/metrics")).text();
  for (const line of text.trimEnd().split("\n"))
    expect(line).toMatch(
      /^(?:# (?:HELP|TYPE) [a-z_]+ .+|[a-z_]+(?:\{[a-z]+="(?:[^"\\\n]|\\["\\n])*"(?:,[a-z]+="(?:[^"\\\n]|\\["\\n])*")*\})? [\d.e+-]+)$/,
    );
  expect(text).toContain('tool="a\\"b\\\\c\\nd"');
});
