import { defineTool, ToolError } from "@toolrack/core";
import { openTestServer, type TestServer, type TestServerOptions } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { type KeptLog, keepLog } from "./lines.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";
const traceparent = `00-${traceId}-${spanId}-01`;

const outer = defineTool({
  name: "outer",
  description: "Calls another.",
  inputSchema: { type: "object", properties: {} },
  handler: async (_, { call }) => (await call("echo", { text: "x" })).ok,
});

async function openLogged(options: TestServerOptions = {}): Promise<TestServer & KeptLog> {
  const kept = keepLog();
  const server = await openTestServer({ ...options, tools: [outer, ...(options.tools ?? [])], rack: { log: kept.log, ...options.rack } });
  return Object.assign(server, kept);
}

const callEcho = "/api/v1/tools/echo/call";
const modern = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };

function callOverMcp(server: TestServer, name: string, era: "modern" | "legacy", meta: object = {}): Promise<Response> {
  const params = { name, arguments: { text: "x" }, _meta: { ...(era === "modern" && modern), ...meta } };
  const headers =
    era === "modern"
      ? { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name }
      : ({} as Record<string, string>);
  return server.request("POST", "/mcp", {
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
    headers: { accept: "application/json, text/event-stream", "x-request-id": `mcp-${era}`, ...headers },
  });
}

