import type { Attributes, AttributeValue } from "@opentelemetry/api";
import { byScope, type EndedSpan } from "./span.ts";

/** Spans in the JSON form of OTLP. */
export function toOtlpJson(spans: readonly EndedSpan[], resource: Attributes): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: toPairs(resource) },
        scopeSpans: byScope(spans).map((group) => ({ scope: group[0]!.scope, spans: group.map(toSpan) })),
      },
    ],
  });
}

function toSpan({ context, parentSpanId, name, kind, start, end, attributes, events, links, status }: EndedSpan): object {
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    ...(context.traceState !== undefined && { traceState: context.traceState.serialize() }),
    ...(parentSpanId !== undefined && { parentSpanId }),
    flags: context.traceFlags,
    name,
    kind: kind + 1,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(end),
    attributes: toPairs(attributes),
    events: events.map((event) => ({ timeUnixNano: String(event.time), name: event.name, attributes: toPairs(event.attributes) })),
    links: links.map((link) => ({
      traceId: link.context.traceId,
      spanId: link.context.spanId,
      attributes: toPairs(link.attributes ?? {}),
    })),
    status: { code: status.code, ...(status.message !== undefined && { message: status.message }) },
  };
}

function toPairs(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: toValue(value) }]));
}

function toValue(value: AttributeValue | null | undefined): object {
  if (Array.isArray(value)) return { arrayValue: { values: value.map((one) => toValue(one as AttributeValue)) } };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { stringValue: String(value) };
}
