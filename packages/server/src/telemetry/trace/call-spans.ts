import { type Attributes, type Span, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import type { CallRecord } from "@toolrack/core";
import type { TracedCall } from "@toolrack/core/internal";
import type { UpstreamRequest } from "@toolrack/mcp";
import type { Rack } from "../../rack/rack.ts";
import { attribute, executeTool, toolType } from "./conventions.ts";
import { decisionOf } from "./decision.ts";
import { contextOf, isTrace, takesSpans, traceContextOf, startSpan } from "./trace.ts";

/** A span `execute_tool {name}` for each call, below the request or the call that made it. */
export interface CallSpans {
  /** Call it periodically, since an SDK may be set up at any time; without one, calls are not observed. */
  follow(): void;
  /** Adds the facts of a request to an MCP server to the span of its call. */
  note(request: UpstreamRequest): void;
  close(): void;
}

export function createCallSpans({
  registry,
  callEnds,
  tracing,
  servers,
}: Pick<Rack, "registry" | "callEnds" | "tracing" | "servers">): CallSpans {
  const open = new Map<string, Span>();
  let stop: (() => void) | undefined;

  /** Names that are no tool's are left out: they are texts of a caller, and may be any number. */
  function traceCall({ callId, tool, caller, trace, parentCallId }: TracedCall): unknown {
    if (!takesSpans()) return undefined;
    const found = registry.get(tool);
    const attributes: Attributes = {
      [attribute.operation]: executeTool,
      [attribute.toolCallId]: callId,
      [attribute.callId]: callId,
      ...(found !== undefined && { [attribute.tool]: found.name, [attribute.toolType]: toolType(found) }),
      ...(caller.agent !== undefined && { [attribute.agent]: caller.agent }),
      ...(parentCallId !== undefined && { [attribute.parentCallId]: parentCallId }),
    };
    const cameIn = isTrace(trace) ? trace : undefined;
    const name = found === undefined ? executeTool : `${executeTool} ${found.name}`;
    const span = startSpan(name, { server: servers.name, kind: SpanKind.INTERNAL, attributes }, contextOf(cameIn));
    // A span that is not recorded is not kept.
    if (span.isRecording()) open.set(callId, span);
    const { traceparent: _, tracestate: __, ...origin } = (trace ?? {}) as Readonly<Record<string, unknown>>;
    return { ...origin, ...traceContextOf(span, cameIn) };
  }

  function onEnd(call: CallRecord): void {
    const span = open.get(call.callId);
    if (span === undefined) return;
    open.delete(call.callId);
    span.setAttribute(attribute.decision, decisionOf(call));
    if (!call.result.ok) {
      span.setAttribute(attribute.errorType, call.result.code);
      span.setAttribute(attribute.code, call.result.code);
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  }

  function follow(): void {
    if (stop !== undefined || !takesSpans()) return;
    stop = callEnds.subscribe(onEnd);
    tracing.traceCall = traceCall;
  }

  follow();
  return {
    follow,
    note({ callId, method, server, transport, address, protocolVersion, session }) {
      const span = callId === undefined ? undefined : open.get(callId);
      span?.setAttributes({
        [attribute.mcpMethod]: method,
        [attribute.source]: `mcp:${server}`,
        [attribute.transport]: transport,
        ...(address !== undefined && { [attribute.address]: address.host, [attribute.port]: address.port }),
        ...(protocolVersion !== undefined && { [attribute.mcpVersion]: protocolVersion }),
        ...(session !== undefined && { [attribute.mcpSession]: session }),
      });
    },
    close() {
      stop?.();
      if (tracing.traceCall === traceCall) tracing.traceCall = undefined;
      for (const span of open.values()) span.end();
      open.clear();
    },
  };
}
