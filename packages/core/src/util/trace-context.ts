/** A trace context, in the form of the HTTP headers and of MCP's `_meta` (W3C Trace Context). */
export interface TraceContext {
  /** "00-<32 hex digits>-<16 hex digits>-<2 hex digits>" */
  readonly traceparent: string;
  readonly tracestate?: string;
}

/**
 * What a request to another server carries of a call's `trace`: `traceparent` and `tracestate`, where they are well-formed. `baggage` is
 * not passed on: it may hold facts about users.
 */
export function outgoingTrace(trace: unknown): TraceContext | undefined {
  if (typeof trace !== "object" || trace === null) return undefined;
  const { traceparent, tracestate } = trace as Readonly<Record<string, unknown>>;
  if (typeof traceparent !== "string" || !/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(traceparent)) return undefined;
  const hasState = typeof tracestate === "string" && tracestate.length <= 512 && /^[\x20-\x7e]+$/.test(tracestate);
  return { traceparent, ...(hasState && { tracestate }) };
}
