import { createLineEnds } from "../../wire/line-ends.ts";
import { withoutAmbiguousEvents } from "../../wire/single-reading.ts";
import { toEvent } from "../../wire/sse.ts";
import { tooLarge } from "../stdio/stdio.ts";

export interface UpstreamBodyLimits {
  readonly maxBytes: number;
  readonly host: string;
  /** The request's body: its id is needed to answer in the place of a server whose stream broke. */
  readonly sent: string | undefined;
}

/**
 * An event stream of which each event is limited, not the whole. One that breaks before it answered, with no way to take it up again,
 * ends in an error response, because the waiting call would not be notified otherwise.
 */
export function limitEvents(body: ReadableStream<Uint8Array>, { maxBytes, host, sent }: UpstreamBodyLimits): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const id = requestId(sent);
  const toLines = createLineEnds();
  /** The beginning of an event whose end has not come yet. */
  let begun: Uint8Array[] = [];
  let size = 0;
  let isResumable = false;

  const endWith = (controller: ReadableStreamDefaultController<Uint8Array>, code: number, message: string): void => {
    if (id !== undefined) {
      const event = toEvent(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } }));
      controller.enqueue(new TextEncoder().encode(`\n\n${event}`));
    }
    controller.close();
  };

  /** The events that are whole now, each with one reading; undefined as long as none is. */
  const takeWhole = (value: Uint8Array): Uint8Array | undefined => {
    const before = Buffer.from(begun.at(-1)?.subarray(-1) ?? []);
    begun.push(value);
    size += value.byteLength;
    // What ends an event may have come in two pieces.
    if (endOfEvents(Buffer.concat([before, value])) === 0) return undefined;
    const all = Buffer.concat(begun);
    const end = endOfEvents(all);
    begun = [all.subarray(end)];
    size = all.byteLength - end;
    return withoutAmbiguousEvents(all.subarray(0, end), id);
  };

  async function readOn(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    for (;;) {
      const { done, value: chunk } = await reader.read();
      if (done && isResumable) return controller.close();
      if (done) {
        controller.enqueue(withoutAmbiguousEvents(Buffer.concat([...begun, Buffer.from("\n\n")]), id));
        return endWith(controller, streamEnded, `${host} ended the stream without an answer.`);
      }
      const value = toLines(chunk);
      isResumable ||= hasEventId(value);
      const whole = takeWhole(value);
      if (whole !== undefined) controller.enqueue(whole);
      if (size > maxBytes) {
        endWith(controller, tooLarge, `${host} sent an event of more than ${maxBytes} bytes.`);
        return reader.cancel();
      }
      if (whole !== undefined) return;
    }
  }

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        await readOn(controller);
      } catch (error) {
        if (isResumable || id === undefined) return controller.error(error);
        endWith(controller, streamEnded, `${host} broke the stream off before the answer.`);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Our own code for a stream that brought no answer. */
export const streamEnded = -32_091;

/** The id of the request in a body that was sent. */
export function requestId(sent: string | undefined): number | undefined {
  try {
    const message: unknown = sent === undefined ? undefined : JSON.parse(sent);
    return typeof message === "object" && message !== null && "id" in message && typeof message.id === "number" ? message.id : undefined;
  } catch {
    return undefined;
  }
}

/** Where the last complete event ends; 0 if there is none. Events are separated by empty lines. */
function endOfEvents(bytes: Buffer): number {
  const at = bytes.lastIndexOf("\n\n");
  return at === -1 ? 0 : at + 2;
}

/** A stream whose events have ids is taken up again by the client. */
function hasEventId(chunk: Uint8Array): boolean {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return bytes.indexOf("\nid:") !== -1 || (bytes[0] === 0x69 && bytes.indexOf("id:") === 0);
}
