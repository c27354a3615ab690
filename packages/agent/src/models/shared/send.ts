import { onAbort, readLimited, untilAborted } from "@toolrack/core/internal";
import { failedWith, type HideSecrets, ModelFault, readRetryAfter, readSentError, refusedBy } from "./fault.ts";
import { describeNetworkError, type ModelFetch, type ModelFetchResponse } from "./fetch.ts";
import { notJson, parseJson } from "./json.ts";
import { createStreamReader, type StreamFormat } from "./read-stream.ts";

export interface Sending {
  /** "Model "x" at api.example.com": begins every message. */
  readonly subject: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly format: StreamFormat;
  readonly fetch: ModelFetch;
  readonly signal: AbortSignal;
  readonly idleTimeoutMs: number;
  readonly maxReplyBytes: number;
  readonly hide: HideSecrets;
}

/**
 * Sends a request and yields the events of its reply as values. Throws a ModelFault, or the signal's reason once it is aborted. A stream that
 * is cut off between two events just ends: only the vendor's own end tells whether it was whole.
 */
export async function* sendForEvents(sending: Sending): AsyncGenerator<unknown, void, undefined> {
  const { subject, fetch, signal, idleTimeoutMs, maxReplyBytes, format } = sending;
  const controller = new AbortController();
  const leave = onAbort(signal, () => controller.abort(signal.reason));
  const late = (): ModelFault =>
    new ModelFault(`${subject} sent nothing for ${idleTimeoutMs} ms. Send the request again, or raise idleTimeoutMs.`, { retryable: true });
  const inTime = async <Value>(work: Promise<Value>): Promise<Value> => {
    const timer = setTimeout(() => controller.abort(late()), idleTimeoutMs);
    try {
      return await untilAborted(work, controller.signal);
    } finally {
      clearTimeout(timer);
    }
  };
  let pieces: AsyncIterator<Uint8Array> | undefined;
  try {
    const { url, headers, body } = sending;
    const response = await inTime(fetch(url, { method: "POST", headers, body, signal: controller.signal, redirect: "manual" }));
    const isStream = !/\b(?:html|json)\b/i.test(typeOf(response)) || (format === "lines" && !/\bhtml\b/i.test(typeOf(response)));
    if (response.status < 200 || response.status > 299 || !isStream) throw await inTime(refusalOf(response, sending));
    pieces = response.body?.[Symbol.asyncIterator]();
    const reader = createStreamReader(format);
    const decoder = new TextDecoder();
    let bytes = 0;
    for (let next = await piece(); next !== undefined; next = await piece()) {
      bytes += next.byteLength;
      if (bytes > maxReplyBytes)
        throw new ModelFault(`${subject} sent more than ${maxReplyBytes} bytes. Ask for less, or raise maxReplyBytes.`);
      for (const text of reader.read(decoder.decode(next, { stream: true }))) {
        if (text === "[DONE]") return;
        yield readEvent(text, subject);
      }
    }
    const last = parseJson(reader.rest());
    if (last !== notJson) yield last;
  } catch (error) {
    signal.throwIfAborted();
    const cause: unknown = controller.signal.aborted ? controller.signal.reason : error;
    if (cause instanceof ModelFault) throw cause;
    const { reason, retryable } = describeNetworkError(cause);
    const fact = pieces === undefined ? "cannot be reached" : "broke its reply off";
    const step = retryable ? "Send the request again." : "Check baseUrl.";
    throw new ModelFault(`${subject} ${fact}: ${reason.replace(/\.$/, "")}. ${step}`, { retryable });
  } finally {
    leave();
    controller.abort();
    pieces?.return?.().catch(() => undefined);
  }

  async function piece(): Promise<Uint8Array | undefined> {
    if (pieces === undefined) return undefined;
    const { done, value } = await inTime(pieces.next());
    return done ? undefined : value;
  }
}

function typeOf({ headers }: ModelFetchResponse): string {
  return headers.get("content-type") ?? "";
}

/** The fault for an answer that is no stream. What it says is read as far as it is of use. */
async function refusalOf(response: ModelFetchResponse, { subject, hide }: Sending): Promise<ModelFault> {
  const bytes = await readLimited(response.body, 65_536).catch(() => undefined);
  const said = new TextDecoder().decode(bytes ?? new Uint8Array());
  const sent = readSentError(parseJson(said));
  const { status } = response;
  if (status < 200 || status > 299) return refusedBy(subject, status, sent, readRetryAfter(response.headers), hide);
  if (sent !== undefined) return failedWith(subject, sent, hide);
  return new ModelFault(`${subject} answered with ${typeOf(response).slice(0, 60)} instead of a stream. Check baseUrl.`, { status });
}

function readEvent(text: string, subject: string): unknown {
  const event = parseJson(text);
  if (event !== notJson) return event;
  throw new ModelFault(`${subject} sent an event that is not JSON. Check that baseUrl leads to an API of this kind.`);
}
