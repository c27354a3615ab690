import { context, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { attribute } from "./conventions.ts";
import { contextOf, traceContextOf, takesSpans, type TraceContext, startSpan } from "./trace.ts";

/** The span of a request. */
export interface RequestSpan {
  /** For the calls that it makes and for its answer; undefined without tracing. */
  readonly traceContext: TraceContext | undefined;
  /** Runs the work so that its spans become children of this one. */
  run<Result>(work: () => Result): Result;
  end(status: number, agent: string | undefined): void;
}

/** A span of a route ("POST /mcp"), as a child of the incoming trace context; without an SDK only that context is passed on. */
export function openRequestSpan(server: string, route: string, cameIn: TraceContext | undefined): RequestSpan {
  if (!takesSpans()) return cameIn === undefined ? untraced : { ...untraced, traceContext: cameIn };
  const parent = contextOf(cameIn);
  const space = route.indexOf(" ");
  const attributes = { [attribute.httpMethod]: route.slice(0, space), [attribute.httpRoute]: route.slice(space + 1) };
  const span = startSpan(route, { server, kind: SpanKind.SERVER, attributes }, parent);
  return {
    traceContext: traceContextOf(span, cameIn),
    run: (work) => context.with(trace.setSpan(parent, span), work),
    end: (status, agent) => endSpan(span, status, agent),
  };
}

/** The span of a request that is not traced. */
export const untraced: RequestSpan = Object.freeze({
  traceContext: undefined,
  run: <Result>(work: () => Result): Result => work(),
  end: () => {},
});

function endSpan(span: Span, status: number, agent: string | undefined): void {
  span.setAttribute(attribute.httpStatus, status);
  if (agent !== undefined) span.setAttribute(attribute.agent, agent);
  if (status >= 500) {
    span.setAttribute(attribute.errorType, String(status));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}
