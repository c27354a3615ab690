import { isTrace, spanIdsOf } from "./trace.ts";

/** The request that a call comes from. Passed as the `trace` of the call, also to the calls that its tool makes. */
export interface CallOrigin {
  readonly requestId: string;
  /** The trace context: of the span that was opened, else the one that came in. */
  traceparent?: string;
  tracestate?: string;
  /** "tools/call", for MCP. Set when the message was read. */
  mcpMethod?: string;
}

/** The ids in a log line: undefined ones are not written. */
export interface OriginFields {
  readonly requestId: string | undefined;
  readonly traceId: string | undefined;
  readonly spanId: string | undefined;
  readonly mcpMethod: string | undefined;
}

/** The origin fields of a log line. */
export function originFields(trace: unknown): OriginFields {
  if (typeof trace !== "object" || trace === null) return unknown;
  const { requestId, mcpMethod } = trace as Partial<CallOrigin>;
  const ids = isTrace(trace) ? spanIdsOf(trace.traceparent) : undefined;
  return { requestId, traceId: ids?.traceId, spanId: ids?.spanId, mcpMethod };
}

const unknown: OriginFields = { requestId: undefined, traceId: undefined, spanId: undefined, mcpMethod: undefined };
