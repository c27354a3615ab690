import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { onAbort } from "@toolrack/core/internal";
import { toTail } from "../../wire/reply.ts";
import { eventStreamHeaders } from "../../wire/sse.ts";
import { signInEnded } from "../sign-in-ended.ts";
import { type HttpHandler, turnAway } from "./http-handler.ts";
import type { EventSink } from "./streams/event-stream.ts";
import type { HttpAnswer, HttpRequest, Visitor } from "./http.ts";

export interface BodyLimits {
  readonly maxBodyBytes: number;
  /** How long a body may take to come in. */
  readonly bodyTimeoutMs: number;
}

/** Answers a request of `node:http`. */
export function answerNode(
  handler: HttpHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  visitor: Visitor,
  limits: BodyLimits,
  onAnswer?: (status: number, isStream: boolean) => void,
): void {
  const request = new NodeRequest(incoming, visitor.signal);
  const reply = (answered: HttpAnswer): void => {
    onAnswer?.(answered.status, answered.stream !== undefined);
    send(outgoing, answered);
  };
  const refused = handler.refuse(request);
  if (refused !== undefined) {
    incoming.resume();
    return reply(refused);
  }
  const answer = (body: Uint8Array): void => {
    request.body = body;
    handler.handle(request, visitor, reply);
  };
  if (request.method !== "POST") return answer(noBytes);
  readBody(incoming, limits, answer, (refusal) => {
    outgoing.setHeader("connection", "close");
    reply(refusal);
  });
}

/** A class, because a getter in a literal would cost more than the rest of a short request. */
class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly header: (name: string) => string | undefined;
  body: Uint8Array = noBytes;
  readonly #socket: Socket;
  readonly #signedIn: AbortSignal | undefined;

  constructor({ method = "GET", headers, socket }: IncomingMessage, signedIn: AbortSignal | undefined) {
    this.method = method;
    this.#socket = socket;
    this.#signedIn = signedIn;
    this.header = (name) => {
      const value = headers[name];
      return typeof value === "string" ? value : value?.[0];
    };
  }

  get signal(): AbortSignal {
    return signalOf(this.#socket, this.#signedIn);
  }
}

const noBytes = new Uint8Array();

const signals = new WeakMap<Socket, { readonly signal: AbortSignal; readonly signedIn: AbortSignal | undefined }>();

/** One for each connection and sign-in, because making one costs more than the rest of a short request. */
function signalOf(socket: Socket, signedIn: AbortSignal | undefined): AbortSignal {
  const known = signals.get(socket);
  if (known !== undefined && known.signedIn === signedIn) return known.signal;
  const controller = new AbortController();
  const { signal } = controller;
  signals.set(socket, { signal, signedIn });
  const abort = (reason: string): void => controller.abort(new DOMException(reason, "AbortError"));
  const stop = onAbort(signedIn, () => abort(signInEnded(signedIn)));
  const onClose = (): void => {
    stop();
    abort("The client went away.");
  };
  if (socket.destroyed) onClose();
  else socket.once("close", onClose);
  return signal;
}

/** Hands over the body, or says why it is refused. */
function readBody(
  incoming: IncomingMessage,
  { maxBodyBytes, bodyTimeoutMs }: BodyLimits,
  take: (body: Uint8Array) => void,
  refuse: (answer: HttpAnswer) => void,
): void {
  let first: Buffer | undefined;
  let more: Buffer[] | undefined;
  let bytes = 0;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const stop = (status: number, fact: string): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    incoming.resume();
    refuse(turnAway(status, fact));
  };
  const tooLarge = (): void => stop(413, `The body is larger than ${maxBodyBytes} bytes.`);
  const announced = Number(incoming.headers["content-length"] ?? Number.POSITIVE_INFINITY);
  if (announced !== Number.POSITIVE_INFINITY && announced > maxBodyBytes) return tooLarge();
  incoming.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (isOver || bytes > maxBodyBytes) return tooLarge();
    if (first === undefined) first = chunk;
    else (more ??= [first]).push(chunk);
    // Most bodies are one chunk, and need no timer.
    if (bytes < announced) timer ??= setTimeout(() => stop(408, "The body did not come in in time."), bodyTimeoutMs);
  });
  incoming.on("error", () => stop(400, "The body could not be read."));
  incoming.on("end", () => {
    clearTimeout(timer);
    if (isOver) return;
    isOver = true;
    take((more === undefined ? first : Buffer.concat(more)) ?? noBytes);
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

/** A client with more than this waiting is not reading. */
const maxWaitingBytes = 4 * 1024 * 1024;
