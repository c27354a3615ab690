import {
  type Attributes,
  type AttributeValue,
  type Exception,
  type HrTime,
  type Link,
  type Span,
  type SpanContext,
  type SpanKind,
  type SpanStatus,
  SpanStatusCode,
  type TimeInput,
} from "@opentelemetry/api";

/** A span as it is exported. */
export interface EndedSpan {
  readonly context: SpanContext;
  readonly parentSpanId: string | undefined;
  readonly scope: Scope;
  readonly name: string;
  readonly kind: SpanKind;
  /** Nanoseconds since 1970. */
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes: Attributes;
  readonly events: readonly { readonly time: bigint; readonly name: string; readonly attributes: Attributes }[];
  readonly links: readonly Link[];
  readonly status: SpanStatus;
}

/** The library that made a span. */
export interface Scope {
  readonly name: string;
  readonly version?: string | undefined;
}

/** The spans of each library together; never an empty list. */
export function byScope(spans: readonly EndedSpan[]): readonly (readonly EndedSpan[])[] {
  const groups = new Map<string, EndedSpan[]>();
  for (const span of spans) {
    const key = `${span.scope.name} ${span.scope.version ?? ""}`;
    groups.set(key, [...(groups.get(key) ?? []), span]);
  }
  return [...groups.values()];
}

export interface SpanOptions {
  readonly context: SpanContext;
  readonly parentSpanId: string | undefined;
  readonly scope: Scope;
  readonly name: string;
  readonly kind: SpanKind;
  readonly startTime: TimeInput | undefined;
  readonly attributes: Attributes;
  readonly links: readonly Link[];
  readonly onEnd: (span: EndedSpan) => void;
}

/** A span that is recorded until it ends. */
export class RecordedSpan implements Span {
  readonly #options: SpanOptions;
  readonly #start: bigint;
  readonly #attributes: Attributes = Object.create(null) as Attributes;
  readonly #events: EndedSpan["events"][number][] = [];
  readonly #links: Link[];
  #name: string;
  #status: SpanStatus = { code: SpanStatusCode.UNSET };
  #isEnded = false;

  constructor(options: SpanOptions) {
    this.#options = options;
    this.#start = toNanoseconds(options.startTime);
    this.#name = options.name;
    this.#links = [...options.links];
    this.setAttributes(options.attributes);
  }

  spanContext(): SpanContext {
    return this.#options.context;
  }
  isRecording(): boolean {
    return !this.#isEnded;
  }
  setAttribute(key: string, value: AttributeValue): this {
    const isKnown = key in this.#attributes;
    if (!this.#isEnded && (isKnown || Object.keys(this.#attributes).length < maxAttributes)) this.#attributes[key] = value;
    return this;
  }
  setAttributes(attributes: Attributes): this {
    for (const [key, value] of Object.entries(attributes)) if (value !== undefined) this.setAttribute(key, value);
    return this;
  }
  addEvent(name: string, attributesOrTime?: Attributes | TimeInput, time?: TimeInput): this {
    if (this.#isEnded || this.#events.length >= maxAttributes) return this;
    const isTime = typeof attributesOrTime === "number" || attributesOrTime instanceof Date || Array.isArray(attributesOrTime);
    const attributes = isTime || attributesOrTime === undefined ? {} : (attributesOrTime as Attributes);
    this.#events.push({ time: toNanoseconds(isTime ? (attributesOrTime as TimeInput) : time), name, attributes });
    return this;
  }
  addLink(link: Link): this {
    if (!this.#isEnded && this.#links.length < maxAttributes) this.#links.push(link);
    return this;
  }
  addLinks(links: Link[]): this {
    for (const link of links) this.addLink(link);
    return this;
  }
  setStatus(status: SpanStatus): this {
    if (!this.#isEnded && this.#status.code !== SpanStatusCode.OK) this.#status = status;
    return this;
  }
  updateName(name: string): this {
    if (!this.#isEnded) this.#name = name;
    return this;
  }
  recordException(exception: Exception, time?: TimeInput): void {
    // Its message and stack are left out: they may hold arguments.
    const name = typeof exception === "object" && "name" in exception ? exception.name : undefined;
    this.addEvent("exception", { "exception.type": name ?? "Error" }, time);
  }
  end(endTime?: TimeInput): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const { context, parentSpanId, scope, kind, onEnd } = this.#options;
    onEnd({
      context,
      parentSpanId,
      scope,
      kind,
      name: this.#name,
      start: this.#start,
      end: toNanoseconds(endTime),
      attributes: this.#attributes,
      events: this.#events,
      links: this.#links,
      status: this.#status,
    });
  }
}

const maxAttributes = 128;

function toNanoseconds(time: TimeInput | undefined): bigint {
  if (time === undefined) return BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e3)) * 1_000n;
  if (Array.isArray(time)) return BigInt((time as HrTime)[0]) * 1_000_000_000n + BigInt((time as HrTime)[1]);
  const milliseconds = time instanceof Date ? time.getTime() : time;
  // A small number is one of performance.now().
  return BigInt(Math.round((milliseconds < performance.timeOrigin ? performance.timeOrigin + milliseconds : milliseconds) * 1e3)) * 1_000n;
}
