import { type Context, type Span, type SpanContext, type SpanOptions, trace, type TracerProvider } from "@opentelemetry/api";
import { defineTool } from "@toolrack/core";
import { openTestServer } from "@toolrack/testkit/test-server";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readTrace } from "../../../src/telemetry/trace/trace.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

describe("readTrace", () => {
  it("reads what W3C Trace Context allows, and nothing else", () => {
    expect(readTrace(traceparent, "a=1")).toEqual({ traceparent, tracestate: "a=1" });
    expect(readTrace(`01-${traceId}-b7ad6b7169203331-01-more`, undefined)).toBeDefined();
    for (const wrong of [
      undefined,
      "",
      "x",
      `ff-${traceId}-b7ad6b7169203331-01`,
      `00-${"0".repeat(32)}-b7ad6b7169203331-01`,
      `00-${traceId}-${"0".repeat(16)}-01`,
      `00-${traceId.toUpperCase()}-b7ad6b7169203331-01`,
      `${traceparent}\n`,
    ])
      expect(readTrace(wrong, undefined)).toBeUndefined();
  });
});

describe("without an SDK", () => {
  it("a trace that came in is the trace of the call, and goes out again", async () => {
    await using server = await openTestServer();
    const traces: unknown[] = [];
    server.rack.registry.subscribe((event) => {
      if (event.type === "call-start") traces.push(event.trace);
    });
    const answer = await server.request("POST", "/api/v1/tools/echo/call", {
      body: { input: { text: "x" } },
      headers: { traceparent, tracestate: "a=1" },
    });
    expect(traces).toEqual([{ requestId: answer.headers.get("x-request-id"), traceparent, tracestate: "a=1" }]);
    expect(answer.headers.get("traceparent")).toBe(traceparent);
  });
});

/** As much of an SDK as it takes to see spans. */
interface SeenSpan {
  readonly name: string;
  readonly parent: SpanContext | undefined;
  readonly context: SpanContext;
  readonly attributes: Record<string, unknown>;
  status?: number;
  ended: boolean;
}

function createProvider(seen: SeenSpan[]): TracerProvider {
  let count = 0;
  const startSpan = (name: string, options: SpanOptions = {}, parentContext?: Context): Span => {
    const parent = parentContext === undefined ? undefined : trace.getSpanContext(parentContext);
    const context: SpanContext = {
      traceId: parent?.traceId ?? "1".repeat(32),
      spanId: (++count).toString(16).padStart(16, "0"),
      traceFlags: 1,
    };
    const record: SeenSpan = { name, parent, context, attributes: { ...options.attributes }, ended: false };
    seen.push(record);
    const span = {
      spanContext: () => context,
      setAttribute: (key: string, value: unknown) => ((record.attributes[key] = value), span),
      setStatus: ({ code }: { code: number }) => ((record.status = code), span),
      isRecording: () => !record.ended,
      end: () => void (record.ended = true),
    } as unknown as Span;
    return span;
  };
  return { getTracer: () => ({ startSpan, startActiveSpan: () => undefined as never }) };
}

describe("with an SDK", () => {
  const seen: SeenSpan[] = [];
  beforeEach(() => {
    seen.length = 0;
    trace.setGlobalTracerProvider(createProvider(seen));
  });
  afterEach(() => trace.disable());

  it("that is set up after the server, spans are made from then on", async () => {
    trace.disable();
    await using server = await openTestServer();
    const call = (): Promise<Response> => server.request("POST", "/api/v1/tools/echo/call", { body: { input: { text: "x" } } });
    await call();
    expect(seen).toEqual([]);
    trace.setGlobalTracerProvider(createProvider(seen));
    await call();
    expect(seen.map(({ name, ended }) => [name, ended])).toEqual([
      ["POST /api/v1/tools/{name}/call", true],
      ["execute_tool echo", true],
    ]);
  });

  it("the request is a span below the caller's, and each call a span below that, to the last tool that a tool calls", async () => {
    const outer = defineTool({
      name: "outer",
      description: "Calls another.",
      inputSchema: { type: "object", properties: {} },
      handler: async (_, { call }) => (await call("fail", {})).ok,
    });
    await using server = await openTestServer({ tools: [outer] });
    const answer = await server.request("POST", "/api/v1/tools/outer/call", { body: {}, headers: { traceparent } });
    const [request, first, second] = seen;
    expect(request).toMatchObject({
      name: "POST /api/v1/tools/{name}/call",
      parent: { traceId, spanId: "b7ad6b7169203331" },
      attributes: {
        "http.request.method": "POST",
        "http.route": "/api/v1/tools/{name}/call",
        "http.response.status_code": 200,
        "toolrack.agent": "owner",
      },
      ended: true,
    });
    expect(first).toMatchObject({ name: "execute_tool outer", parent: { traceId, spanId: request!.context.spanId }, ended: true });
    expect(second).toMatchObject({
      name: "execute_tool fail",
      parent: { traceId, spanId: first!.context.spanId },
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "fail",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": expect.any(String) as string,
        "error.type": "TOOL_FAILED",
        "toolrack.decision": "allowed",
        "toolrack.parent_call_id": first!.attributes["toolrack.call_id"],
      },
      status: 2,
      ended: true,
    });
    expect(answer.headers.get("traceparent")).toBe(`00-${traceId}-${request!.context.spanId}-01`);
  });

  it("each has the name of the server, over HTTP and MCP", async () => {
    await using server = await openTestServer();
    await server.request("POST", "/api/v1/tools/echo/call", { body: { input: { text: "x" } } });
    const headers = { accept: "application/json, text/event-stream" };
    await server.request("POST", "/mcp", { body: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }, headers });
    expect(seen.map(({ name }) => name)).toEqual(expect.arrayContaining(["execute_tool echo", "POST /mcp", "tools/list"]));
    expect(new Set(seen.map(({ attributes }) => attributes["toolrack.server"]))).toEqual(new Set([server.rack.servers.name]));
  });

  it("probes open none, and other requests do", async () => {
    await using server = await openTestServer();
    for (const path of ["/ready", "/health", "/health/live"])
      expect((await server.request("GET", path, { headers: { traceparent } })).status).toBe(200);
    expect(seen).toEqual([]);
    await server.request("GET", "/api/v1/health");
    expect(seen).toMatchObject([{ name: "GET /api/v1/health" }]);
  });

  it("methods and protocol versions that somebody makes up name no span", async () => {
    await using server = await openTestServer();
    const headers = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2031-01-01", "mcp-method": "made_up/call" };
    await server.request("POST", "/mcp", { body: { jsonrpc: "2.0", id: 1, method: "made_up/call", params: {} }, headers });
    const span = seen.find(({ attributes }) => attributes["mcp.method.name"] !== undefined);
    expect(span).toMatchObject({ name: "(other)", attributes: { "mcp.method.name": "(other)", "mcp.protocol.version": "(other)" } });
  });
});
