import { isTrace, spanIdsOf, type TraceContext } from "./trace.ts";

/** The request that a call comes from. Travels as the call's `trace`, also to the calls that its tool makes. */
export interface CallOrigin extends Partial<TraceContext> {
  readonly requestId: string;
  /** "tools/call", where it came over MCP. Set when the message was read. */
  mcpMethod?: string;
}

/** The ids of a line: undefined ones are not written. */
export interface OriginFields {
  readonly requestId: string | undefined;
  readonly traceId: string | undefined;
  readonly spanId: string | undefined;
  readonly mcpMethod: string | undefined;
}

/** What a line says about where something comes from. */
export function originFields(trace: unknown): OriginFields {
  if (typeof trace !== "object" || trace === null) return unknown;
  const { requestId, mcpMethod } = trace as Partial<CallOrigin>;
  const ids = isTrace(trace) ? spanIdsOf(trace.traceparent) : undefined;
  return { requestId, traceId: ids?.traceId, spanId: ids?.spanId, mcpMethod };
}

const unknown: OriginFields = { requestId: undefined, traceId: undefined, spanId: undefined, mcpMethod: undefined };
