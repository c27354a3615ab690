import type { UpstreamRequest } from "@toolrack/mcp";
import { createHistogram, type Histogram } from "./histogram.ts";
import { maxTools } from "./metric-list.ts";
import { labels } from "./prometheus.ts";

/** Durations of MCP operations, under the names of OpenTelemetry's conventions. */
export interface OperationDurations {
  server(operation: ServerOperation, seconds: number): void;
  client(request: UpstreamRequest, error: unknown, seconds: number): void;
  serverText(): Iterable<string>;
  clientText(): Iterable<string>;
}

export interface ServerOperation {
  readonly method: string;
  /** A tool of the registry. */
  readonly tool: string | undefined;
  readonly version: string | undefined;
  readonly transport: string;
  /** "tool_error", a code of JSON-RPC or a status of HTTP. */
  readonly error: string | undefined;
}

export function createOperationDurations(isTool: (name: string) => boolean): OperationDurations {
  const server = createSeries("mcp_server_operation_duration_seconds");
  const client = createSeries("mcp_client_operation_duration_seconds");
  return {
    server({ method, tool, version, transport, error }, seconds) {
      server.add(
        {
          mcp_method_name: knownMethods.has(method) ? method : "(other)",
          ...(tool !== undefined && isTool(tool) && { gen_ai_tool_name: tool }),
          ...(error !== undefined && { error_type: error }),
          ...(version !== undefined && { mcp_protocol_version: version }),
          network_transport: transport,
        },
        seconds,
      );
    },
    client({ method, tool, server: source, transport, address }, error, seconds) {
      client.add(
        {
          mcp_method_name: method,
          ...(tool !== undefined && { gen_ai_tool_name: tool }),
          ...(error !== undefined && { error_type: errorTypeOf(error) }),
          network_transport: transport,
          ...(address !== undefined && { server_address: address.host, server_port: address.port }),
          toolrack_source: source,
        },
        seconds,
      );
    },
    serverText: () => server.text(),
    clientText: () => client.text(),
  };
}

/** Of an error of the official client, of ours, or of the platform. What a server invents is "_OTHER". */
function errorTypeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  if (typeof code === "number" && code >= -32_768 && code <= -32_000) return String(code);
  if (typeof code === "string" && /^[A-Za-z_]{2,40}$/.test(code)) return code;
  return name === "TimeoutError" || name === "AbortError" ? name : "_OTHER";
}

interface Series {
  add(names: Readonly<Record<string, string | number>>, seconds: number): void;
  text(): Iterable<string>;
}

/** One histogram for each set of labels, up to a limit; what is beyond has no tool. */
function createSeries(name: string): Series {
  const all = new Map<string, Histogram>();
  function find(names: Readonly<Record<string, string | number>>): Histogram {
    let key = labels(names);
    const known = all.get(key);
    if (known !== undefined) return known;
    if (all.size >= maxTools && names["gen_ai_tool_name"] !== undefined) key = labels({ ...names, gen_ai_tool_name: "(other)" });
    const kept = all.get(key) ?? createHistogram(name, key, bounds);
    all.set(key, kept);
    return kept;
  }
  return {
    add: (names, seconds) => find(names).add(seconds),
    *text() {
      for (const histogram of all.values()) yield histogram.text();
    },
  };
}

/** The bounds that the conventions give. */
const bounds: readonly number[] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

const knownMethods: ReadonlySet<string> = new Set([
  "completion/complete",
  "initialize",
  "logging/setLevel",
  "notifications/cancelled",
  "notifications/initialized",
  "notifications/progress",
  "notifications/roots/list_changed",
  "ping",
  "prompts/get",
  "prompts/list",
  "resources/list",
  "resources/read",
  "resources/subscribe",
  "resources/templates/list",
  "resources/unsubscribe",
  "server/discover",
  "subscriptions/listen",
  "tasks/cancel",
  "tasks/get",
  "tasks/update",
  "tools/call",
  "tools/list",
]);
