import type { UpstreamRequest } from "@toolrack/mcp";
import { createSeries } from "./series.ts";

/** Durations of MCP operations, under the names of OpenTelemetry's conventions. */
export interface OperationDurations {
  server(operation: ServerOperation, seconds: number): void;
  client(request: UpstreamRequest, error: unknown, seconds: number): void;
  serverText(): Iterable<string>;
  clientText(): Iterable<string>;
}

export interface ServerOperation {
  /** As `mcpMethodName` writes it. */
  readonly method: string;
  /** A tool of the registry. */
  readonly tool: string | undefined;
  /** As `mcpVersionName` writes it. */
  readonly version: string | undefined;
  readonly transport: string;
  /** "tool_error", a code of JSON-RPC or a status of HTTP. */
  readonly error: string | undefined;
}

export function createOperationDurations(isTool: (name: string) => boolean): OperationDurations {
  const server = createSeries("mcp_server_operation_duration_seconds", bounds);
  const client = createSeries("mcp_client_operation_duration_seconds", bounds);
  return {
    server({ method, tool, version, transport, error }, seconds) {
      server.add(
        {
          mcp_method_name: method,
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

/** The bounds that the conventions give. */
const bounds: readonly number[] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
