import { trace } from "@opentelemetry/api";
import { createRegistry, defineTool } from "@toolrack/core";
import { serveMcp } from "@toolrack/mcp";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import type { RackConfig } from "../../../src/config/config.ts";
import { openServer } from "../../../src/open-server.ts";
import { keepLog } from "../log/lines.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const clientSpan = "b7ad6b7169203331";
const traceparent = `00-${traceId}-${clientSpan}-01`;

async function openExporting(variables: Record<string, string>, config: RackConfig = {}) {
  const kept = keepLog();
  const folder = temporaryFolder();
  const server = await openServer({
    folder,
    log: kept.log,
    port: 0,
    consoleFolder: false,
    environment: { HOME: folder, XDG_STATE_HOME: folder, ...variables },
    config: { store: { memory: true }, ...config },
  });
  afterThisTest(() => server.close({ graceMs: 0 }));
  const authorization = `Bearer ${server.rack.ownerToken.text}`;
  const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: JSON.stringify(body),
    });
  const callOverMcp = (name: string, input: object, meta: object): Promise<Response> =>
    post(
      "/mcp",
      {
        jsonrpc: "2.0",
        id: "request-7",
        method: "tools/call",
        params: {
          name,
          arguments: input,
          _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}, ...meta },
        },
      },
      { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name },
    );
  return { ...kept, server, post, callOverMcp, authorization };
}

/** A server of MCP that says which trace its call came with. */
async function startUpstream(): Promise<{ readonly url: string; readonly host: string; readonly traces: unknown[] }> {
  const traces: unknown[] = [];
  const registry = createRegistry();
  registry.register(
    defineTool({
      name: "weather",
      description: "Tells the weather.",
      inputSchema: { type: "object", properties: { city: { type: "string" } } },
      handler: (_, context) => {
        traces.push(context.trace);
        return "clear";
      },
    }),
  );
  const endpoint = serveMcp(registry);
  afterThisTest(() => endpoint.close());
  const { url, port } = await endpoint.listen();
  return { url, host: `127.0.0.1:${port}`, traces };
}

function spanNamed(receiver: Receiver, name: string): Receiver["spans"][number] {
  const found = receiver.spans.find((span) => span.name === name);
  if (found === undefined) throw new Error(`There is no span "${name}" among: ${receiver.spans.map((span) => span.name).join(", ")}`);
  return found;
}

describe.each(["http/protobuf", "http/json"])("spans over %s", (protocol) => {
  it("join the trace of the MCP client with that of the MCP server behind, and hold no arguments", async () => {
    const receiver = await startReceiver();
    const upstream = await startUpstream();
    const opened = await openExporting(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
        OTEL_EXPORTER_OTLP_HEADERS: "x-api-key=an%20exporters%20key",
        OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
        OTEL_SERVICE_NAME: "my tools",
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test,service.name=other",
      },
      { sources: { up: { url: upstream.url, allowHosts: [upstream.host] } } },
    );
    await opened.server.rack.sources.ready();
    const answer = await opened.callOverMcp("up__weather", { city: "planted-argument" }, { traceparent, tracestate: "a=1" });
    expect(await answer.text(), opened.text()).toContain("clear");
    await opened.server.close({ graceMs: 0 });

    const http = spanNamed(receiver, "POST /mcp");
    const mcp = spanNamed(receiver, "tools/call up__weather");
    const call = spanNamed(receiver, "execute_tool up__weather");
    expect(http).toMatchObject({ kind: 2, attributes: { "http.route": "/mcp", "http.response.status_code": 200 } });
    expect(mcp).toMatchObject({
      traceId,
      parentSpanId: clientSpan,
      kind: 2,
      links: [{ traceId: http.traceId, spanId: http.spanId }],
      status: 0,
      attributes: {
        "mcp.method.name": "tools/call",
        "mcp.protocol.version": "2026-07-28",
        "jsonrpc.request.id": "request-7",
        "network.transport": "tcp",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "up__weather",
      },
      resource: { "service.name": "my tools", "deployment.environment.name": "test", "telemetry.sdk.language": "nodejs" },
    });
    const [host, port] = upstream.host.split(":");
    expect(call).toMatchObject({
      traceId,
      parentSpanId: mcp.spanId,
      kind: 1,
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "up__weather",
        "gen_ai.tool.type": "extension",
        "mcp.method.name": "tools/call",
        "server.address": host,
        "server.port": Number(port),
        "toolrack.agent": "owner",
        "toolrack.decision": "allowed",
        "toolrack.source": "mcp:up",
      },
    });
    expect(call.end >= call.start).toBe(true);
    expect(upstream.traces).toEqual([{ traceparent: `00-${traceId}-${call.spanId}-01`, tracestate: "a=1" }]);
    expect(opened.of("call")).toMatchObject([{ trace_id: traceId, span_id: call.spanId, "mcp.method.name": "tools/call" }]);
    expect(receiver.headers[0]).toMatchObject({ "x-api-key": "an exporters key", "content-encoding": "gzip" });
    expect(receiver.text()).not.toContain("planted-argument");
    expect(opened.text()).not.toContain("an exporters key");
  });
});

