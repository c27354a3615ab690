import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Socket } from "node:net";
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
  const { socket } = incoming;
  const request: HttpRequest = {
    method,
    header,
    body,
    get signal() {
      return signalOf(socket);
    },
  };
  const answer = door.handle(request, visitor);
  send(outgoing, answer instanceof Promise ? await answer : answer);
}

const signals = new WeakMap<Socket, AbortSignal>();

/** One for each connection, because making one costs more than the rest of a short request. */
function signalOf(socket: Socket): AbortSignal {
  let signal = signals.get(socket);
  if (signal === undefined) {
    const controller = new AbortController();
    ({ signal } = controller);
    signals.set(socket, signal);
    const abort = (): void => controller.abort(new DOMException("The client went away.", "AbortError"));
    if (socket.destroyed) abort();
    else socket.once("close", abort);
  }
  return signal;
}

/** The body as text, or why it is refused. */
function readBody(incoming: IncomingMessage, { maxBodyBytes, bodyTimeoutMs }: BodyLimits): Promise<string | HttpAnswer> {
  return new Promise((resolve) => {
    let first: Buffer | undefined;
    let more: Buffer[] | undefined;
    let bytes = 0;
    let timer: NodeJS.Timeout | undefined;
    const refuse = (status: number, fact: string): void => {
      clearTimeout(timer);
      incoming.off("data", take).resume();
      resolve(turnAway(status, fact));
    };
    const tooLarge = (): void => refuse(413, `The body is larger than ${maxBodyBytes} bytes.`);
    function take(chunk: Buffer): void {
      bytes += chunk.length;
      if (bytes > maxBodyBytes) return tooLarge();
      if (first === undefined) first = chunk;
      else (more ??= [first]).push(chunk);
      // Most bodies are one chunk, and their end follows at once.
      if (!incoming.complete) timer ??= setTimeout(() => refuse(408, "The body did not come in in time."), bodyTimeoutMs);
    }
    if (Number(incoming.headers["content-length"] ?? 0) > maxBodyBytes) return tooLarge();
    incoming.on("data", take);
    incoming.on("error", () => refuse(400, "The body could not be read."));
    incoming.on("end", () => {
      if (timer !== undefined) clearTimeout(timer);
      resolve((more === undefined ? first : Buffer.concat(more))?.toString("utf8") ?? "");
    });
  });
}

function send(outgoing: ServerResponse, { status, headers, body, prepared, stream, after }: HttpAnswer): void {
  if (stream !== undefined) {
    outgoing.writeHead(status, { ...eventStreamHeaders, ...headers });
    outgoing.flushHeaders();
    const sink: EventSink = {
      write: (text) => (outgoing.write(text), outgoing.writableLength <= maxWaitingBytes),
      end: () => void outgoing.end(),
      giveUp: () => void outgoing.destroy(),
    };
    outgoing.once("close", () => stream.detach(sink));
    return stream.attach(sink, after);
  }
  if (prepared !== undefined) {
    const { head } = prepared.result;
    const tail = toTail(prepared.id);
    outgoing.writeHead(status, jsonHeaders(headers, head.length + Buffer.byteLength(tail)));
    outgoing.write(head);
    outgoing.end(tail);
  } else if (body === undefined) {
    outgoing.writeHead(status, headers).end();
  } else {
    outgoing.writeHead(status, jsonHeaders(headers, Buffer.byteLength(body))).end(body);
  }
}

function jsonHeaders(headers: HttpAnswer["headers"], length: number): OutgoingHttpHeaders {
  const own = { "content-type": "application/json", "content-length": length };
  return headers === undefined ? own : { ...headers, ...own };
}

/** A reader who lets so much pile up is not reading. */
const maxWaitingBytes = 4 * 1024 * 1024;
