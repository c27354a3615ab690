import { randomFillSync } from "node:crypto";
import {
  type Context,
  context as activeContext,
  type Span,
  type SpanOptions,
  SpanKind,
  trace,
  type Tracer,
  type TracerProvider,
} from "@opentelemetry/api";
import type { Sampler } from "./sampler.ts";
import { type EndedSpan, RecordedSpan, type Scope } from "./span.ts";

/** Makes spans for the whole process: of the server, and of modules that use the API of OpenTelemetry. */
export function createProvider(sampler: Sampler, onEnd: (span: EndedSpan) => void): TracerProvider {
  function startSpan(scope: Scope, name: string, options: SpanOptions = {}, around: Context = activeContext.active()): Span {
    const { kind = SpanKind.INTERNAL, attributes = {}, links = [], startTime, root = false } = options;
    const parent = root ? undefined : trace.getSpanContext(around);
    const traceId = parent?.traceId ?? randomHex(16);
    const isSampled = sampler(traceId, parent === undefined ? undefined : (parent.traceFlags & 1) === 1);
    const context = {
      traceId,
      spanId: randomHex(8),
      traceFlags: isSampled ? 1 : 0,
      ...(parent?.traceState !== undefined && { traceState: parent.traceState }),
    };
    if (!isSampled) return trace.wrapSpanContext(context);
    return new RecordedSpan({ context, parentSpanId: parent?.spanId, scope, name, kind, startTime, attributes, links, onEnd });
  }

  return {
    getTracer(name, version): Tracer {
      const scope = { name, version };
      return {
        startSpan: (spanName, options, around) => startSpan(scope, spanName, options, around),
        startActiveSpan(spanName: string, ...rest: unknown[]): never {
          const work = rest.at(-1) as (span: Span) => never;
          const around = (rest.length > 2 ? rest[1] : undefined) as Context | undefined;
          const span = startSpan(scope, spanName, rest.length > 1 ? (rest[0] as SpanOptions) : {}, around);
          return activeContext.with(trace.setSpan(around ?? activeContext.active(), span), () => work(span));
        },
      };
    },
  };
}

const pool = Buffer.alloc(4_096);
let used = pool.length;

/** Random bytes are drawn in large pieces, since two ids are needed for each span. */
function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString("hex", used - bytes, used);
}