it("a receiver that is away is told once, and gets the spans when it is back", async () => {
  const receiver = await startReceiver();
  receiver.answers.push(503);
  const opened = await openExporting({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: "20" });
  await opened.post("/api/v1/tools/nosuch/call", { input: {} }, { traceparent });
  await until(() => receiver.spans.length > 0);
  expect(opened.of("Spans cannot be exported.")).toHaveLength(1);
  await until(() => opened.of("Spans are exported again.").length === 1);
  // The name that a caller invents is no name of a span.
  await until(() => receiver.spans.some(({ name }) => name === "execute_tool"));
  expect(spanNamed(receiver, "execute_tool")).toMatchObject({ traceId, status: 2, attributes: { "error.type": "TOOL_NOT_FOUND" } });
  expect(receiver.text()).not.toContain("nosuch");
});

it.each([303, 307])("a receiver that redirects with %i sends neither the spans nor the headers to another host", async (status) => {
  const other = await startReceiver();
  const receiver = await startReceiver({ redirect: { status, location: `${other.url}/v1/traces` } });
  const opened = await openExporting({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_HEADERS: "x-api-key=planted-key" });
  await opened.post("/api/v1/tools/nosuch/call", { input: {} });
  await opened.server.close({ graceMs: 0 });
  expect(receiver.headers[0]).toMatchObject({ "x-api-key": "planted-key" });
  expect(opened.of("Spans cannot be exported.")).toHaveLength(1);
  expect(other.headers).toEqual([]);
});

it("a header value is in no log line", async () => {
  const receiver = await startReceiver();
  const opened = await openExporting({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_HEADERS: "x-api-key=%20planted-key" });
  opened.log.warn("The receiver said: planted-key is wrong.", { reason: "not planted-key" });
  expect(opened.text()).toContain("The receiver said: ");
  expect(opened.text()).not.toContain("planted-key");
});

it.each([
  [{ OTEL_SDK_DISABLED: "true" }, []],
  [{ OTEL_TRACES_EXPORTER: "none" }, []],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, [expect.stringContaining("usually on port 4318. No spans are exported.")]],
  [{ OTEL_TRACES_EXPORTER: "console" }, [expect.stringContaining('only "otlp" and "none" are supported')]],
])("with %j nothing is exported", async (variables, warnings) => {
  const receiver = await startReceiver();
  const opened = await openExporting({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...variables });
  await opened.post("/api/v1/tools/nosuch/call", { input: {} });
  await opened.server.close({ graceMs: 0 });
  expect(receiver.headers).toEqual([]);
  expect(
    opened
      .lines()
      .filter(({ message }) => message.startsWith("OpenTelemetry:"))
      .map(({ message }) => message),
  ).toEqual(warnings);
});

it("an SDK of the process takes the spans, and the exporter of the server stays away", async () => {
  const receiver = await startReceiver();
  const names: string[] = [];
  const span = trace.wrapSpanContext({ traceId, spanId: clientSpan, traceFlags: 1 });
  trace.setGlobalTracerProvider({
    getTracer: () => ({ startSpan: (name: string) => (names.push(name), span), startActiveSpan: () => undefined as never }),
  });
  afterThisTest(() => trace.disable());
  const opened = await openExporting({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  await opened.post("/api/v1/tools/nosuch/call", { input: {} });
  await opened.server.close({ graceMs: 0 });
  expect(names).toEqual(["POST /api/v1/tools/{name}/call", "execute_tool"]);
  expect(receiver.headers).toEqual([]);
});
