import type { IncomingMessage, ServerResponse } from "node:http";
import { toTail } from "../../wire/reply.ts";
import { eventStreamHeaders } from "../../wire/sse.ts";
import { type HttpDoor, turnAway } from "./door.ts";
import type { EventSink } from "./event-stream.ts";
import type { HttpAnswer, HttpRequest, Visitor } from "./http.ts";

export interface BodyLimits {
  readonly maxBodyBytes: number;
  /** How long a body may take to come in. */
  readonly bodyTimeoutMs: number;
}

/** Answers a request of `node:http`. Resolves when the answer is under way. */
export async function answerNode(
  door: HttpDoor,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  visitor: Visitor,
  limits: BodyLimits,
): Promise<void> {
  const { method = "GET", headers } = incoming;
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === "string" ? value : value?.[0];
  };
  const refused = door.refuse({ method, header });
  if (refused !== undefined) {
    incoming.resume();
    return send(outgoing, refused);
  }
  const body = method === "POST" ? await readBody(incoming, limits) : "";
  if (typeof body !== "string") {
    outgoing.setHeader("connection", "close");
    return send(outgoing, body);
  }
  const request: HttpRequest = {
    method,
    header,
    body,
    onClose: (listener) => void outgoing.once("close", () => (outgoing.writableFinished ? undefined : listener())),
  };
  const answer = door.handle(request, visitor);
  send(outgoing, answer instanceof Promise ? await answer : answer);
}

/** The body as text, or why it is refused. */
function readBody(incoming: IncomingMessage, { maxBodyBytes, bodyTimeoutMs }: BodyLimits): Promise<string | HttpAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let timer: NodeJS.Timeout | undefined;
    const end = (outcome: string | HttpAnswer): void => {
      clearTimeout(timer);
      incoming.removeAllListeners("data");
      incoming.resume();
      resolve(outcome);
    };
    const tooLarge = turnAway(413, `The body is larger than ${maxBodyBytes} bytes.`);
    if (Number(incoming.headers["content-length"] ?? 0) > maxBodyBytes) return end(tooLarge);
    incoming.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBodyBytes) return end(tooLarge);
      // Most bodies are one chunk, and their end follows at once.
      if (!incoming.complete) timer ??= setTimeout(() => end(turnAway(408, "The body did not come in in time.")), bodyTimeoutMs);
    });
    incoming.once("end", () => end(chunks.length === 1 ? chunks[0]!.toString("utf8") : Buffer.concat(chunks).toString("utf8")));
    incoming.once("error", () => end(turnAway(400, "The body could not be read.")));
  });
}

function send(outgoing: ServerResponse, { status, headers, body, prepared, stream, after }: HttpAnswer): void {
  if (stream !== undefined) {
    outgoing.writeHead(status, { ...eventStreamHeaders, ...headers });
    outgoing.flushHeaders();
    const sink: EventSink = {
      write: (text) => (outgoing.write(text), outgoing.writableLength <= maxWaitingBytes),
      end: () => void outgoing.end(),
    };
    outgoing.once("close", () => stream.detach(sink));
    return stream.attach(sink, after);
  }
  if (prepared !== undefined) {
    const { head } = prepared.result;
    const tail = toTail(prepared.id);
    outgoing.writeHead(status, { ...headers, "content-type": "application/json", "content-length": head.length + Buffer.byteLength(tail) });
    outgoing.write(head);
    outgoing.end(tail);
  } else if (body === undefined) {
    outgoing.writeHead(status, headers).end();
  } else {
    outgoing.writeHead(status, { ...headers, "content-type": "application/json", "content-length": Buffer.byteLength(body) }).end(body);
  }
}

/** A reader who lets so much pile up is not reading. */
const maxWaitingBytes = 4 * 1024 * 1024;
