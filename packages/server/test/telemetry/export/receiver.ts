import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { afterThisTest } from "@toolrack/testkit/cleanup";

/** A span as a receiver of OTLP reads it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: number;
  readonly resource: Readonly<Record<string, unknown>>;
  /** Nanoseconds. */
  readonly start: bigint;
  readonly end: bigint;
}

export interface Receiver {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  readonly headers: Readonly<Record<string, unknown>>[];
  /** All bodies, as text. */
  text(): string;
  /** What the next requests are answered; 200 afterwards. */
  readonly answers: number[];
}

export interface ReceiverOptions {
  /** Where every request is redirected to. */
  readonly redirect?: { readonly status: number; readonly location: string };
}

/** A receiver of OTLP over HTTP on this machine, in both forms. */
export async function startReceiver({ redirect }: ReceiverOptions = {}): Promise<Receiver> {
  const spans: ReceivedSpan[] = [];
  const headers: Readonly<Record<string, unknown>>[] = [];
  const answers: number[] = [];
  let text = "";
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const status = redirect?.status ?? answers.shift() ?? (request.url === "/v1/traces" ? 200 : 404);
      const raw = Buffer.concat(chunks);
      const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(raw) : raw;
      headers.push(request.headers);
      text += body.toString("latin1");
      if (status === 200) spans.push(...(request.headers["content-type"] === "application/json" ? fromJson(body) : fromProtobuf(body)));
      response.writeHead(status, redirect && { location: redirect.location }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, headers, answers, text: () => text };
}

function fromJson(body: Buffer): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(body.toString()) as any;
  const pairs = (list: { key: string; value: Record<string, unknown> }[]): Record<string, unknown> =>
    Object.fromEntries(list.map(({ key, value }) => [key, "intValue" in value ? Number(value["intValue"]) : Object.values(value)[0]]));
  return resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    scopeSpans.flatMap(({ spans }: any) =>
      spans.map((span: any) => ({
        ...span,
        parentSpanId: span.parentSpanId ?? "",
        attributes: pairs(span.attributes),
        status: span.status.code,
        resource: pairs(resource.attributes),
        start: BigInt(span.startTimeUnixNano),
        end: BigInt(span.endTimeUnixNano),
      })),
    ),
  );
}

type Fields = Map<number, (bigint | Buffer)[]>;

/** One message: every field by its number, as the wire format of Protocol Buffers has it. */
function fieldsOf(bytes: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]!;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const type = tag & 7;
    let value: bigint | Buffer;
    if (type === 0) value = varint();
    else {
      const length = type === 2 ? Number(varint()) : type === 1 ? 8 : 4;
      value = bytes.subarray(at, at + length);
      at += length;
    }
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

function fromProtobuf(body: Buffer): ReceivedSpan[] {
  const inner = (fields: Fields, field: number): Fields[] => (fields.get(field) ?? []).map((one) => fieldsOf(one as Buffer));
  const buffer = (fields: Fields, field: number): Buffer => (fields.get(field)?.[0] as Buffer | undefined) ?? Buffer.alloc(0);
  const pairs = (fields: Fields, field: number): Record<string, unknown> =>
    Object.fromEntries(inner(fields, field).map((pair) => [buffer(pair, 1).toString(), valueOf(inner(pair, 2)[0]!)]));
  const valueOf = (value: Fields): unknown => {
    const [[field, [first]]] = [...value] as [[number, [bigint | Buffer]]];
    return field === 1 ? String(first) : field === 2 ? first === 1n : field === 3 ? Number(first) : (first as Buffer).readDoubleLE();
  };
  return inner(fieldsOf(body), 1).flatMap((resourceSpans) =>
    inner(resourceSpans, 2).flatMap((scopeSpans) =>
      inner(scopeSpans, 2).map((span) => ({
        traceId: buffer(span, 1).toString("hex"),
        spanId: buffer(span, 2).toString("hex"),
        parentSpanId: buffer(span, 4).toString("hex"),
        name: buffer(span, 5).toString(),
        kind: Number(span.get(6)![0]),
        start: buffer(span, 7).readBigUInt64LE(),
        end: buffer(span, 8).readBigUInt64LE(),
        attributes: pairs(span, 9),
        links: inner(span, 13).map((link) => ({ traceId: buffer(link, 1).toString("hex"), spanId: buffer(link, 2).toString("hex") })),
        status: Number(inner(span, 15)[0]!.get(3)![0]),
        resource: pairs(inner(resourceSpans, 1)[0]!, 1),
      })),
    ),
  );
}
