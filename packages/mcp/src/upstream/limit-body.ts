import type { Readable } from "node:stream";
import { FetchError } from "@toolrack/fetch";
import { tooLarge } from "./stdio.ts";

export interface BodyLimits {
  readonly maxBytes: number;
  readonly host: string;
  /** The request's body: its id is needed to answer in the place of a server whose stream broke. */
  readonly sent: string | undefined;
}

/** A whole body; one above the limit is an error, and no more of it is read. */
export async function readBody(body: Readable, { maxBytes, host }: BodyLimits): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new FetchError("RESPONSE_TOO_LARGE", `${host} answered with more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * An event stream of which each event is limited, not the whole. One that breaks before it answered, with no way to take it up again,
 * ends in an error answer, because nobody else would tell the waiting call.
 */
export function limitEvents(body: ReadableStream<Uint8Array>, { maxBytes, host, sent }: BodyLimits): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const id = requestId(sent);
  let size = 0;
  let isResumable = false;

  const endWith = (controller: ReadableStreamDefaultController<Uint8Array>, code: number, message: string): void => {
    if (id !== undefined) {
      const text = JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
      controller.enqueue(new TextEncoder().encode(`\n\nevent: message\ndata: ${text}\n\n`));
    }
    controller.close();
  };

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return isResumable ? controller.close() : endWith(controller, streamEnded, `${host} ended the stream without an answer.`);
        isResumable ||= hasEventId(value);
        const end = lastEventEnd(value);
        size = end === -1 ? size + value.byteLength : value.byteLength - end;
        if (size <= maxBytes) return controller.enqueue(value);
        endWith(controller, tooLarge, `${host} sent an event of more than ${maxBytes} bytes.`);
        await reader.cancel();
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

function requestId(sent: string | undefined): number | undefined {
  try {
    const message: unknown = sent === undefined ? undefined : JSON.parse(sent);
    return typeof message === "object" && message !== null && "id" in message && typeof message.id === "number" ? message.id : undefined;
  } catch {
    return undefined;
  }
}

/** Where the last complete event of a chunk ends; events are kept apart by empty lines. */
function lastEventEnd(chunk: Uint8Array): number {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return Math.max(bytes.lastIndexOf("\n\n"), bytes.lastIndexOf("\r\n\r\n"), bytes.lastIndexOf("\r\r"));
}

/** A stream whose events have ids is taken up again by the client. */
function hasEventId(chunk: Uint8Array): boolean {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return bytes.indexOf("\nid:") !== -1 || (bytes[0] === 0x69 && bytes.indexOf("id:") === 0);
}
