import {
  type Context,
  context,
  createTraceState,
  isSpanContextValid,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanOptions,
  trace,
} from "@opentelemetry/api";
import type { TraceContext } from "@toolrack/core/internal";
import { version } from "../../version.ts";
import { attribute } from "./conventions.ts";

export type { TraceContext };

const library = "@toolrack/server";

/** A span of a server, with its name. */
export interface ServerSpan extends SpanOptions {
  /** The present name of the server. */
  readonly server: string;
}

/** Spans go to the OpenTelemetry SDK of the process, if there is one: asked for each span, because it may be set up and ended at any time. */
export function startSpan(name: string, { server, attributes, ...options }: ServerSpan, around: Context): Span {
  const named = { ...attributes, [attribute.server]: server };
  return trace.getTracer(library, version).startSpan(name, { ...options, attributes: named }, around);
}

/** Whether there is an SDK: without one, no spans are created. Checked each time, because one may be set up later. */
export function takesSpans(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(library) !== undefined;
}

/** Reads the headers of a request. An invalid traceparent is ignored. */
export function readTrace(traceparent: string | undefined, tracestate: string | undefined): TraceContext | undefined {
  if (traceparent === undefined || toSpanContext({ traceparent }) === undefined) return undefined;
  return { traceparent, ...(tracestate !== undefined && tracestate.length <= 512 && { tracestate }) };
}

/** A context whose spans become children of the given parent. */
export function contextOf(parent: TraceContext | undefined): Context {
  const found = parent === undefined ? undefined : toSpanContext(parent);
  return found === undefined ? context.active() : trace.setSpanContext(ROOT_CONTEXT, found);
}

/** The trace context of a span; the incoming one if spans are not recorded. */
export function traceContextOf(span: Span, cameIn: TraceContext | undefined): TraceContext | undefined {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  if (!isSpanContextValid(span.spanContext())) return cameIn;
  const state = traceState?.serialize() ?? "";
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
    ...(state !== "" && { tracestate: state }),
  };
}

/** The two ids of a traceparent; undefined if it is invalid. */
export function spanIdsOf(traceparent: string): Pick<SpanContext, "traceId" | "spanId"> | undefined {
  return toSpanContext({ traceparent });
}

/** The span that a traceparent names, for a link. */
export function spanContextOf(traceparent: string): SpanContext | undefined {
  return toSpanContext({ traceparent });
}

export function isTrace(value: unknown): value is TraceContext {
  return typeof value === "object" && value !== null && typeof (value as { traceparent?: unknown }).traceparent === "string";
}

function toSpanContext({ traceparent, tracestate }: TraceContext): SpanContext | undefined {
  const parts = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/.exec(traceparent);
  if (parts === null) return undefined;
  const found: SpanContext = {
    traceId: parts[1]!,
    spanId: parts[2]!,
    traceFlags: Number.parseInt(parts[3]!, 16) & 1,
    isRemote: true,
    ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }),
  };
  return isSpanContextValid(found) ? found : undefined;
}
