import type { TracedCall } from "@toolrack/core/internal";
import type { McpSourceOptions } from "@toolrack/mcp";

/** Where telemetry joins in. Empty while nobody traces, so that calls cost nothing more. */
export interface Tracing {
  /** Opens the span of a call, and returns the trace context for its handler. */
  traceCall?: ((call: TracedCall) => unknown) | undefined;
  /** Sees requests to MCP servers. */
  onRequest?: McpSourceOptions["onRequest"] | undefined;
}
