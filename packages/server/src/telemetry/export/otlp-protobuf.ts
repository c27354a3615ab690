import type { Attributes, AttributeValue } from "@opentelemetry/api";
import { byScope, type EndedSpan } from "./span.ts";

/** Spans in the binary form of OTLP: an ExportTraceServiceRequest of opentelemetry/proto/collector/trace/v1. */
export function toOtlpProtobuf(spans: readonly EndedSpan[], resource: Attributes): Buffer {
  const scopeSpans = byScope(spans).map((group) => {
    const { name, version } = group[0]!.scope;
    const scope = message(1, [text(1, name), version === undefined ? none : text(2, version)]);
    return message(2, [scope, ...group.map((span) => message(2, toSpan(span)))]);
  });
  return message(1, [message(1, toPairs(1, resource)), ...scopeSpans]);
}

function toSpan({ context, parentSpanId, name, kind, start, end, attributes, events, links, status }: EndedSpan): Buffer[] {
  return [
    bytes(1, Buffer.from(context.traceId, "hex")),
    bytes(2, Buffer.from(context.spanId, "hex")),
    context.traceState === undefined ? none : text(3, context.traceState.serialize()),
    parentSpanId === undefined ? none : bytes(4, Buffer.from(parentSpanId, "hex")),
    text(5, name),
    integer(6, kind + 1),
    fixed64(7, start),
    fixed64(8, end),
    ...toPairs(9, attributes),
    ...events.map((event) => message(11, [fixed64(1, event.time), text(2, event.name), ...toPairs(3, event.attributes)])),
    ...links.map(({ context: linked, attributes: facts = {} }) =>
      message(13, [bytes(1, Buffer.from(linked.traceId, "hex")), bytes(2, Buffer.from(linked.spanId, "hex")), ...toPairs(4, facts)]),
    ),
    message(15, [status.message === undefined ? none : text(2, status.message), integer(3, status.code)]),
    fixed32(16, context.traceFlags),
  ];
}

function toPairs(field: number, attributes: Attributes): Buffer[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [message(field, [text(1, key), message(2, [toValue(value)])])],
  );
}

function toValue(value: AttributeValue | null | undefined): Buffer {
  if (Array.isArray(value))
    return message(
      5,
      value.map((one) => message(1, [toValue(one as AttributeValue)])),
    );
  if (typeof value === "boolean") return integer(2, value ? 1 : 0);
  if (typeof value === "number") return Number.isSafeInteger(value) ? integer(3, value) : double(4, value);
  return text(1, String(value));
}

const none: Buffer = Buffer.alloc(0);

function varint(value: bigint): Buffer {
  const made: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest > 127n) {
    made.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  made.push(Number(rest));
  return Buffer.from(made);
}

function tag(field: number, wireType: number): Buffer {
  return varint(BigInt((field << 3) | wireType));
}

function integer(field: number, value: number): Buffer {
  return Buffer.concat([tag(field, 0), varint(BigInt(value))]);
}

function bytes(field: number, value: Buffer): Buffer {
  return Buffer.concat([tag(field, 2), varint(BigInt(value.length)), value]);
}

function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value));
}

function message(field: number, parts: readonly Buffer[]): Buffer {
  return bytes(field, Buffer.concat(parts));
}

function fixed64(field: number, value: bigint): Buffer {
  const made = Buffer.alloc(8);
  made.writeBigUInt64LE(value);
  return Buffer.concat([tag(field, 1), made]);
}

function double(field: number, value: number): Buffer {
  const made = Buffer.alloc(8);
  made.writeDoubleLE(value);
  return Buffer.concat([tag(field, 1), made]);
}

function fixed32(field: number, value: number): Buffer {
  const made = Buffer.alloc(4);
  made.writeUInt32LE(value);
  return Buffer.concat([tag(field, 5), made]);
}
