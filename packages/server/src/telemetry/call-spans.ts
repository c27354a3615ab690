import { type Span, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import type { Registry, ToolEvent } from "@toolrack/core";
import { contextOf, isTrace, takesSpans, tracer } from "./trace.ts";

/** A span for each call, below the request or call that made it. Answers the function that stops it. */
export function traceCalls(registry: Registry): () => void {
  const open = new Map<string, Span>();

  function onEvent(event: ToolEvent): void {
    if (event.type === "call-start" && takesSpans()) {
      const attributes = {
        "toolrack.tool": event.tool,
        "toolrack.call_id": event.callId,
        ...(event.caller.agent !== undefined && { "toolrack.agent": event.caller.agent }),
      };
      const parent = contextOf(isTrace(event.trace) ? event.trace : undefined);
      const span = tracer.startSpan(`call ${event.tool}`, { kind: SpanKind.INTERNAL, attributes }, parent);
      // What is not recorded has not to be kept.
      if (span.isRecording()) open.set(event.callId, span);
    } else if (event.type === "call-end" && open.size > 0) {
      const span = open.get(event.callId);
      if (span === undefined) return;
      open.delete(event.callId);
      if (!event.result.ok) {
        span.setAttribute("toolrack.error", event.result.code);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    }
  }

  registry.subscribe(onEvent);
  return () => {
    registry.unsubscribe(onEvent);
    for (const span of open.values()) span.end();
    open.clear();
  };
}
