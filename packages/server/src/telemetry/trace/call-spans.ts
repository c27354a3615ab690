import { type Span, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import type { Registry, ToolEvent } from "@toolrack/core";
import { contextOf, isTrace, takesSpans, tracer } from "./trace.ts";

/** A span for each call, below the request or call that made it. */
export interface CallSpans {
  /** Call it periodically, since an SDK may be set up at any time; without one, calls are not observed. */
  follow(): void;
  close(): void;
}

export function createCallSpans(registry: Registry): CallSpans {
  const open = new Map<string, Span>();
  let isFollowing = false;

  function onEvent(event: ToolEvent): void {
    if (event.type === "call-start") {
      const attributes = {
        "toolrack.tool": event.tool,
        "toolrack.call_id": event.callId,
        ...(event.caller.agent !== undefined && { "toolrack.agent": event.caller.agent }),
      };
      const parent = contextOf(isTrace(event.trace) ? event.trace : undefined);
      const span = tracer.startSpan(`call ${event.tool}`, { kind: SpanKind.INTERNAL, attributes }, parent);
      // A span that is not recorded is not kept.
      if (span.isRecording()) open.set(event.callId, span);
    } else if (event.type === "call-end") {
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

  function follow(): void {
    if (isFollowing || !takesSpans()) return;
    isFollowing = true;
    registry.subscribe(onEvent);
  }

  follow();
  return {
    follow,
    close() {
      registry.unsubscribe(onEvent);
      for (const span of open.values()) span.end();
      open.clear();
    },
  };
}