describe("the log tells of every request and call", () => {
  it("LG1: a call over HTTP is two lines with the same request id, which the answer has too", async () => {
    await using server = await openLogged();
    const { secret } = await server.rack.keys.create({ agent: "anna", roles: [], by: "owner" });
    const answer = await server.request("POST", callEcho, {
      body: { input: { text: "x" } },
      key: secret,
      headers: { "x-request-id": "proxy-42", traceparent },
    });
    expect(answer.headers.get("x-request-id")).toBe("proxy-42");
    const ids = { requestId: "proxy-42", traceId, spanId, trace_id: traceId, span_id: spanId };
    const callId = expect.any(String) as string;
    expect(server.of("call")).toEqual([
      {
        level: "info",
        time: expect.any(String) as string,
        message: "call",
        tool: "echo",
        agent: "anna",
        principal: "key anna",
        decision: "allowed",
        status: 200,
        durationMs: expect.any(Number) as number,
        callId,
        "gen_ai.tool.name": "echo",
        "gen_ai.tool.call.id": callId,
        ...ids,
      },
    ]);
    expect(server.of("request")).toEqual([
      {
        level: "info",
        time: expect.any(String) as string,
        message: "request",
        route: "POST /api/v1/tools/{name}/call",
        status: 200,
        durationMs: expect.any(Number) as number,
        agent: "anna",
        principal: "key anna",
        "http.response.status_code": 200,
        ...ids,
      },
    ]);
  });

  it.each(["modern", "legacy"] as const)("LG1: so is a call over MCP (%s), with its method", async (era) => {
    await using server = await openLogged();
    const answer = await callOverMcp(server, "echo", era, { traceparent });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-request-id")).toBe(`mcp-${era}`);
    const same = { requestId: `mcp-${era}`, mcpMethod: "tools/call", agent: "owner", principal: "owner", status: 200 };
    expect(server.of("call")).toMatchObject([{ ...same, tool: "echo", decision: "allowed", traceId, spanId }]);
    expect(server.of("request")).toMatchObject([{ ...same, route: "POST /mcp" }]);
  });

  it("LG1: a call that a tool makes has the request of the first one, and names its parent", async () => {
    await using server = await openLogged();
    await server.request("POST", "/api/v1/tools/outer/call", { body: {}, headers: { "x-request-id": "r1" } });
    const [inner, first] = server.of("call");
    expect(inner).toMatchObject({ tool: "echo", requestId: "r1", parentCallId: first?.["callId"] as string });
    expect(first).toMatchObject({ tool: "outer", requestId: "r1" });
  });

  it("LG2: a call that is refused says so, with its code; one that fails is a warning", async () => {
    await using server = await openLogged({ config: { policy: { tools: { deny: ["outer"] } } } });
    await server.request("POST", "/api/v1/tools/outer/call", { body: {} });
    await server.request("POST", "/api/v1/tools/no_such_tool/call", { body: {} });
    await server.request("POST", callEcho, { body: { input: {} } });
    await server.request("POST", "/api/v1/tools/fail/call", { body: {} });
    await callOverMcp(server, "outer", "modern");
    expect(server.of("call").map(({ level, tool, decision, code, status }) => [level, tool, decision, code, status])).toEqual([
      ["info", "outer", "refused", "TOOL_NOT_ALLOWED", 403],
      ["info", "no_such_tool", "refused", "TOOL_NOT_FOUND", 404],
      ["info", "echo", "refused", "INPUT_INVALID", 400],
      ["warn", "fail", "allowed", "TOOL_FAILED", 500],
      ["info", "outer", "refused", "TOOL_NOT_ALLOWED", 403],
    ]);
  });

  it("LG2: a call that waited for a person says what was decided", async () => {
    await using server = await openLogged({ config: { policy: { tools: { ask: ["echo"] } } } });
    for (const approved of [true, false]) {
      const answering = server.request("POST", callEcho, { body: { input: { text: String(approved) } } });
      await until(() => server.rack.approvals.waiting() === 1);
      const [question] = await server.rack.approvals.list();
      await server.rack.approvals.decide(question!.id, { approved, by: "owner" });
      await answering;
    }
    expect(server.of("call")).toMatchObject([
      { decision: "approved", status: 200 },
      { decision: "denied", status: 403, code: "APPROVAL_DENIED" },
    ]);
  });

  it("LG2: a call that waited for a person and never ran was asked for", async () => {
    await using server = await openLogged({ config: { policy: { tools: { ask: ["echo"] } } } });
    const call = server.rack.call("echo", { text: "x" }, { caller: { agent: "anna" } });
    await until(() => server.rack.approvals.waiting() === 1);
    call.cancel("The caller went away.");
    await call.result;
    expect(server.of("call")).toMatchObject([{ decision: "asked", code: "ABORTED" }]);
  });

  it("LG2: a call that is refused because something is away is no warning: the outage itself is one", async () => {
    const resting = defineTool({
      name: "resting",
      description: "Is away.",
      inputSchema: { type: "object", properties: {} },
      handler: () => Promise.reject(new ToolError("CIRCUIT_OPEN", "It is tried again later.", { retryAfterMs: 1_000 })),
    });
    await using server = await openLogged({ tools: [resting] });
    await server.request("POST", "/api/v1/tools/resting/call", { body: {} });
    expect([...server.of("call"), ...server.of("request")]).toMatchObject([
      { level: "info", status: 503, code: "CIRCUIT_OPEN" },
      { level: "info", status: 503 },
    ]);
  });

  it("LG4: a probe that finds the server not ready is told at debug: why is logged once", async () => {
    await using server = await openLogged();
    server.app.drain();
    for (let count = 0; count < 3; count++) expect((await server.request("GET", "/ready")).status).toBe(503);
    expect(server.of("request")).toEqual([]);
  });

  it("LG2: requests that no route had, and those that nobody signed in for, are lines too", async () => {
    await using server = await openLogged();
    await server.request("GET", "/nothing/here");
    await server.request("GET", "/api/v1/tools", { key: "wrong" });
    expect(server.of("request")).toMatchObject([
      { route: "(none)", status: 404, code: "NOT_FOUND" },
      { route: "GET /api/v1/tools", status: 401 },
    ]);
    expect(server.text()).not.toContain("/nothing/here");
  });

  it("LG3: a request id that could steer a log is not taken over", async () => {
    await using server = await openLogged();
    for (const wrong of ["a b", "x".repeat(129), '"}', "-a", "a;b"]) {
      const answer = await server.request("GET", "/api/v1/tools", { headers: { "x-request-id": wrong } });
      expect(answer.headers.get("x-request-id")).toMatch(/^[\w-]{33}$/);
    }
    expect(new Set(server.of("request").map(({ requestId }) => requestId)).size).toBe(5);
  });

  it("LG4: probes are told at debug, and what the configuration switches off not at all", async () => {
    await using server = await openLogged();
    for (const path of ["/health", "/health/live", "/metrics"]) await server.request("GET", path);
    expect(server.of("request")).toEqual([]);
    await using quiet = await openLogged({ config: { log: { requests: false, calls: false } } });
    await quiet.request("POST", callEcho, { body: { input: { text: "x" } } });
    expect([...quiet.of("request"), ...quiet.of("call")]).toEqual([]);
    await using silent = await openLogged({ config: { log: { level: "warn" } } });
    await silent.request("POST", callEcho, { body: { input: { text: "x" } } });
    await silent.request("POST", "/api/v1/tools/fail/call", { body: {} });
    expect(silent.lines().map(({ level, message }) => [level, message])).toEqual([
      ["warn", "call"],
      ["warn", "request"],
    ]);
  });

  it("LG5: a secret in the name of a tool, or in a header, is not in the log", async () => {
    await using server = await openLogged();
    server.log.hide(() => ["pl4nted-secret"]);
    await server.request("POST", "/api/v1/tools/pl4nted-secret/call", { body: {}, headers: { "x-request-id": "pl4nted-secret" } });
    expect(server.of("call")).toMatchObject([{ tool: "[redacted]", requestId: "[redacted]", code: "TOOL_NOT_FOUND" }]);
    expect(server.text()).not.toContain("pl4nted");
  });

  it("LG5: fields that the configuration hides are hidden in the log", async () => {
    await using server = await openLogged({ config: { redaction: { fields: ["agent"] } } });
    await server.request("POST", callEcho, { body: { input: { text: "x" } } });
    expect(server.of("call")).toMatchObject([{ agent: "[redacted]", tool: "echo" }]);
  });
});
